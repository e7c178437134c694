import { expect, test } from 'vitest';
import { env, inFile, pasted } from './servers.ts';

const entry = (...args: readonly string[]) =>
	JSON.stringify({ mcpServers: { s: { command: 'npx', args, env: {} } } });
const v = (name: string) => `\${${name}}`;

/** Ways to run `mcp-remote`, which are the remote server itself. */
const rows: readonly (readonly [source: string, text: string, server: object])[] = [
	[
		'geelen/mcp-remote: README.md',
		entry('mcp-remote', 'https://hosted.example'),
		{ url: 'https://hosted.example' },
	],
	[
		'geelen/mcp-remote: README.md, the newest version with a port and a host',
		entry('-y', 'mcp-remote@latest', 'https://r.example/mcp', '9696', '--host', '127.0.0.1', '--debug'),
		{ url: 'https://r.example/mcp' },
	],
	[
		'geelen/mcp-remote: README.md, in a private network',
		entry('mcp-remote', 'http://internal-service.vpc/sse', '--allow-http'),
		{ url: 'http://internal-service.vpc/sse', transport: 'sse' },
	],
	[
		'geelen/mcp-remote: README.md, a strategy',
		'npx mcp-remote https://r.example/server --transport sse-only',
		{ url: 'https://r.example/server', transport: 'sse' },
	],
	[
		'PromptExecution/cratedocs-mcp: justfile, with bun',
		'bunx mcp-remote@latest "http://127.0.0.1:3000/sse" --allow-http --transport sse-only --debug',
		{ url: 'http://127.0.0.1:3000/sse', transport: 'sse' },
	],
	[
		'geelen/mcp-remote: README.md, tools that are left out',
		entry('mcp-remote', 'https://r.example/mcp', '--ignore-tool', 'drop', '--silent'),
		{ url: 'https://r.example/mcp', tools: { drop: { disabled: true } } },
	],
	[
		'punkpeye/mcp-remote#18, a variable of the environment',
		entry('mcp-remote', 'https://r.example/mcp', '--header', `Authorization: Bearer ${v('AUTH_TOKEN')}`),
		{ url: 'https://r.example/mcp', headers: { Authorization: `Bearer ${env('AUTH_TOKEN')}` } },
	],
	[
		'geelen/mcp-remote: src/lib/utils.ts, headers may come before the URL',
		entry('mcp-remote', '--header', 'X-Team: acme', 'https://r.example/mcp', '--header', 'api_key:none'),
		{ url: 'https://r.example/mcp', headers: { 'X-Team': 'acme', api_key: 'none' } },
	],
	[
		'elastic/docs-content#7104, a client that is registered',
		'npx -y mcp-remote https://r.example/mcp 8765 --static-oauth-client-info \'{"client_id":"acme"}\'',
		{ url: 'https://r.example/mcp', oauth: { client_id: 'acme', redirect_port: 8765 } },
	],
	[
		'evoila/meho#3138, a version, a client and its scopes',
		`npx -y mcp-remote@0.1.38 https://r.example/mcp --static-oauth-client-info '{"client_id":"acme"}' --static-oauth-client-metadata '{"scope":"mcp:read mcp:execute"}'`,
		{ url: 'https://r.example/mcp', oauth: { client_id: 'acme', scopes: ['mcp:read', 'mcp:execute'] } },
	],
	[
		'apollographql/apollo-mcp-server#275',
		entry('mcp-remote', 'http://127.0.0.1:5000/mcp', '--transport', 'http-first'),
		{ url: 'http://127.0.0.1:5000/mcp' },
	],
	[
		'geelen/mcp-remote: README.md, scopes',
		`npx mcp-remote https://r.example/server --static-oauth-client-metadata '{ "scope": "read write" }'`,
		{ url: 'https://r.example/server', oauth: { scopes: ['read', 'write'] } },
	],
	[
		'https://aliyun.github.io/iac-code/es/docs/mcp/quick-start',
		'iac-code mcp add yuque-remote --scope user -- npx mcp-remote https://r.example/mcp',
		{ url: 'https://r.example/mcp' },
	],
	[
		'openai/codex#3696, in TOML',
		'[mcp_servers.server-name]\ncommand = "npx"\nargs = ["-y", "mcp-remote", "http://localhost:3000/sse", "--allow-http"]\n',
		{ url: 'http://localhost:3000/sse', transport: 'sse' },
	],
	[
		'robert7/remnote-mcp-server#7, on Windows',
		'{ "mcpServers": { "s": { "command": "cmd", "args": ["/c", "npx", "-y", "mcp-remote", "https://r.example/mcp", "--transport", "http-only"] } } }',
		{ url: 'https://r.example/mcp' },
	],
	[
		'supercorp-ai/supergateway: README.md, in Claude Desktop',
		entry('-y', 'supergateway', '--sse', 'https://r.example'),
		{ url: 'https://r.example', transport: 'sse' },
	],
	[
		'supercorp-ai/supergateway: README.md, with a header',
		'npx -y supergateway \\\n    --streamableHttp "https://r.example/mcp" \\\n    --header "X-My-Header: another-header-value"',
		{ url: 'https://r.example/mcp', headers: { 'X-My-Header': 'another-header-value' } },
	],
	[
		'supercorp-ai/supergateway: README.md, a process that it would offer over HTTP',
		'npx -y supergateway \\\n    --stdio "npx -y @modelcontextprotocol/server-filesystem ./my-folder" \\\n    --port 8000 --baseUrl http://localhost:8000 \\\n    --ssePath /sse --messagePath /message',
		{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', './my-folder'] },
	],
];

test.each(rows)('%s', (_, text, server) => {
	for (const { servers, faults, notes } of [pasted(text), inFile(text), inFile(text, 'Cursor')]) {
		expect(faults).toEqual([]);
		expect(Object.values(servers)).toEqual([server]);
		expect(notes.join()).toMatch(
			/"(mcp-remote|supergateway)" is not needed: the server is reached directly\./,
		);
	}
});

test.each([
	[
		'an environment of its own',
		['mcp-remote', 'https://r.example/mcp'],
		{ HTTPS_PROXY: 'http://127.0.0.1:3128' },
	],
	['a pattern of tools', ['mcp-remote', 'https://r.example/mcp', '--ignore-tool', 'delete*'], {}],
	[
		'a file with its client',
		['mcp-remote', 'https://r.example/mcp', '--static-oauth-client-info', '@/home/ada/c.json'],
		{},
	],
	[
		'an option that it does not have',
		['mcp-remote', 'https://r.example/mcp', '--header-file', 'headers'],
		{},
	],
	['no URL', ['mcp-remote', '--help'], {}],
])('a bridge with %s stays a process: geelen/mcp-remote: README.md', (_, args, variables) => {
	const { servers } = inFile(JSON.stringify({ mcpServers: { s: { command: 'npx', args, env: variables } } }));
	expect(servers.s).toMatchObject({ command: 'npx', args });
});
