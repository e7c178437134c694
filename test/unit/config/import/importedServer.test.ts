import { describe, expect, test } from 'vitest';
import type { ImportedServer } from '../../../../src/config/import/importedServer.ts';
import {
	braveKey,
	claudeCodeFile,
	claudeDesktopFile,
	cursorFile,
	githubToken,
	imported,
	importedEntry,
	vscodeFile,
	windsurfFile,
} from './fixtures.ts';

const byName = (servers: readonly ImportedServer[]) =>
	Object.fromEntries(servers.map(({ name, entry }) => [name, entry]));
const notesOf = (servers: readonly ImportedServer[]) =>
	Object.fromEntries(servers.map(({ name, notes }) => [name, notes]));
const secretsOf = (servers: readonly ImportedServer[]) =>
	Object.fromEntries(servers.flatMap(({ secrets }) => secrets.map(({ name, value }) => [name, value])));
const v = (name: string) => `\${${name}}`;

describe('files as each product writes them are imported', () => {
	test('VS Code', () => {
		const servers = imported([['VS Code', vscodeFile]]);
		expect(byName(servers)).toEqual({
			github: {
				url: 'https://api.githubcopilot.com/mcp/',
				headers: { Authorization: `Bearer ${v('env:GITHUB_MCP_PAT')}` },
				defer_loading: true,
			},
			playwright: {
				command: 'npx',
				args: ['@playwright/mcp@latest', `--output-dir=${v('workspaceFolder')}/out`],
				env: { PORT: '8931' },
				defer_loading: true,
			},
		});
		expect(notesOf(servers)).toMatchSnapshot();
		expect(secretsOf(servers)).toEqual({});
	});

	test('Claude Code, with the defaults of variables that are not set', () => {
		const servers = imported([['Claude Code', claudeCodeFile]], { LEVEL: 'debug' });
		expect(byName(servers)).toEqual({
			'api-server': {
				url: 'https://api.example.com/mcp',
				transport: 'sse',
				headers: { Authorization: `Bearer ${v('env:API_KEY')}` },
				defer_loading: true,
			},
			'database-tools': {
				command: `${v('workspaceFolder')}/servers/db`,
				args: ['--config', `${v('env:HOME')}/db.toml`],
				env: { LEVEL: v('env:LEVEL') },
				defer_loading: true,
			},
		});
		expect(notesOf(servers)).toMatchSnapshot();
	});

	test('Claude Desktop', () => {
		const servers = imported([['Claude Desktop', claudeDesktopFile]]);
		expect(byName(servers)).toMatchObject({
			github: { env: { GITHUB_PERSONAL_ACCESS_TOKEN: v('env:GITHUB_PERSONAL_ACCESS_TOKEN') } },
			'brave-search': { env: { BRAVE_API_KEY: 'YOUR_API_KEY_HERE' } },
			postgres: {
				args: [
					'-y',
					'@modelcontextprotocol/server-postgres',
					`postgresql://ada:${v('env:POSTGRES_PASSWORD')}@db.test/prod`,
				],
			},
		});
		expect(secretsOf(servers)).toEqual({
			GITHUB_PERSONAL_ACCESS_TOKEN: githubToken,
			POSTGRES_PASSWORD: 'hunter2hunter2',
		});
		expect(notesOf(servers)['brave-search']).toEqual([
			`"BRAVE_API_KEY" contains a placeholder. Replace it with the value, preferably as ${v('env:NAME')}.`,
		]);
	});

	test('Cursor', () => {
		const servers = imported([['Cursor', cursorFile]]);
		expect(byName(servers)).toMatchObject({
			brave: {
				args: [
					'-y',
					'@smithery/cli@latest',
					'run',
					'brave',
					'--config',
					`{"braveApiKey":"${v('env:BRAVE_BRAVE_API_KEY')}"}`,
				],
			},
			notes: { command: 'npx', args: ['-y', 'notes-mcp', '--vault', `${v('userHome')}/notes`] },
			linear: {
				url: 'https://mcp.linear.app/sse',
				headers: { Authorization: `Bearer ${v('env:LINEAR_AUTHORIZATION')}` },
			},
			oauth: {
				url: 'https://mcp.example.com/mcp',
				oauth: { client_id: 'abc', client_secret: v('env:OAUTH_CLIENT_SECRET'), scopes: ['read'] },
			},
		});
		expect(secretsOf(servers)).toEqual({
			BRAVE_BRAVE_API_KEY: braveKey,
			LINEAR_AUTHORIZATION: 'lin_9f8e7d6c5b4a39281706',
			OAUTH_CLIENT_SECRET: 'def-9f8e7d6c5b4a3928',
		});
		expect(notesOf(servers).oauth).toEqual([
			'Its OAuth client must also be registered for "http://127.0.0.1:PORT/callback".',
		]);
	});

	test('Windsurf', () => {
		const servers = imported([['Windsurf', windsurfFile]]);
		expect(byName(servers)).toMatchObject({
			'remote-http-mcp': {
				url: `https://mcp.example.com/mcp?api_key=${v('env:REMOTE_HTTP_MCP_API_KEY')}&region=eu`,
				headers: { API_KEY: `Bearer ${v('env:AUTH_TOKEN')}` },
				tools: { delete_all: { disabled: true } },
			},
			old: { url: 'https://old.example.com/sse', transport: 'sse', disabled: true },
		});
		expect(secretsOf(servers)).toEqual({ REMOTE_HTTP_MCP_API_KEY: 'q1w2e3r4t5y6' });
		expect(notesOf(servers).old).toMatchSnapshot();
	});
});

