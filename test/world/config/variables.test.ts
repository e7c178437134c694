import { expect, test } from 'vitest';
import type { Product } from '../../../src/config/import/importSources.ts';
import { env, inFile, offered, pasted } from './servers.ts';

const v = (name: string) => `\${${name}}`;
const entry = (value: object) => JSON.stringify({ mcpServers: { s: value } });

/** How programs refer to values that are elsewhere. Without a program: a text that somebody pasted, or a file that somebody chose. */
const rows: readonly (readonly [
	source: string,
	program: Product | undefined,
	text: string,
	server: object,
])[] = [
	[
		'https://docs.open-metadata.org, MCP with Claude Desktop: the started program expands what the entry’s own "env" sets',
		undefined,
		entry({
			command: 'npx',
			args: ['-y', 'mcp-remote', 'https://m.example/mcp', '--header', `Authorization:${v('AUTH_HEADER')}`],
			env: { AUTH_HEADER: 'Bearer <YOUR-PAT>' },
		}),
		{
			command: 'npx',
			args: ['-y', 'mcp-remote', 'https://m.example/mcp', '--header', `Authorization:${v('AUTH_HEADER')}`],
			env: { AUTH_HEADER: 'Bearer <YOUR-PAT>' },
		},
	],
	[
		'geelen/mcp-remote: README.md, the same in Claude Code’s file',
		'Claude Code',
		entry({
			command: 'npx',
			args: ['mcp-remote@latest', '--header', `X:${v('H')}`, '--x', v('OTHER')],
			env: { H: 'a b' },
		}),
		{
			command: 'npx',
			args: ['mcp-remote@latest', '--header', `X:${v('H')}`, '--x', env('OTHER')],
			env: { H: 'a b' },
		},
	],
	[
		'itstanner5216/multi-mcp: msc/README.md, a variable that is only passed on',
		undefined,
		entry({ command: 'npx', args: ['--token', v('GITHUB_TOKEN')], env: { GITHUB_TOKEN: v('GITHUB_TOKEN') } }),
		{ command: 'npx', args: ['--token', env('GITHUB_TOKEN')], env: { GITHUB_TOKEN: env('GITHUB_TOKEN') } },
	],
	[
		'anomalyco/opencode#2978',
		undefined,
		JSON.stringify({
			mcp: {
				s: {
					type: 'local',
					command: ['npx', '-y', '@upstash/context7-mcp', '--api-key', '{env:CONTEXT7_API_KEY}'],
					enabled: true,
				},
			},
		}),
		{ command: 'npx', args: ['-y', '@upstash/context7-mcp', '--api-key', env('CONTEXT7_API_KEY')] },
	],
	[
		'https://opencode.ai/v2/docs/mcp-servers, in a header of the second shape',
		'opencode',
		JSON.stringify({
			mcp: {
				servers: {
					s: {
						type: 'remote',
						url: 'https://c.example/mcp',
						oauth: false,
						headers: { 'X-Key': '{env:CONTEXT7_API_KEY}' },
					},
				},
			},
		}),
		{ url: 'https://c.example/mcp', headers: { 'X-Key': env('CONTEXT7_API_KEY') } },
	],
	[
		'https://opencode.ai/docs/config: a file’s content is named, and no secret',
		'opencode',
		JSON.stringify({
			mcp: {
				s: {
					type: 'remote',
					url: 'https://c.example/mcp',
					headers: { Authorization: 'Bearer {file:~/.secrets/c7}' },
				},
			},
		}),
		{ url: 'https://c.example/mcp', headers: { Authorization: 'Bearer {file:~/.secrets/c7}' } },
	],
	[
		'https://docs.windsurf.com/windsurf/cascade/mcp: the same in Windsurf’s words',
		'Windsurf',
		entry({
			serverUrl: 'https://c.example/mcp',
			headers: { 'X-Key': v('file:/run/key'), 'X-Env': env('KEY') },
		}),
		{ url: 'https://c.example/mcp', headers: { 'X-Key': v('file:/run/key'), 'X-Env': env('KEY') } },
	],
	[
		'https://geminicli.com/docs/tools/mcp-server: with and without braces',
		'Gemini CLI',
		entry({
			command: 'x',
			env: { API_TOKEN: '$MY_TOKEN', OTHER: v('OTHER_TOKEN') },
			args: ['--root', '$PROJECT/src'],
		}),
		{
			command: 'x',
			args: ['--root', `${env('PROJECT')}/src`],
			env: { API_TOKEN: env('MY_TOKEN'), OTHER: env('OTHER_TOKEN') },
		},
	],
	[
		'google-gemini/gemini-cli: docs/tools/mcp-server.md, as on Windows',
		'Gemini CLI',
		entry({ command: 'x', env: { API_TOKEN: '%MY_TOKEN%' } }),
		{ command: 'x', env: { API_TOKEN: env('MY_TOKEN') } },
	],
	[
		'Chemaclass/agnostic-ai#84: $NAME behind a scheme',
		undefined,
		entry({ url: 'https://l.example/mcp', headers: { Authorization: 'Bearer $TOKEN' } }),
		{ url: 'https://l.example/mcp', headers: { Authorization: `Bearer ${env('TOKEN')}` } },
	],
	[
		'a shell expands its own variables: griffithsbs/envmcp: README.md',
		undefined,
		entry({ command: 'sh', args: ['-c', 'exec my-server "$DATABASE_URL"'] }),
		{ command: 'sh', args: ['-c', 'exec my-server "$DATABASE_URL"'] },
	],
	[
		'https://docs.continue.dev/reference: secrets of Continue',
		undefined,
		`mcpServers:\n  - name: s\n    command: uvx\n    args: [x]\n    env:\n      API_KEY: ${v('{ secrets.ACME_KEY }')}\n`,
		{ command: 'uvx', args: ['x'], env: { API_KEY: env('ACME_KEY') } },
	],
	[
		'https://code.claude.com/docs/en/mcp: a default',
		'Claude Code',
		entry({
			type: 'http',
			url: `${v('API_BASE_URL:-https://api.example.com')}/mcp`,
			headers: { 'X-A': v('NO_DEFAULT') },
		}),
		{ url: 'https://api.example.com/mcp', headers: { 'X-A': env('NO_DEFAULT') } },
	],
	[
		'langchain-ai/deepagents#4681: defaults in arguments and in the environment',
		undefined,
		entry({ command: 'x', args: ['--port', v('PORT:-8080')], env: { HOST: v('HOST:-localhost') } }),
		{ command: 'x', args: ['--port', '8080'], env: { HOST: 'localhost' } },
	],
	[
		'https://cursor.com/docs/context/mcp: a program that expands nothing else',
		'Cursor',
		entry({ command: 'x', args: [v('HOME'), env('A'), `${v('userHome')}${v('pathSeparator')}x`] }),
		{ command: 'x', args: [v('HOME'), env('A'), `${v('userHome')}/x`] },
	],
	[
		'https://code.claude.com/docs/en/mcp: headersHelper is named',
		'Claude Code',
		entry({ type: 'http', url: 'https://k.example/mcp', headersHelper: '/opt/headers.sh' }),
		{ url: 'https://k.example/mcp' },
	],
	[
		'charmbracelet/crush: README.md, the output of a command is no secret',
		'Crush',
		JSON.stringify({
			mcp: {
				s: {
					type: 'http',
					url: 'https://k.example/mcp',
					headers: { Authorization: '$(echo Bearer x)', 'X-Key': '$KEY' },
				},
			},
		}),
		{ url: 'https://k.example/mcp', headers: { Authorization: '$(echo Bearer x)', 'X-Key': env('KEY') } },
	],
	[
		'anthropics/claude-code#25563, a default that has a variable',
		undefined,
		entry({
			command: 'm',
			args: ['-v', `$\{UNSET_DIRECTORY:-${v('HOME')}/.tools}:/root/.tools:ro`, `$\{HOME:-${v('B')}}`],
		}),
		{ command: 'm', args: ['-v', `${env('HOME')}/.tools:/root/.tools:ro`, env('HOME')] },
	],
	[
		'https://developer.1password.com/docs/cli/secret-references',
		undefined,
		entry({ command: 'op', args: ['run', '--', 'x'], env: { API_KEY: 'op://vault/item/key' } }),
		{ command: 'op', args: ['run', '--', 'x'], env: { API_KEY: 'op://vault/item/key' } },
	],
];

