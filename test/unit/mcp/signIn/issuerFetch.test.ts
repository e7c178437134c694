import { describe, expect, test } from 'vitest';
import { isSafeAddress } from '../../../../src/mcp/signIn/issuerFetch.ts';
import { IssuerRequests } from '../../../../src/mcp/signIn/oauth.ts';

const isSafe = (address: string, server: string) => isSafeAddress(new URL(address), new URL(server));
const server = 'https://mcp.example/mcp';

describe('what a server of the internet names for signing in', () => {
	test.each([
		'https://login.example/authorize',
		'https://8.8.8.8/authorize',
		'https://[2606:4700::1]/authorize',
		'https://172.32.0.1/',
	])('may be public: %s', (address) => {
		expect(isSafe(address, server)).toBe(true);
	});

	test.each([
		'https://10.0.0.5/metadata',
		'https://172.16.3.4/',
		'https://192.168.1.1/',
		'https://169.254.169.254/latest/meta-data',
		'https://[64:ff9b::10.0.0.1]/',
		'https://[2002:a00:1::]/',
		'https://[fec0::1]/',
		'https://198.18.0.1/',
		'https://router.lan/',
		'https://100.64.0.1/',
		'https://127.0.0.1/',
		'https://0x7f.1/',
		'https://[::1]/',
		'https://[::ffff:10.0.0.5]/',
		'https://[fd00::1]/',
		'https://[fe80::1]/',
		'https://localhost/',
		'https://router/',
		'https://printer.local/',
		'https://vault.corp.internal./',
		'https://printer.local../',
		'https://localhost../',
		'https://%6cocalhost/',
		'https://2130706433./',
	])('is not of a private network: %s', async (address) => {
		expect(isSafe(address, server)).toBe(false);
		const challenge = { resourceMetadataUrl: new URL(address) };
		const asking = new IssuerRequests(server).discover(challenge, new AbortController().signal);
		await expect(asking).rejects.toMatchObject({ fault: 'unsafe-address' });
	});

	test.each(['http://login.example/', 'https://mcp.example@evil.example/', 'https://a:b@login.example/'])(
		'is https, and names no user: %s',
		(address) => {
			expect(isSafe(address, server)).toBe(false);
		},
	);
});

test.each([
	['http://127.0.0.1:8080/authorize', 'http://127.0.0.1:9/mcp', true],
	['https://login.corp.internal/', 'https://10.1.2.3/mcp', true],
	['https://login.example/', 'https://10.1.2.3/mcp', true],
	['http://10.0.0.5/', 'https://10.1.2.3/mcp', false],
])('%s for the private server %s', (address, of, isAllowed) => {
	expect(isSafe(address, of)).toBe(isAllowed);
});