test.each([
	[{ autoApprove: true }, true],
	[{ autoApprove: ['read'] }, true],
	[{ alwaysAllow: '*' }, true],
	[{ alwaysAllow: { read: true } }, true],
	[{ autoApprove: [] }, false],
	[{ autoApprove: false, alwaysAllow: null }, false],
])('tools that run without asking elsewhere are mentioned, whatever form names them: %j', (keys, isNoted) => {
	const { notes } = importedEntry({ command: 'acme', ...keys });
	expect(notes.some((note) => note.includes('auto-approved'))).toBe(isNoted);
});

// The words: docs.roocode.com/features/mcp/using-mcp-in-roo, kiro.dev/docs/mcp/configuration, docs.cline.bot/mcp,
// developers.openai.com/codex/mcp, geminicli.com/docs/tools/mcp-server, docs.github.com/copilot (coding agent, MCP).
test.each([
	[{ disabled: true }, { disabled: true }],
	[{ enabled: false }, { disabled: true }],
	[{ disabled: false, enabled: true }, {}],
	[{ disabledTools: ['a', 'b', 'a'] }, { tools: { a: { disabled: true }, b: { disabled: true } } }],
	[{ disabled_tools: ['a'] }, { tools: { a: { disabled: true } } }],
	[{ excludeTools: ['a'] }, { tools: { a: { disabled: true } } }],
	[{ enabledTools: ['a'] }, { enabled_tools: ['a'] }],
	[{ enabled_tools: [] }, { enabled_tools: [] }],
	[
		{ includeTools: ['a'], excludeTools: ['b'] },
		{ enabled_tools: ['a'], tools: { b: { disabled: true } } },
	],
	[{ tools: ['a'] }, { enabled_tools: ['a'] }],
	[{ tools: ['*'] }, {}],
])('tools disabled in another product stay disabled: %j', (words, expected) => {
	const { entry, notes } = importedEntry({ command: 'acme', ...words });
	expect(entry).toEqual({ command: 'acme', defer_loading: true, ...expected });
	expect(notes.join()).not.toContain('left out');
});

test.each([
	{ disabledTools: 'a' },
	{ disabledTools: ['x'.repeat(200)] },
	{ enabledTools: [1] },
	{ tools: { a: {} } },
])('a malformed list of tools gives a note: %j', (words) => {
	const { entry, notes } = importedEntry({ command: 'acme', ...words });
	expect(entry).toEqual({ command: 'acme', defer_loading: true });
	expect(notes.join()).toContain(`"${Object.keys(words)[0]}" is ignored: it is not a list of names.`);
});