test.each(rows)('%s', (_, program, text, server) => {
	const found = program === undefined ? pasted(text) : inFile(text, program);
	expect(found).toMatchObject({ servers: { s: server }, secrets: [], faults: [] });
	expect(found.servers.s).toEqual(server);
	if (program === undefined) expect(inFile(text)).toEqual(found);
});

test.each([
	[
		'{file:~/.secrets/c7}',
		'opencode',
		{ url: 'https://c.example/mcp', headers: { A: '{file:~/.secrets/c7}' } },
	],
	[v('file:/run/key'), 'Windsurf', { url: 'https://c.example/mcp', headers: { A: v('file:/run/key') } }],
	['$(npm prefix -g)', 'Cursor', { command: '$(npm prefix -g)/bin/x' }],
	[v('HOME'), 'Cursor', { command: 'x', args: [v('HOME')] }],
	['$TOKEN', 'Cursor', { command: 'x', env: { TOKEN_OF: '$TOKEN' } }],
	[v('command:pick'), 'VS Code', { command: 'x', args: [v('command:pick')] }],
	['$(pass show x)', 'Crush', { command: 'x', env: { API_KEY: '$(pass show x)' } }],
] as const)('a reference that nobody expands here is named: %s', (written, program, value) => {
	expect(inFile(entry(value), program).notes).toContain(
		`The variable "${written}" is unknown here, so it was left unchanged.`,
	);
});

