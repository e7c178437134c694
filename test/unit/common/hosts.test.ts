import { describe, expect, test } from 'vitest';
import { hostOf } from '../../../src/common/hosts.ts';
import { isLoopback } from '../../../src/config/servers/address.ts';

describe('the host of an address', () => {
	test.each([
		['https://A.Example.COM/mcp', 'a.example.com'],
		['https://a.example.com./mcp', 'a.example.com'],
		['https://a.example.com...:8443/mcp', 'a.example.com'],
		['https://a.example.com%2e/mcp', 'a.example.com'],
		['https://a%2Eexample%2ecom/mcp', 'a.example.com'],
		['https://a。example．com｡/mcp', 'a.example.com'],
		['https://ａ.example.com/mcp', 'a.example.com'],
		['https://a.exa\u00admple.com/mcp', 'a.example.com'],
		['https://user:secret@a.example.com/mcp', 'a.example.com'],
		['https://a.example.com\\@b.example.com/mcp', 'a.example.com'],
		['https:a.example.com/mcp', 'a.example.com'],
		['https://exämple.com', 'xn--exmple-cua.com'],
		['https://EXA\u0308MPLE.com', 'xn--exmple-cua.com'],
		['https://xn--exmple-cua.com.', 'xn--exmple-cua.com'],
		['http://2130706433/', '127.0.0.1'],
		['http://0x7f000001/', '127.0.0.1'],
		['http://0177.0.0.01/', '127.0.0.1'],
		['http://127.1/', '127.0.0.1'],
		['http://127.0.0.1./', '127.0.0.1'],
		['http://[::ffff:127.0.0.1]/', '127.0.0.1'],
		['http://[0:0:0:0:0:FFFF:7F00:1]/', '127.0.0.1'],
		['http://[::ffff:a00:1]:8080/', '10.0.0.1'],
		['http://[64:ff9b::10.0.0.1]/', '10.0.0.1'],
		['http://[0:0:0:0:0:0:0:1]/', '[::1]'],
		['http://[2001:DB8:0::1]/', '[2001:db8::1]'],
		['no address', undefined],
	])('%s is %s', (address, host) => {
		expect(hostOf(address)).toBe(host);
	});

	test.each([
		['http://localhost.', true],
		['http://a.LOCALHOST:8080', true],
		['http://0x7f.1', true],
		['http://[::ffff:127.0.0.1]', true],
		['http://localhost.example.com', false],
		['http://10.0.0.1', false],
	])('%s is on this machine: %s', (address, isHere) => {
		expect(isLoopback(address)).toBe(isHere);
	});
});