describe('an input of VS Code', () => {
	const file = JSON.stringify({
		inputs: [
			{
				id: 'region',
				type: 'pickString',
				description: 'Region',
				options: ['eu', { label: 'US', value: 'us' }, 7],
				default: 'eu',
			},
			{ id: 'key', type: 'promptString', password: true, default: 'acme-9f8e7d6c5b4a' },
			{ id: 'unused', type: 'promptString', default: 'x' },
		],
		servers: {
			a: { command: 'x', env: { REGION: v('input:region'), TOKEN: v('input:key'), X: v('input:gone') } },
		},
	});

	test('keeps its choices and its default', () => {
		const [server] = imported([['VS Code', file]]);
		expect([...(server?.inputs ?? [])]).toEqual([
			[
				'REGION',
				{
					description: 'Region',
					options: [{ value: 'eu' }, { value: 'us', label: 'US' }],
					default: 'eu',
					password: false,
				},
			],
			['KEY', { default: 'acme-9f8e7d6c5b4a', password: true }],
			['GONE', { password: false }],
		]);
		expect(server?.notes).toMatchSnapshot();
	});

	test('is not requested if its variable is set', () => {
		const [server] = imported([['VS Code', file]], { REGION: 'us', KEY: 'k', GONE: 'g' });
		expect(server?.notes[0]).toBe(
			'Its input "region" is read from the environment variable "REGION", which is set.',
		);
		expect(server?.notes).toHaveLength(3);
	});
});

describe('a secret becomes a variable', () => {
	test.each<[entry: object, place: object, secrets: Record<string, string>]>([
		[{ command: 'x', env: { GH: githubToken } }, { env: { GH: v('env:GH_KEY') } }, { GH_KEY: githubToken }],
		[
			{ command: 'x', env: { DATABASE_URL: 'mysql://u:hunter22@h/d' } },
			{ env: { DATABASE_URL: `mysql://u:${v('env:DATABASE_URL_PASSWORD')}@h/d` } },
			{ DATABASE_URL_PASSWORD: 'hunter22' },
		],
		[
			{ command: 'x', args: ['--api-key=k1k2k3'] },
			{ args: [`--api-key=${v('env:ACME_API_KEY')}`] },
			{ ACME_API_KEY: 'k1k2k3' },
		],
		[
			{ command: 'docker', args: ['run', '-i', '-e', 'SLACK_TOKEN=k1k2k3'] },
			{ args: ['run', '-i', '-e', `SLACK_TOKEN=${v('env:SLACK_TOKEN')}`] },
			{ SLACK_TOKEN: 'k1k2k3' },
		],
		[
			{ url: 'https://x.test', headers: { 'X-Api-Key': 'k1k2k3' } },
			{ headers: { 'X-Api-Key': v('env:ACME_X_API_KEY') } },
			{ ACME_X_API_KEY: 'k1k2k3' },
		],
		[
			{ url: 'https://x.test/s/aaaabbbbccccddddeeeeffff00001111/mcp' },
			{ url: `https://x.test/s/${v('env:ACME_ADDRESS_KEY')}/mcp` },
			{ ACME_ADDRESS_KEY: 'aaaabbbbccccddddeeeeffff00001111' },
		],
		[
			{ url: 'https://ada:p%40ss@x.test/mcp' },
			{ url: 'https://x.test/mcp', headers: { Authorization: `Basic ${v('env:ACME_AUTHORIZATION')}` } },
			{ ACME_AUTHORIZATION: Buffer.from('ada:p@ss').toString('base64') },
		],
		[
			{ command: 'x', env: { HEADERS: '{"Authorization": "Bearer k1k2k3", "Version": "2"}' } },
			{ env: { HEADERS: `{"Authorization": "Bearer ${v('env:HEADERS_AUTHORIZATION')}", "Version": "2"}` } },
			{ HEADERS_AUTHORIZATION: 'k1k2k3' },
		],
		[
			{ command: 'sh', args: ['-c', 'NOTION_TOKEN=k1k2k3 run --key "z1z2z3" -v'] },
			{ args: ['-c', `NOTION_TOKEN=${v('env:NOTION_TOKEN')} run --key "${v('env:ACME_KEY')}" -v`] },
			{ NOTION_TOKEN: 'k1k2k3', ACME_KEY: 'z1z2z3' },
		],
		[
			{ command: 'x', args: ['say', 'my k1k2k3k4k5'], env: { TOKEN: 'k1k2k3k4k5' } },
			{ args: ['say', `my ${v('env:TOKEN')}`] },
			{ TOKEN: 'k1k2k3k4k5' },
		],
	])('%j', (entry, place, secrets) => {
		const server = importedEntry(entry);
		expect(server.entry).toMatchObject(place);
		expect(secretsOf([server])).toEqual(secrets);
		for (const value of Object.values(secrets)) {
			expect(JSON.stringify([server.entry, server.notes])).not.toContain(value);
		}
	});
});

