import { expect, test } from 'vitest';
import { env, inFile, pasted } from './servers.ts';

/** TOML as programs write it and as people paste it. */
const rows: readonly (readonly [source: string, text: string, servers: object])[] = [
	[
		'lion-zhang/fleet: Mistral Vibe',
		'[[mcp_servers]]\nname = "fleet"\ntransport = "stdio"\ncommand = "uvx"\nargs = ["agents-fleet", "mcp"]\n',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'Mistral Vibe’s two servers, the second with variables: https://docs.mistral.ai/mistral-vibe/introduction/configuration',
		'[[mcp_servers]]\nname = "web"\ntransport = "http"\nurl = "http://localhost:8000"\nheaders = { "X-Team" = "acme" }\napi_key_env = "WEB_KEY"\napi_key_header = "Authorization"\napi_key_format = "Bearer {token}"\n\n[[mcp_servers]]\nname = "fetch"\ntransport = "stdio"\ncommand = "uvx"\nargs = ["mcp-server-fetch"]\nenv = { "DEBUG" = "1", "LOG_LEVEL" = "info" }\n',
		{
			web: {
				url: 'http://localhost:8000',
				headers: { 'X-Team': 'acme', Authorization: `Bearer ${env('WEB_KEY')}` },
			},
			fetch: { command: 'uvx', args: ['mcp-server-fetch'], env: { DEBUG: '1', LOG_LEVEL: 'info' } },
		},
	],
	[
		'thatdudealso/musicwire: docs/launch-packet.md, OpenAI Codex, with a table for the environment',
		'[mcp_servers.musicwire]\ncommand = "npx"\nargs = ["-y", "musicwire-mcp"]\n\n[mcp_servers.musicwire.env]\nMUSICWIRE_API_URL = "https://m.example"\n',
		{
			musicwire: {
				command: 'npx',
				args: ['-y', 'musicwire-mcp'],
				env: { MUSICWIRE_API_URL: 'https://m.example' },
			},
		},
	],
	[
		'newtalaria/docs: mcp/codex.md',
		'[mcp_servers.Talaria]\nurl = "https://api.example.com/mcp"\nbearer_token_env_var = "TALARIA_MCP_TOKEN"\n',
		{
			Talaria: {
				url: 'https://api.example.com/mcp',
				headers: { Authorization: `Bearer ${env('TALARIA_MCP_TOKEN')}` },
			},
		},
	],
	[
		'stbenjam/skillsaw: docs/rules/codex-mcp-headers.md',
		'[mcp_servers.catalog]\nurl = "https://catalog.example.test/mcp"\nhttp_headers = { "X-Client" = "release-review" }\nenv_http_headers = { "X-Key" = "CATALOG_KEY" }\n',
		{
			catalog: {
				url: 'https://catalog.example.test/mcp',
				headers: { 'X-Client': 'release-review', 'X-Key': env('CATALOG_KEY') },
			},
		},
	],
	[
		'a whole ~/.codex/config.toml with comments behind values, dotted keys and other tables: openai/codex: docs/config.md',
		'model = "o3"\nnotify = ["say", "done"]   # stays\n[features]\njs_repl = true\n\n[mcp_servers.memos] # mine\nurl = "https://memos.example/mcp"\nenabled = true\nenabled_tools = [\n  "memo_get", # read\n  "memo_list",\n]\n\n[mcp_servers]\nrepl.command = "node"\nrepl.args = [\'-e\', """\nconsole.log(1)"""]\n\n[projects."/home/ada"]\ntrust_level = "trusted"\n',
		{
			memos: { url: 'https://memos.example/mcp', enabled_tools: ['memo_get', 'memo_list'] },
			repl: { command: 'node', args: ['-e', 'console.log(1)'] },
		},
	],
	[
		'openai/codex: codex-rs/config/src/mcp_types.rs, variables to pass on, by name and by source',
		'[mcp_servers.tracker]\ncommand = "tracker-mcp"\nenv_vars = ["TRACKER_TOKEN", { name = "TRACKER_URL", source = "local" }]\n',
		{ tracker: { command: 'tracker-mcp', inherit_env: ['TRACKER_TOKEN', 'TRACKER_URL'] } },
	],
	[
		'https://developers.openai.com/codex/config-reference: scopes beside the client, and an id with 19 digits',
		'[mcp_servers.s]\nurl = "https://s.example/mcp"\nscopes = ["read", "write"]\nhttp_headers = { "X-Team" = 1234567890123456789 }\n\n[mcp_servers.s.oauth]\nclient_id = "abc"\n',
		{
			s: {
				url: 'https://s.example/mcp',
				headers: { 'X-Team': '1234567890123456789' },
				oauth: { client_id: 'abc', scopes: ['read', 'write'] },
			},
		},
	],
	[
		'literal strings with backslashes: https://toml.io/en/v1.0.0#string',
		"[mcp_servers.my-voice]\ncommand = 'C:\\Program Files\\nodejs\\node.exe'\nargs = ['''C:\\dev\\it's\\index.js''', \"stdio\"]\n",
		{
			'my-voice': {
				command: 'C:\\Program Files\\nodejs\\node.exe',
				args: ["C:\\dev\\it's\\index.js", 'stdio'],
			},
		},
	],
	[
		'a Unicode escape and a quoted name: https://toml.io/en/v1.0.0#string',
		'[mcp_servers."my docs"]\ncommand = "docs"\nargs = ["--title", "\\u00c9t\\u00e9 \\U0001F600"]\n',
		{ 'my docs': { command: 'docs', args: ['--title', 'Été 😀'] } },
	],
	[
		'only dotted keys, as `codex -c` takes them: docs.rs/codex-wrapper, mcp_config.rs',
		'mcp_servers.notes.command = "notes-mcp"\nmcp_servers.notes.args = ["--stdio"]\n',
		{ notes: { command: 'notes-mcp', args: ['--stdio'] } },
	],
	[
		'mopemope/doge-code: docs/mcp-3x-migration.md, [[mcp_servers]] with a table for its environment',
		'[[mcp_servers]]\nname = "filesystem"\nenabled = true\ntransport = "stdio"\ncommand = "/opt/My MCP Server/bin/server"\nargs = ["--config", "/tmp/foo config.json"]\n\n[mcp_servers.env]\nLOG_LEVEL = "info"\n',
		{
			filesystem: {
				command: '/opt/My MCP Server/bin/server',
				args: ['--config', '/tmp/foo config.json'],
				env: { LOG_LEVEL: 'info' },
			},
		},
	],
	[
		'mopemope/doge-code: docs/mcp-3x-migration.md, an address under a key of its own',
		'[[mcp_servers]]\nname = "remote"\nenabled = true\ntransport = "http"\naddress = "https://n.example/mcp"\n',
		{ remote: { url: 'https://n.example/mcp' } },
	],
	[
		'mikart143/rusted-tools: README.md, config.toml with keys of its own',
		'[server]\nhost = "127.0.0.1"\n\n# Docker\n[[mcp_servers]]\nname = "fetch"\ntype = "local"\ncommand = "docker"\nargs = ["run", "--rm", "-i", "mcp/fetch"]\nauto_start = true\n',
		{ fetch: { command: 'docker', args: ['run', '--rm', '-i', 'mcp/fetch'] } },
	],
	[
		'zeroclaw-labs/zeroclaw#90, a list below [mcp]',
		'[mcp]\nenabled = true\n\n[[mcp.servers]]\nname = "filesystem"\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"]\n',
		{ filesystem: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp'] } },
	],
	[
		'https://docs.x.ai/build/features/mcp-servers.md, with variables and headers in a table',
		`[mcp_servers.filesystem]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-filesystem", "/srv"]\nenv = { API_KEY = "\${MY_API_KEY}" }   # \${VAR} expands at load time\nstartup_timeout_sec = 30              # default 30\n\n[mcp_servers.linear]\nurl = "https://mcp.linear.app/mcp"\nheaders = { "x-a" = "b" }\n`,
		{
			filesystem: {
				command: 'npx',
				args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv'],
				env: { API_KEY: env('MY_API_KEY') },
			},
			linear: { url: 'https://mcp.linear.app/mcp', headers: { 'x-a': 'b' } },
		},
	],
];

test.each(rows)('%s', (_, text, servers) => {
	expect(pasted(text)).toMatchObject({ faults: [] });
	expect(pasted(text).servers).toEqual(servers);
	expect(inFile(text).servers).toEqual(servers);
});

test.each([
	[
		'two tables of one name, as in a readme that shows both ways',
		'[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.a]\nurl = "https://a.example/mcp"\n',
		4,
	],
	['a value without quotes', '[mcp_servers.a]\ncommand = npx\n', 2],
	['a string that does not end', '[mcp_servers.a]\ncommand = "npx\nargs = []\n', 2],
])('%s is a fault with its line, and never half a server', (_, text, line) => {
	const fault = `The TOML cannot be read: line ${line} has an error.`;
	expect(pasted(text)).toMatchObject({ servers: {}, faults: [fault] });
	expect(inFile(text)).toMatchObject({ servers: {}, faults: [fault] });
});

test('servers by transport are servers of one list; an address without a name gets one: https://docs.openhands.dev/usage/settings/mcp-settings', () => {
	const text =
		'[mcp]\nstdio_servers = [{ name = "fetch", command = "uvx", args = ["mcp-server-fetch"] }]\nsse_servers = []\nshttp_servers = [\n  "https://a.example/mcp",\n  { url = "https://b.example/mcp" }\n]\n';
	expect(pasted(text)).toMatchObject({
		servers: {
			fetch: { command: 'uvx', args: ['mcp-server-fetch'] },
			a: { url: 'https://a.example/mcp' },
			b: { url: 'https://b.example/mcp' },
		},
		faults: [],
	});
});

test('a server that is written as JSON in a text is read: librefang/librefang#2319', () => {
	const text = `mcp_servers = ['{"name":"nocodb","transport":{"command":"npx"}}']\n`;
	expect(pasted(text)).toMatchObject({ servers: { nocodb: { command: 'npx' } }, faults: [] });
});
