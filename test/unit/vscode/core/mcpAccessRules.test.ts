import { describe, expect, test } from 'vitest';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../../../src/config/servers/launch.ts';
import type { Ban } from '../../../../src/mcp/serverError.ts';
import { bansBy } from '../../../../src/vscode/core/mcpAccessRules.ts';

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

	test.each([[['off']], [7], [false], ['']])(
		'forbids every server if nobody knows what %j means',
		(access) => {
			expect(bannedBy({ policy: { access } })).toBe('organization');
			expect(bannedBy({ user: { access } })).toBe('settings');
		},
	);

	test('forbids no server if it is “all”', () => {
		expect(bannedBy({})).toBeUndefined();
		expect(bannedBy({ user: { access: 'none' }, policy: { access: 'all' } })).toBeUndefined();
	});
});

describe('a list of allowed or denied servers', () => {
	test.each(['files', 7, {}, { serverName: 'files' }])('allows no server if it is no list: %j', (list) => {
		for (const key of ['allowedServers', 'deniedServers']) {
			expect(bannedBy({ policy: { [key]: list } })).toBe('organization');
			expect(bannedBy({ user: { [key]: list } })).toBe('settings');
		}
	});

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

	const mcp = 'https://evil.example/mcp';
	test.each([
		['a dot at the end', mcp, 'https://evil.example./mcp'],
		['several dots at the end', mcp, 'https://evil.example../mcp'],
		['a dot at the end and a port', 'https://evil.example:8443/*', 'https://evil.example.:8443/mcp'],
		['a dot at the end, below a pattern', 'https://*.evil.example/*', 'https://a.evil.example./mcp'],
		['an encoded dot at the end', mcp, 'https://evil.example%2E/mcp'],
		['an ideographic full stop', mcp, 'https://evil\u3002example/mcp'],
		['capitals', 'https://*.evil.example/*', 'HTTPS://A.EVIL.EXAMPLE/MCP'],
		['wide letters', mcp, 'https://ｅｖｉｌ.example/mcp'],
		['an invisible letter', mcp, 'https://ev\u00adil.example/mcp'],
		['encoded letters', mcp, 'https://%65vil.example/mcp'],
		['encoded letters in the path', mcp, 'https://evil.example/%6d%63%70'],
		['an encoded folder', mcp, 'https://evil.example/a/%2e%2E/mcp'],
		['a backslash', mcp, 'https://evil.example\\mcp'],
		['missing slashes', mcp, 'https:evil.example/mcp'],
		['more slashes', mcp, 'https:////evil.example/mcp'],
		['a line break', mcp, 'https://evil.exa\nmple/mcp'],
		['a user name', 'https://evil.example/*', 'https://good.example@evil.example/mcp'],
		['the usual port', 'https://evil.example/*', 'https://evil.example:443/mcp'],
		['a port with zeros', 'https://evil.example:8443/*', 'https://evil.example:08443/mcp'],
		['punycode for Unicode', 'https://bücher.example/*', 'https://xn--bcher-kva.example/mcp'],
		['Unicode for punycode', 'https://*.xn--bcher-kva.example/*', 'https://a.bücher.example/mcp'],
		['a decomposed letter', 'https://*.bücher.example/*', 'https://a.bu\u0308cher.example/mcp'],
		['punycode where a star is beside Unicode', 'https://*ücher.example/*', 'https://xn--bcher-kva.example/'],
		['a decimal IP address', 'http://10.0.0.1/*', 'http://167772161/mcp'],
		['a hexadecimal IP address', 'http://10.0.0.1/*', 'http://0x0a.0.0.1/mcp'],
		['an octal IP address', 'http://10.0.0.1/*', 'http://012.0.0.1/mcp'],
		['a short IP address', 'http://10.0.0.*/*', 'http://10.1/mcp'],
		['an IP address with a dot at the end', 'http://10.*/*', 'http://10.0.0.1./mcp'],
		['an IPv4-mapped address', 'http://10.0.0.1/*', 'http://[::ffff:10.0.0.1]/mcp'],
		['an IPv4-mapped address in hexadecimal', 'http://10.0.0.1/*', 'http://[::FFFF:a00:1]/mcp'],
		['another form of an IPv6 address', 'http://[2001:db8::1]/*', 'http://[2001:DB8:0:0::1]/mcp'],
		['another scheme, below a star', '*://evil.example/*', 'http://evil.example/mcp'],
		['a pattern with a dot at the end', 'https://*.evil.example./*', 'https://a.evil.example/mcp'],
		['a pattern with a user name', 'https://me@*.evil.example/*', 'https://a.evil.example/mcp'],
	])('denies a host that is spelled otherwise: %s', (_, serverUrl, url) => {
		expect(bannedBy({ policy: { deniedServers: [{ serverUrl }] } }, remote(url))).toBe('organization');
		expect(bannedBy({ policy: { allowedServers: [{ serverUrl }] } }, remote(url))).toBeUndefined();
	});

	test.each([
		['https://evil.example/*', 'https://evil.example.com/mcp'],
		['https://evil.example/*', 'https://good.example/evil.example/mcp'],
		['https://evil.example/*', 'https://evil.example@good.example/mcp'],
		['https://evil.example/*', 'https://evil-example/mcp'],
		['https://evil.example/a%2Fb', 'https://evil.example/a/b'],
		['https://evil.example:8443/*', 'https://evil.example/mcp'],
		['http://10.0.0.1/*', 'http://10.0.0.11/mcp'],
	])('does not take another host for it: %s, %s', (serverUrl, url) => {
		expect(bannedBy({ policy: { deniedServers: [{ serverUrl }] } }, remote(url))).toBeUndefined();
	});

	test('overrides the allow list if it denies a server', () => {
		const entry = { serverName: 'files' };
		expect(bannedBy({ policy: { allowedServers: [entry], deniedServers: [entry] } })).toBe('organization');
	});

	test('allows no server if it is an empty allow list', () => {
		expect(bannedBy({ policy: { allowedServers: [] } })).toBe('organization');
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
