import { describe, expect, test } from 'vitest';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../../../src/config/servers/launch.ts';
import type { Ban } from '../../../../src/mcp/serverError.ts';
import { bansBy } from '../../../../src/vscode/trust/mcpAccessRules.ts';

const files: StdioLaunch = { kind: 'stdio', command: 'npx', args: ['-y', 'files'], env: {}, cwd: '/work' };

function remote(url: string): RemoteLaunch {
	return { kind: 'remote', url, transport: 'streamable-http', headers: {} };
}

/** Who forbids a server under these settings, each set by the user or by a policy. */
function bannedBy(
	settings: { readonly user?: object; readonly policy?: object },
	launch: ServerLaunch = files,
	name = 'files',
): Ban['by'] | undefined {
	const defaults: Readonly<Record<string, unknown>> = { access: 'all', ...settings.policy };
	const user: Readonly<Record<string, unknown>> = { ...settings.user };
	const policies: Readonly<Record<string, unknown>> = { ...settings.policy };
	const bans = bansBy((key) => ({
		value: policies[key] ?? user[key] ?? defaults[key] ?? null,
		defaultValue: defaults[key] ?? null,
		globalValue: user[key],
	}));
	return bans(name, launch)?.by;
}

describe('VS Code’s setting for MCP access', () => {
	test.each(['none', 'registry'])('forbids every server if it is “%s”, and says who set it', (access) => {
		expect(bannedBy({ policy: { access } })).toBe('organization');
		expect(bannedBy({ user: { access } })).toBe('settings');
		expect(bannedBy({ user: { access: 'all' }, policy: { access } })).toBe('organization');
	});

	test('forbids no server if it is “all”', () => {
		expect(bannedBy({})).toBeUndefined();
		expect(bannedBy({ user: { access: 'none' }, policy: { access: 'all' } })).toBeUndefined();
	});
});

describe('a list of allowed or denied servers', () => {
	test.each([
		['its name', { serverName: 'files' }, true],
		['another name', { serverName: 'Files' }, false],
		['its whole command', { serverCommand: ['npx', '-y', 'files'] }, true],
		['a part of its command', { serverCommand: ['npx'] }, false],
		[
			'two things at once, which is no entry',
			{ serverName: 'files', serverCommand: ['npx', '-y', 'files'] },
			false,
		],
		['an address', { serverUrl: '*' }, false],
	])('is matched against a local server, given an entry with %s', (_, entry, isListed) => {
		expect(bannedBy({ policy: { deniedServers: [entry] } })).toBe(isListed ? 'organization' : undefined);
		expect(bannedBy({ policy: { allowedServers: [entry] } })).toBe(isListed ? undefined : 'organization');
		expect(bannedBy({ user: { deniedServers: [entry] } })).toBe(isListed ? 'settings' : undefined);
	});

	test.each([
		['https://a.example.com/mcp', 'https://a.example.com/mcp', true],
		['https://A.example.com:443/mcp', 'https://a.example.com/mcp', true],
		['https://a.example.com/mcp', 'https://ada:secret@a.example.com/mcp#x', true],
		['https://a.example.com/mcp', 'https://a.example.com/mcp?x=1', false],
		['https://*.example.com/*', 'https://a.b.example.com/mcp?x=1', true],
		['https://*.example.com/*', 'https://evil.test/.example.com/', false],
		['https://*.example.com/*', 'https://evil.test?.example.com/', false],
		['https://*.example.com', 'https://a.example.com/', true],
		['https://a.example.com:*/mcp', 'https://a.example.com/mcp', true],
		['https://a.example.com:*/mcp', 'https://a.example.com:8443/mcp', true],
		['https://a.example.com:443/*', 'https://a.example.com/mcp', true],
		['http://*/*', 'https://a.example.com/mcp', false],
		['*', 'https://a.example.com/', false],
	])('with the URL pattern %s is matched against %s', (serverUrl, url, isListed) => {
		const ban = bannedBy({ policy: { deniedServers: [{ serverUrl }] } }, remote(url));
		expect(ban).toBe(isListed ? 'organization' : undefined);
	});

	test('overrides the allow list if it denies a server', () => {
		const entry = { serverName: 'files' };
		expect(bannedBy({ policy: { allowedServers: [entry], deniedServers: [entry] } })).toBe('organization');
	});

	test('allows no server if it is an empty allow list, and has no effect if it is not a list', () => {
		expect(bannedBy({ policy: { allowedServers: [] } })).toBe('organization');
		expect(bannedBy({ policy: { allowedServers: 'files', deniedServers: 'files' } })).toBeUndefined();
	});

	test('of the organization can be the only allow list, while every deny list still applies', () => {
		const allowManagedServersOnly = true;
		const entry = { serverName: 'files' };
		expect(bannedBy({ user: { allowedServers: [entry] }, policy: { allowManagedServersOnly } })).toBe(
			'organization',
		);
		const allowed = { allowManagedServersOnly, allowedServers: [entry] };
		expect(bannedBy({ policy: allowed })).toBeUndefined();
		expect(bannedBy({ user: { deniedServers: [entry] }, policy: allowed })).toBe('settings');
	});
});
