import { expect, test } from 'vitest';
import { env, inFile, pasted } from './servers.ts';

/** Files of programs, in their own shapes. */
const rows: readonly (readonly [source: string, text: string, servers: object])[] = [
	[
		'lion-zhang/fleet: OpenCode and Kilo Code',
		'{ "mcp": { "fleet": { "type": "local", "command": ["uvx", "agents-fleet", "mcp"], "enabled": true } } }',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'Chemaclass/agnostic-ai#84',
		'{ "$schema": "https://opencode.ai/config.json", "mcp": { "fs": { "type": "local", "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "."], "environment": { "ALLOWED_PATHS": "." } }, "linear": { "type": "remote", "url": "https://mcp.linear.app/sse", "headers": { "X-Team": "a" } } } }',
		{
			fs: {
				command: 'npx',
				args: ['-y', '@modelcontextprotocol/server-filesystem', '.'],
				env: { ALLOWED_PATHS: '.' },
			},
			linear: { url: 'https://mcp.linear.app/sse', transport: 'sse', headers: { 'X-Team': 'a' } },
		},
	],
	[
		'OpenCode’s second shape, below mcp.servers: https://opencode.ai/v2/docs/mcp-servers',
		'{ "mcp": { "servers": { "my-server": { "type": "local", "command": ["npx", "-y", "example-mcp-server"], }, }, }, }',
		{ 'my-server': { command: 'npx', args: ['-y', 'example-mcp-server'] } },
	],
	[
		'anomalyco/opencode: packages/web/src/content/docs/mcp-servers.mdx, ~/.local/share/opencode/mcp-local.json',
		'{ "/home/ada/p": { "jira": { "type": "local", "command": ["npx", "-y", "jira-mcp"] } }, "/home/ada/q": { "stripe": { "type": "remote", "url": "https://s.example/mcp" } } }',
		{ jira: { command: 'npx', args: ['-y', 'jira-mcp'] }, stripe: { url: 'https://s.example/mcp' } },
	],
	[
		'lion-zhang/fleet: Goose',
		'extensions:\n  fleet:\n    name: fleet\n    type: stdio\n    cmd: uvx\n    args: [agents-fleet, mcp]\n    enabled: true\n    timeout: 300\n',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'thatdudealso/musicwire: docs/launch-packet.md, ~/.config/goose/config.yaml',
		'extensions:\n  musicwire:\n    name: Musicwire\n    type: streamable_http\n    uri: https://m.example/mcp\n    enabled: true\n    timeout: 300\n',
		{ musicwire: { url: 'https://m.example/mcp' } },
	],
	[
		'Goose’s older shape, with the launch in "config": https://www.mintlify.com/block/goose/api/extensions/overview',
		'extensions:\n  my-custom-tool:\n    enabled: true\n    config:\n      type: stdio\n      name: my-custom-tool\n      cmd: npx\n      args: ["-y", "@my/tool"]\n      description: My custom tool\n      timeout: 120\n',
		{ 'my-custom-tool': { command: 'npx', args: ['-y', '@my/tool'] } },
	],
	[
		'lion-zhang/fleet: Continue',
		'mcpServers:\n  - name: fleet\n    type: stdio\n    command: uvx\n    args: ["agents-fleet", "mcp"]\n',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'thatdudealso/musicwire: docs/launch-packet.md, .continue/mcpServers/musicwire.yaml',
		'name: Musicwire\nversion: 0.1.0\nschema: v1\nmcpServers:\n  - name: Musicwire\n    type: streamable-http\n    url: https://m.example/mcp\n',
		{ Musicwire: { url: 'https://m.example/mcp' } },
	],
	[
		'sajith-madhusanka/wso2-apim-mcp-server: README.md, the key and the list of Continue, in JSON',
		'{ "mcpServers": [ { "name": "wso2-apim", "command": "node", "args": ["/opt/server.js"] } ] }',
		{ 'wso2-apim': { command: 'node', args: ['/opt/server.js'] } },
	],
	[
		'Continue’s first shape: https://docs.continue.dev/customize/deep-dives/mcp',
		'{ "experimental": { "modelContextProtocolServers": [ { "transport": { "type": "stdio", "command": "uvx", "args": ["mcp-server-sqlite"] } } ] } }',
		{ sqlite: { command: 'uvx', args: ['mcp-server-sqlite'] } },
	],
	[
		'sajith-madhusanka/wso2-apim-mcp-server: README.md, the key of Zed',
		'// Zed settings\n{ "context_servers": { "wso2-apim": { "command": { "path": "node", "args": ["/opt/server.js"] }, "settings": {} } } }',
		{ 'wso2-apim': { command: 'node', args: ['/opt/server.js'] } },
	],
	[
		'lion-zhang/fleet: Zed',
		'{ "theme": "One Dark", "context_servers": { "fleet": { "source": "custom", "command": "uvx", "args": ["agents-fleet", "mcp"], "env": {} } } }',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'wcygan/dotfiles: config/zed/settings.json, a setting and an empty list that are named like the list of servers',
		'// Zed\n{ "agent": { "profiles": { "agent": { "tools": {}, "enable_all_context_servers": false, "context_servers": {} } } }, "languages": { "Python": { "language_servers": ["ty", "!basedpyright"] } }, "context_servers": { "fleet": { "source": "custom", "command": "uvx", "args": ["agents-fleet", "mcp"] } } }',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'JonatanCruz/dotfiles: opencode/.config/opencode/opencode.json, beside programs that format code',
		'{ // opencode\n "mcp": { "fleet": { "type": "local", "command": ["uvx", "agents-fleet", "mcp"], "enabled": true, "timeout": 10000 } }, "formatter": { "ruff": { "command": ["ruff", "format", "$FILE"], "extensions": [".py"] } }, "command": { "test": { "template": "Run $ARGUMENTS" } } }',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'tstapler/dotfiles: .config/goose/config.yaml, a bridge, empty values, and one that is off',
		'extensions:\n  atlassian:\n    args:\n    - -y\n    - mcp-remote\n    - https://a.example/v1/mcp\n    bundled: null\n    cmd: npx\n    description: null\n    enabled: false\n    env_keys: []\n    envs: {}\n    name: atlassian\n    timeout: 300\n    type: stdio\n',
		{ atlassian: { url: 'https://a.example/v1/mcp', disabled: true } },
	],
	[
		'lion-zhang/fleet: Amp',
		'{ "amp.mcpServers": { "fleet": { "command": "uvx", "args": ["agents-fleet", "mcp"] } } }',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } },
	],
	[
		'https://docs.warp.dev/agent-platform/capabilities/mcp: Warp’s map without a key',
		'{ "notes": { "url": "https://n.example/mcp", "headers": { "X-Team": "a" } } }',
		{ notes: { url: 'https://n.example/mcp', headers: { 'X-Team': 'a' } } },
	],
	[
		'anthropics/claude-code#32939, #35144: ~/.claude.json with a user’s and a project’s servers',
		'{ "numStartups": 3, "mcpServers": { "all": { "command": "all-mcp" } }, "projects": { "/home/ada/p": { "allowedTools": [], "mcpServers": { "mine": { "type": "stdio", "command": "mine-mcp", "args": [], "env": {} }, "off": { "command": "off-mcp" } }, "disabledMcpServers": ["off"] }, "/home/ada/q": { "mcpServers": {} } } }',
		{
			all: { command: 'all-mcp' },
			mine: { command: 'mine-mcp' },
			off: { command: 'off-mcp', disabled: true },
		},
	],
	[
		'GitHub Copilot CLI: ~/.copilot/mcp-config.json, https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers',
		'{ "mcpServers": { "notes": { "type": "local", "command": "npx", "tools": ["*"], "args": ["-y", "notes-mcp"], "env": {} }, "web": { "type": "http", "url": "https://w.example/mcp", "headers": {}, "tools": ["get"] } } }',
		{
			notes: { command: 'npx', args: ['-y', 'notes-mcp'] },
			web: { url: 'https://w.example/mcp', enabled_tools: ['get'] },
		},
	],
	[
		'Gemini CLI: settings with excluded servers, https://geminicli.com/docs/tools/mcp-server',
		'{ "mcp": { "excluded": ["old"] }, "mcpServers": { "web": { "httpUrl": "https://w.example/mcp", "includeTools": ["a"], "trust": true }, "old": { "command": "old-mcp" } } }',
		{
			web: { url: 'https://w.example/mcp', enabled_tools: ['a'] },
			old: { command: 'old-mcp', disabled: true },
		},
	],
	[
		'Baidu Comate: https://cloud.baidu.com/doc/COMATE/s/Ymir0x2ye',
		'{ "mcpServers": { "serverName": { "transportType": "stdio", "command": "node", "args": ["server.js"], "cwd": "/srv", "timeout": 50, "disabled": false }, "web": { "type": "sse", "url": "https://w.example/sse", "requestInit": { "headers": { "X-A": "1" } } } } }',
		{
			serverName: { command: 'node', args: ['server.js'], cwd: '/srv' },
			web: { url: 'https://w.example/sse', transport: 'sse', headers: { 'X-A': '1' } },
		},
	],
	[
		'https://agentclientprotocol.com/protocol/session-setup: a list of pairs for the environment',
		'{ "mcpServers": { "notes": { "command": "notes-mcp", "env": [ { "name": "LEVEL", "value": "debug" } ] } } }',
		{ notes: { command: 'notes-mcp', env: { LEVEL: 'debug' } } },
	],
	[
		'Auggie’s extension: a list in VS Code’s settings, https://docs.augmentcode.com/setup-augment/mcp',
		'{ "augment.advanced": { "mcpServers": [ { "name": "sqlite", "command": "uvx", "args": ["mcp-server-sqlite"] } ] } }',
		{ sqlite: { command: 'uvx', args: ['mcp-server-sqlite'] } },
	],
	[
		'a Gemini extension, which is also a package: https://geminicli.com/docs/extensions',
		'{ "name": "acme", "version": "1.0.0", "mcpServers": { "acme": { "command": "node", "args": ["server.js"] } } }',
		{ acme: { command: 'node', args: ['server.js'] } },
	],
	[
		'Messages API: a list for a provider, https://docs.claude.com/en/docs/agents-and-tools/mcp-connector',
		'{ "mcp_servers": [ { "type": "url", "url": "https://w.example/sse", "name": "web", "authorization_token": "YOUR_TOKEN" } ] }',
		{ web: { url: 'https://w.example/sse', headers: { Authorization: 'Bearer YOUR_TOKEN' } } },
	],
	[
		'Cherry Studio, as it stores them: CherryHQ/cherry-studio#5440',
		'{ "mcpServers": { "w1": { "name": "weather", "type": "streamableHttp", "description": "", "isActive": false, "baseUrl": "https://w.example/mcp", "command": "", "args": [], "env": {} } } }',
		{ w1: { url: 'https://w.example/mcp', disabled: true } },
	],
	[
		'mcp-get: michaellatman/mcp-get#48',
		'{ "mcpServers": { "notes": { "command": "uvx", "arguments": ["notes-mcp"], "envVars": { "NOTES_DIR": "/srv/notes" } } } }',
		{ notes: { command: 'uvx', args: ['notes-mcp'], env: { NOTES_DIR: '/srv/notes' } } },
	],
	[
		'paths of Windows with single backslashes: ojuschugh1/sqz#2',
		String.raw`{ "mcpServers": { "notes": { "command": "node", "args": ["C:\Users\ada\new\test.js", "D:\"] } } }`,
		{ notes: { command: 'node', args: [String.raw`C:\Users\ada\new\test.js`, 'D:\\'] } },
	],
	[
		'with paths of Windows that are escaped',
		String.raw`{ "mcpServers": { "notes": { "command": "C:\\bin\\node.exe", "args": ["a\tb"] } } }`,
		{ notes: { command: String.raw`C:\bin\node.exe`, args: ['a\tb'] } },
	],
	[
		'Cherry Studio: CherryHQ/cherry-studio, import from JSON',
		'{ "mcpServers": { "x1": { "name": "web", "type": "streamableHttp", "isActive": false, "baseUrl": "https://w.example/mcp" } } }',
		{ x1: { url: 'https://w.example/mcp', disabled: true } },
	],
	[
		'LibreChat: librechat.yaml, https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/mcp_servers',
		'version: 1.2.1\nmcpServers:\n  everything:\n    type: sse\n    url: http://localhost:3001/sse\n  puppeteer:\n    command: npx\n    args:\n      - -y\n      - "@modelcontextprotocol/server-puppeteer"\n',
		{
			everything: { url: 'http://localhost:3001/sse', transport: 'sse' },
			puppeteer: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-puppeteer'] },
		},
	],
	[
		'mmakam2/openwebui-mcp-bridge: README.md, an address for SSE, with "isEnabled" as in another list',
		'[ { "name": "Home Assistant", "isEnabled": true, "sseUrl": "http://10.0.0.8:8123/mcp_server/sse" } ]',
		{ 'Home Assistant': { url: 'http://10.0.0.8:8123/mcp_server/sse', transport: 'sse' } },
	],
	[
		'https://docs.warp.dev/agent-platform/capabilities/mcp: where a server runs',
		'{ "mcpServers": { "notes": { "command": "node", "args": ["server.js"], "working_directory": "/srv/notes" } } }',
		{ notes: { command: 'node', args: ['server.js'], cwd: '/srv/notes' } },
	],
	[
		'https://moonshotai.github.io/kimi-code/zh/customization/mcp: a token’s variable in camel case',
		'{ "mcpServers": { "linear": { "url": "https://w.example/mcp", "bearerTokenEnvVar": "LINEAR_TOKEN" } } }',
		{ linear: { url: 'https://w.example/mcp', headers: { Authorization: `Bearer ${env('LINEAR_TOKEN')}` } } },
	],
	[
		'names of keys that Goose stores: aaif-goose/goose: documentation/docs/guides/config-files.md',
		'GOOSE_MODE: smart_approve\nextensions:\n  gh:\n    type: stdio\n    cmd: gh-mcp\n    env_keys: [GH_TOKEN]\n    envs: {LEVEL: debug}\n    available_tools: []\n',
		{ gh: { command: 'gh-mcp', env: { GH_TOKEN: env('GH_TOKEN'), LEVEL: 'debug' } } },
	],
	[
		'https://kiro.dev/docs/custom-agents/: an agent, which is Markdown with settings at its top',
		'---\ndescription: Backend development agent\ntools: [read, write]\nmcpServers:\n  postgres:\n    command: npx\n    args: ["-y", "@modelcontextprotocol/server-postgres"]\npermissions:\n  - capability: shell\n---\n\nYou are a backend developer.\n\n```\nnpx other\n```\n',
		{ postgres: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-postgres'] } },
	],
	[
		'pathintegral-institute/mcpm.sh#92: Trae, with the id of its gallery',
		'{ "mcpServers": { "Puppeteer": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-puppeteer"], "env": {}, "fromGalleryId": "modelcontextprotocol.servers_puppeteer" } } }',
		{ Puppeteer: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-puppeteer'] } },
	],
	[
		'mark3labs/mcphost#44: headers as lines',
		'{ "mcpServers": { "web": { "url": "https://w.example/mcp", "headers": ["X-Team: acme"] } } }',
		{ web: { url: 'https://w.example/mcp', headers: { 'X-Team': 'acme' } } },
	],
	[
		'https://pypi.org/project/langchain-mcp-adapters/0.3.1/: servers in a program in Python',
		'client = MultiServerMCPClient({\n    "notes": {\n        "url": "https://n.example/mcp",\n        "transport": "streamable_http",\n    }\n})\nprint(f"{len(tools)} tools")\n',
		{ notes: { url: 'https://n.example/mcp' } },
	],
	[
		'https://docs.claude.com/en/api/agent-sdk/mcp: the same in TypeScript, with names without quotes',
		"import { query } from 'sdk';\nquery({\n  options: {\n    mcpServers: {\n      // two ways\n      notes: { command: 'npx', args: ['-y', 'notes-mcp'], env: { KEY: process.env.NOTES_KEY } },\n      web: { type: 'http', url: 'https://w.example/mcp' },\n    },\n  },\n});\n",
		{
			notes: { command: 'npx', args: ['-y', 'notes-mcp'], env: { KEY: env('NOTES_KEY') } },
			web: { url: 'https://w.example/mcp' },
		},
	],
	[
		'https://docs.claude.com/en/api/agent-sdk/mcp: in Python, which looks like TOML',
		'mcp_servers = {"notes": {"command": "npx", "args": ["-y", "notes-mcp"], "disabled": False}}\n',
		{ notes: { command: 'npx', args: ['-y', 'notes-mcp'] } },
	],
	[
		'https://hermes-agent.nousresearch.com/docs/reference/mcp-config-reference: tools in an object',
		'mcp_servers:\n  notes:\n    command: notes-mcp\n    tools:\n      include: [find, read]\n      exclude: [read]\n  web:\n    url: https://w.example/mcp\n    tools:\n      exclude: drop\n      prompts: false\n',
		{
			notes: { command: 'notes-mcp', enabled_tools: ['find', 'read'] },
			web: { url: 'https://w.example/mcp', tools: { drop: { disabled: true } } },
		},
	],
	[
		'https://docs.litellm.ai/docs/mcp: tools, and a variable in a syntax of its own',
		'mcp_servers:\n  web:\n    url: https://w.example/mcp\n    transport: http\n    allowed_tools: [find]\n    disallowed_tools: [drop]\n    headers:\n      X-Key: os.environ/WEB_KEY\n',
		{
			web: {
				url: 'https://w.example/mcp',
				headers: { 'X-Key': env('WEB_KEY') },
				enabled_tools: ['find'],
				tools: { drop: { disabled: true } },
			},
		},
	],
	[
		'https://yaml.org/type/merge.html: what two servers have in common',
		'x-env: &common\n  A: "1"\nmcpServers:\n  one:\n    command: one-mcp\n    env: *common\n  two:\n    command: two-mcp\n    env:\n      <<: *common\n      B: "2"\n',
		{ one: { command: 'one-mcp', env: { A: '1' } }, two: { command: 'two-mcp', env: { A: '1', B: '2' } } },
	],
	[
		'https://docs.discord.com/developers/reference#snowflakes: an id with more digits than JavaScript’s numbers keep, and a version',
		'{ "mcpServers": { "d": { "command": "d-mcp", "args": ["--id", 1234567890123456789], "env": { "CHANNEL_ID": 1234567890123456789, "API": 1.10 } } } }',
		{
			d: {
				command: 'd-mcp',
				args: ['--id', '1234567890123456789'],
				env: { CHANNEL_ID: '1234567890123456789', API: '1.10' },
			},
		},
	],
	[
		'the same in YAML, where a leading zero says nothing',
		'mcpServers:\n  d:\n    command: d-mcp\n    env:\n      CHANNEL_ID: 1234567890123456789\n      PIN: 0123\n      API: 1.10\n',
		{ d: { command: 'd-mcp', env: { CHANNEL_ID: '1234567890123456789', PIN: '0123', API: '1.10' } } },
	],
	[
		'microsoft/vscode#244604, a configuration within an entry of its own name',
		JSON.stringify({ servers: { p: { mcpServers: { p: { command: 'uvx', args: ['p-mcp'] } } } } }),
		{ p: { command: 'uvx', args: ['p-mcp'] } },
	],
	[
		'DavidHDev/react-bits#385, braces around braces',
		'{\n  {\n  "mcpServers": { "r": { "command": "npx", "args": ["r-mcp"] } }\n}\n}',
		{ r: { command: 'npx', args: ['r-mcp'] } },
	],
];

test.each(rows)('%s', (_, text, servers) => {
	expect(pasted(text)).toMatchObject({ faults: [] });
	expect(pasted(text).servers).toEqual(servers);
	expect(inFile(text).servers).toEqual(servers);
});

test('a file of several MB is read: anthropics/claude-code#5024, ~/.claude.json grows with the history of its projects', () => {
	const history = Array.from({ length: 100 }, () => ({ display: 'x'.repeat(500), pastedContents: {} }));
	const projects = Object.fromEntries(
		Array.from({ length: 60 }, (_, i) => [
			`/home/ada/p${i}`,
			{ history, mcpServers: { [`s${i}`]: { command: 'x' } } },
		]),
	);
	const text = JSON.stringify({ numStartups: 3, projects, mcpServers: { all: { command: 'all-mcp' } } });
	expect(text.length).toBeGreaterThan(3_000_000);
	const { servers, faults } = inFile(text, 'Claude Code');
	expect(Object.keys(servers)).toEqual(['all', ...Object.keys(projects).map((_, i) => `s${i}`)]);
	expect(faults).toEqual([]);
});

test('of a file of several MB, a definition that is not used is named: anthropics/claude-code#5024, with names that occur twice', () => {
	const history = 'x'.repeat(1_100_000);
	const double = '{"a":{"command":"x"},"a":{"command":"y"},"b":{"command":"z"}}';
	const sentence = (name: string) =>
		`A definition of the server "${name}" is ignored: its name, or that of its section, occurs again later.`;
	expect(inFile(`{"history":"${history}","mcpServers":${double}}`)).toMatchObject({
		servers: { a: { command: 'y' }, b: { command: 'z' } },
		faults: [sentence('a')],
	});
	const sections = '"mcpServers":{"a":{"command":"x"}},"mcpServers":{"b":{"command":"y"}}';
	expect(inFile(`{"history":"${history}",${sections}}`)).toMatchObject({
		servers: { b: { command: 'y' } },
		faults: [sentence('a')],
	});
});

test('what is part of Goose is named, and not taken for a server: aaif-goose/goose: documentation/docs/guides/config-files.md', () => {
	const text =
		'extensions:\n  developer:\n    bundled: true\n    enabled: true\n    type: builtin\n  fs:\n    type: stdio\n    cmd: npx\n    args: ["-y", "fs"]\n';
	expect(pasted(text)).toMatchObject({
		servers: { fs: { command: 'npx', args: ['-y', 'fs'] } },
		faults: ['"developer" is part of its program, so it cannot be used here.'],
	});
});

test('a list of tools with patterns is no list of names: https://ampcode.com/manual', () => {
	const text =
		'{ "amp.mcpServers": { "web": { "command": "web-mcp", "includeTools": ["navigate_*", "click"] } } }';
	expect(pasted(text)).toMatchObject({
		servers: { web: { command: 'web-mcp' } },
		notes: ['"includeTools" is ignored: it is not a list of names.'],
	});
	expect(pasted(text).servers.web).not.toHaveProperty('enabled_tools');
});

test.each([
	[
		'OpenAPI: https://spec.openapis.org/oas/v3.1.0#server-object',
		'{ "openapi": "3.1.0", "servers": [ { "url": "https://api.example.com/v1" } ] }',
	],
	[
		'tasks of VS Code: https://code.visualstudio.com/docs/debugtest/tasks',
		'{ "version": "2.0.0", "tasks": [ { "label": "build", "command": "npm run build" } ] }',
	],
	[
		'Apollo MCP Server’s own settings, transport and all: apollographql/apollo-mcp-server',
		'transport:\n  type: streamable_http\n  address: 127.0.0.1\n  port: 8000\nendpoint: https://api.localhost/graphql\n',
	],
])('%s defines no server, and that is said', (_, text) => {
	expect(pasted(text)).toMatchObject({ servers: {} });
	expect(pasted(text).faults).toHaveLength(1);
	expect(inFile(text).faults).toEqual(pasted(text).faults);
});

test.each([
	[
		'https://code.claude.com/docs/en/mcp: a transport that is not known here',
		'{ "mcpServers": { "events": { "type": "ws", "url": "wss://m.example/socket" }, "notes": { "command": "notes-mcp" } } }',
		'The server "events" cannot be read: expected a URL that starts with http:// or https://, not wss:.',
	],
	[
		'a file of which only the beginning was copied',
		'{\n  "mcpServers": {\n    "notes": { "command": "notes-mcp" },\n    "events": { "command": "uvx", "args": ["b"',
		'The JSON cannot be read. Line 4: The file ends too early: expected a closing bracket ].',
	],
	[
		'zed-industries/zed: docs/src/assistant/context-servers.md, a server that an extension of Zed brings',
		'{ "context_servers": { "postgres-context-server": { "settings": { "database_url": "x" } }, "notes": { "command": { "path": "notes-mcp" } } } }',
		'The server "postgres-context-server" cannot be read: it has neither a "command" nor a "url".',
	],
])('what cannot be read is named beside what can: %s', (_, text, sentence) => {
	const { servers, faults } = pasted(text);
	expect(Object.values(servers)).toEqual([{ command: 'notes-mcp' }]);
	expect(faults).toEqual([sentence]);
	expect(inFile(text).faults).toEqual(faults);
});