test.each([
	[
		'github/docs: content/copilot/reference/custom-agents-configuration.md, a secret of an agent',
		`---\nname: a\nmcp-servers:\n  s:\n    type: local\n    command: some-command\n    tools: ["*"]\n    env:\n      API_KEY: ${v('{ secrets.COPILOT_MCP_API_KEY }')}\n---\n\nPrompt\n`,
		{ command: 'some-command', env: { API_KEY: env('COPILOT_MCP_API_KEY') } },
	],
	[
		'github/docs: the same file, a variable of an agent',
		`---\nmcp-servers:\n  s:\n    command: some-command\n    env:\n      LEVEL: ${v('{ vars.COPILOT_MCP_LEVEL }')}\n---\n`,
		{ command: 'some-command', env: { LEVEL: env('COPILOT_MCP_LEVEL') } },
	],
	[
		'https://opencode.ai/docs/mcp-servers: a variable whose name begins like a placeholder',
		'{ "mcp": { "s": { "type": "remote", "url": "https://m.example/mcp", "oauth": { "clientId": "{env:MY_MCP_CLIENT_ID}" } } } }',
		{ url: 'https://m.example/mcp', oauth: { client_id: env('MY_MCP_CLIENT_ID') } },
	],
	[
		'continuedev/continue: docs/reference.mdx, a secret behind a scheme',
		`mcpServers:\n  - name: s\n    type: sse\n    url: https://m.example/sse\n    requestOptions:\n      headers:\n        Authorization: "Bearer ${v('{ secrets.MY_TOKEN }')}"\n`,
		{
			url: 'https://m.example/sse',
			transport: 'sse',
			headers: { Authorization: `Bearer ${env('MY_TOKEN')}` },
		},
	],
])('a reference is no placeholder: %s', (_, text, server) => {
	expect(offered(text)).toMatchObject({ secrets: [], faults: [] });
	expect(offered(text).servers.s).toEqual(server);
});
