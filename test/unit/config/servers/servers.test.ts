import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { launchSecrets } from '../../../../src/config/servers/launch.ts';
import { load, problemsOf } from '../fixtures.ts';

describe('servers', () => {
	test('run in the workspace folder unless they name another one', () => {
		const { config, problems } = load(`{ "servers": {
			"a": { "command": "a" },
			"b": { "type": "stdio", "command": "\${workspaceFolder}/b", "args": ["\${userHome}"], "env": { "T": "\${env:TOKEN}" }, "cwd": "sub" } } }`);
		expect(problems).toEqual([]);
		expect([...(config?.launches.values() ?? [])]).toEqual([
			{ kind: 'stdio', command: 'a', args: [], env: {}, cwd: path.resolve('/work space/project') },
			{
				kind: 'stdio',
				command: '/work space/project/b',
				args: ['/home/ada'],
				env: { T: 'hush-hush' },
				cwd: path.resolve('/work space/project/sub'),
				written: {
					command: '/work space/project/b',
					args: ['/home/ada'],
					env: { T: `\${env:TOKEN}` },
					cwd: path.resolve('/work space/project/sub'),
				},
				reads: { TOKEN: { value: 'hush-hush', isStored: false } },
			},
		]);
	});

	test.each([
		['true', true],
		['["B", "A", "B"]', ['A', 'B']],
		['false', undefined],
		['[]', undefined],
	])('inherit environment variables as stated by "inherit_env": %s', (written, inherits) => {
		const { config, problems } = load(
			`{ "servers": { "a": { "command": "a", "inherit_env": ${written} } } }`,
		);
		expect(problems).toEqual([]);
		const launch = config?.launches.get('a');
		expect(launch?.kind === 'stdio' && launch.inherits).toEqual(inherits);
	});

	test.each([
		['', 'streamable-http'],
		['"transport": "http",', 'streamable-http'],
		['"transport": "streamable-http",', 'streamable-http'],
		['"transport": "sse",', 'sse'],
		['"type": "sse",', 'sse'],
		['"type": "http",', 'streamable-http'],
	])('can be remote: %s', (keys, transport) => {
		const text = `{ "servers": { "a": { ${keys} "url": "https://x.test/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" } } } }`;
		const { config, problems } = load(text);
		expect(problems).toEqual([]);
		expect(config?.launches.get('a')).toEqual({
			kind: 'remote',
			url: 'https://x.test/mcp',
			transport,
			headers: { Authorization: 'Bearer hush-hush' },
			written: { url: 'https://x.test/mcp', headers: { Authorization: `Bearer \${env:TOKEN}` } },
			reads: { TOKEN: { value: 'hush-hush', isStored: false } },
		});
	});

	test('have OAuth settings, with the client secret both as written and expanded', () => {
		const { config, problems } = load(`{ "servers": { "a": { "url": "https://x.test/mcp", "oauth": {
			"client_id": "abc", "client_secret": "\${env:TOKEN}", "scopes": ["read", "write"], "redirect_port": 8123, "redirect_host": "localhost" } } } }`);
		expect(problems).toEqual([]);
		const launch = config?.launches.get('a');
		expect(launch).toMatchObject({
			oauth: {
				clientId: 'abc',
				clientSecret: 'hush-hush',
				scopes: ['read', 'write'],
				redirectPort: 8123,
				redirectHost: 'localhost',
			},
			written: { oauth: { client_id: 'abc', client_secret: `\${env:TOKEN}`, scopes: 'read write' } },
			reads: { TOKEN: { value: 'hush-hush' } },
		});
		expect(launch && launchSecrets(launch)).toContain('hush-hush');
	});

	test('are merged from all three sections, and a duplicate that loses gets a warning', () => {
		const text = `{
  "mcp_servers": { "c": { "command": "c3" }, "a": { "command": "a3" } },
  "mcpServers": { "b": { "command": "b2" }, "a": { "command": "a2" } },
  "servers": { "a": { "command": "a1" } }
}`;
		const { config } = load(text);
		const commands = [...(config?.launches ?? [])].map(([name, launch]) => [
			name,
			'command' in launch && launch.command,
		]);
		expect(commands).toEqual([
			['c', 'c3'],
			['b', 'b2'],
			['a', 'a1'],
		]);
		expect(problemsOf(text)).toMatchSnapshot();
	});

	test('have the user’s settings for them and for their tools', () => {
		const { config, problems } =
			load(`{ "servers": { "slack": { "command": "s", "search_hint": "chat", "defer_loading": true,
			"pinned": ["list"], "tools": { "post": { "search_hint": "say", "defer_loading": false, "deferred": true }, "dump": { "deferred": true }, "__proto__": {} } } } }`);
		expect(problems).toEqual([]);
		expect(config?.policy.servers.get('slack')).toEqual({
			deferLoading: true,
			pinned: ['list'],
			searchHint: 'chat',
			tools: new Map([
				['post', { deferLoading: false, searchHint: 'say' }],
				['dump', { deferLoading: true }],
				['__proto__', {}],
			]),
		});
	});

	test('are disabled when malformed, and all others start', () => {
		const { config } = load(`{ "servers": {
			"a": { "command": 5 }, "b": { "command": "b", "args": "x" }, "c": { "command": "c", "env": { "X": 1 } },
			"d": "d", "e": { "command": "\${env:UNSET}" }, "f": { "url": "file:///etc/passwd" }, "..": { "command": "x" },
			"fine": { "command": "fine" }, "__proto__": { "command": "x" } } }`);
		expect([...(config?.launches.keys() ?? [])]).toEqual(['fine']);
		expect([...(config?.policy.servers.keys() ?? [])]).toEqual(['a', 'b', 'c', 'e', 'f', 'fine']);
	});

	test('start with default deferral settings when only those are malformed', () => {
		const { config } = load(
			'{ "servers": { "a": { "command": "a", "defer_loading": "true", "pinned": 1 } } }',
		);
		expect(config?.launches.has('a')).toBe(true);
		expect(config?.policy.servers.get('a')).toEqual({ deferLoading: false, pinned: false, tools: new Map() });
	});

	test.each(['constructor', 'toString', 'hasOwnProperty', 'my files', '🙂', 'Übersetzer', 'a.b', '1'])(
		'can have the name %s',
		(name) => {
			const text = JSON.stringify({ servers: { [name]: { command: 'x' } } });
			const { config, problems } = load(text);
			expect(problems).toEqual([]);
			expect(config?.launches.get(name)).toMatchObject({ command: 'x' });
		},
	);

	test('can have variables named __proto__', () => {
		const { config } = load(
			'{ "servers": { "a": { "command": "a", "env": { "__proto__": "x", "constructor": "y" } } } }',
		);
		const launch = config?.launches.get('a');
		const env = launch?.kind === 'stdio' ? Object.entries(launch.env) : [];
		expect(env).toEqual([
			['__proto__', 'x'],
			['constructor', 'y'],
		]);
	});
});