test('a value that is no secret stays, without a note', () => {
	const entry = {
		command: 'x',
		args: ['--key', './server.pem', 'GITHUB_TOKEN'],
		env: { MAX_TOKENS: '4096', TOKEN: v('env:TOKEN') },
	};
	const server = importedEntry(entry);
	expect(server.entry).toEqual({ ...entry, defer_loading: true });
	expect(server.secrets).toEqual([]);
	expect(server.notes).toEqual([]);
});

describe('the variable names of imported secrets', () => {
	const file = (servers: object) => [['Cursor', JSON.stringify({ mcpServers: servers })] as const];
	const withToken = (value: string) => ({ command: 'x', env: { TOKEN: value } });

	test('are shared by equal secrets, and get the server’s name for a different one', () => {
		const servers = imported(file({ a: withToken('one11'), b: withToken('two22'), c: withToken('one11') }));
		expect(servers.map(({ secrets }) => secrets)).toEqual([
			[{ name: 'TOKEN', value: 'one11' }],
			[{ name: 'B_TOKEN', value: 'two22' }],
			[{ name: 'TOKEN', value: 'one11' }],
		]);
	});

	test('do not reuse a variable that has another value', () => {
		const [server] = imported(file({ a: withToken('one11') }), {
			TOKEN: 'mine',
			A_TOKEN: 'mine',
			A_TOKEN_2: 'one11',
		});
		expect(server?.secrets).toEqual([{ name: 'A_TOKEN_2', value: 'one11' }]);
	});

	test('do not reuse a variable that another server reads, so no server gets another’s secret', () => {
		const servers = imported(file({ a: withToken('one11'), b: withToken(v('env:TOKEN')) }));
		expect(servers[0]?.secrets).toEqual([{ name: 'A_TOKEN', value: 'one11' }]);
	});

	test('do not use a name that .env may not set', () => {
		const entry = { url: 'https://x.test', headers: { Authorization: 'Bearer one11' } };
		expect(imported(file({ node: entry }))[0]?.secrets).toEqual([
			{ name: 'MCP_NODE_AUTHORIZATION', value: 'one11' },
		]);
	});
});

test('unknown variables stay as written, and a note names them', () => {
	const server = importedEntry({ command: 'x', args: [v('file:/etc/key'), v('HOME')] });
	expect(server.entry).toMatchObject({ args: [v('file:/etc/key'), v('HOME')] });
	expect(server.notes).toEqual([
		`The variable "${v('file:/etc/key')}" is unknown here, so it was left unchanged.`,
		`The variable "${v('HOME')}" is unknown here, so it was left unchanged.`,
	]);
});

test('the output of a command in a line for a shell is no secret, and stays for the shell', () => {
	const line = 'GITHUB_PERSONAL_ACCESS_TOKEN=$(gh auth token) npx -y @modelcontextprotocol/server-github';
	expect(importedEntry({ command: 'bash', args: ['-c', line] })).toMatchObject({
		entry: { command: 'bash', args: ['-c', line] },
		secrets: [],
		notes: [],
	});
});
