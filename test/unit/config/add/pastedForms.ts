import { githubToken } from '../import/fixtures.ts';

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');
const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
const time =
	'{\n  "mcpServers": {\n    "time": {\n      "command": "uvx",\n      "args": ["mcp-server-time"]\n    }\n  }\n}';
const keyed = `{"command":"acme","env":{"K":"\${input:key}"}}`;
const playwright = '{"name":"playwright","command":"npx","args":["@playwright/mcp@latest"]}';
const link = `mcp/install?${encodeURIComponent(playwright)}`;
const started = 'playwright: npx @playwright/mcp@latest';

/** As found in the documentation of servers and of the programs that use them. */
export const forms: readonly (readonly [form: string, text: string, ...servers: string[]])[] = [
	// Lines of a terminal.
	[
		'npx',
		'npx -y @modelcontextprotocol/server-everything',
		'everything: npx -y @modelcontextprotocol/server-everything',
	],
	[
		'a prompt before it',
		'$ npx -y @playwright/mcp@latest --headless',
		'playwright: npx -y @playwright/mcp@latest --headless',
	],
	['backticks around it', '`npx -y @upstash/context7-mcp`', 'context7: npx -y @upstash/context7-mcp'],
	[
		'folders of somebody else’s machine',
		'npx -y @modelcontextprotocol/server-filesystem /Users/username/Desktop /path/to/other/allowed/dir',
		`filesystem: npx -y @modelcontextprotocol/server-filesystem \${workspaceFolder}; asks FOLDER=\${workspaceFolder} FOLDER_2?`,
	],
	[
		'a variable with its key before it',
		`GITHUB_TOKEN=${githubToken} npx -y acme-mcp`,
		`acme: npx -y acme-mcp {"GITHUB_TOKEN":"\${env:GITHUB_TOKEN}"}; keeps GITHUB_TOKEN`,
	],
	[
		'a variable of the shell',
		'GITHUB_TOKEN=$GITHUB_TOKEN npx -y acme-mcp --root "$HOME/notes"',
		`acme: npx -y acme-mcp --root \${userHome}/notes {"GITHUB_TOKEN":"\${env:GITHUB_TOKEN}"}; asks GITHUB_TOKEN*; keeps GITHUB_TOKEN`,
	],
	['export before it', 'export LEVEL=debug\nnpx -y acme-mcp', 'acme: npx -y acme-mcp {"LEVEL":"debug"}'],
	[
		'env before it',
		'env A=1 B=2 ./bin/acme-mcp --port 80',
		'acme: ./bin/acme-mcp --port 80 {"A":"1","B":"2"}',
	],
	['cmd', 'set LEVEL=debug && npx -y acme-mcp', 'acme: npx -y acme-mcp {"LEVEL":"debug"}'],
	[
		'cmd /c and a drive',
		'cmd /c npx -y acme-mcp D:\\data\\in --x "C:\\Program Files\\y"',
		'acme: npx -y acme-mcp D:\\data\\in --x "C:\\\\Program Files\\\\y"',
	],
	[
		'variables of cmd',
		'npx -y acme-mcp --key %ACME_KEY%',
		`acme: npx -y acme-mcp --key \${env:ACME_KEY}; asks ACME_KEY*; keeps ACME_KEY`,
	],
	['PowerShell', '$env:ACME_LEVEL="debug"; npx -y acme-mcp', 'acme: npx -y acme-mcp {"ACME_LEVEL":"debug"}'],
	[
		'lines that go on',
		'npx \\\n  -y acme-mcp \\\n  --flag "two words"',
		'acme: npx -y acme-mcp --flag "two words"',
	],
	[
		'quotes within quotes',
		`npx -y acme-mcp --config '{"a": "b"}'`,
		'acme: npx -y acme-mcp --config "{\\"a\\": \\"b\\"}"',
	],
	['a comment behind it', 'npx -y acme-mcp # the server', 'acme: npx -y acme-mcp'],
	['uvx', 'uvx mcp-server-git --repository .', 'git: uvx mcp-server-git --repository .'],
	[
		'uvx of an address with a sign of comments',
		'uvx --from git+https://github.com/oraios/serena#subdirectory=x serena start-mcp-server',
		'serena: uvx --from git+https://github.com/oraios/serena#subdirectory=x serena start-mcp-server',
	],
	[
		'uv in a folder',
		'uv --directory /ABSOLUTE/PATH/TO/PARENT/FOLDER/weather run weather.py',
		'weather: uv --directory given run weather.py; asks FOLDER',
	],
	[
		'a module of Python',
		'python -m mcp_server_time --local-timezone=Europe/Berlin',
		'time: python -m mcp_server_time --local-timezone=Europe/Berlin',
	],
	['a program of Node in a folder', 'node /path/to/weather', 'weather: node given; asks FOLDER'],
	[
		'a script, and the folder that it works in',
		'node /path/to/weather/index.js /path/to/data',
		`weather: node given \${workspaceFolder}; asks FILE FOLDER=\${workspaceFolder}`,
	],
	[
		'a module of Python, and the folder that it works in',
		'python -m mcp_server_notes --root /path/to/notes',
		`notes: python -m mcp_server_notes --root \${workspaceFolder}; asks FOLDER=\${workspaceFolder}`,
	],
	[
		'a program with its folder',
		'{"mcpServers":{"acme":{"command":"npm","args":["start"],"cwd":"/path/to/acme","env":{"PYTHONPATH":"/path/to/lib","ROOT":"/path/to/data"}}}}',
		`acme: npm start {"PYTHONPATH":"given","ROOT":"\${workspaceFolder}"}; asks PYTHONPATH ROOT=\${workspaceFolder} PATH`,
	],
	['a script of Node', 'node /path/to/weather/build/index.js', 'weather: node given; asks FILE'],
	['a script that is here', 'node build/index.js --stdio', 'server: node build/index.js --stdio'],
	[
		'docker with what it takes from the shell',
		'docker run -it --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server',
		`github: docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server {"GITHUB_PERSONAL_ACCESS_TOKEN":"\${env:GITHUB_PERSONAL_ACCESS_TOKEN}"}; asks GITHUB_PERSONAL_ACCESS_TOKEN*; keeps GITHUB_PERSONAL_ACCESS_TOKEN`,
	],
	[
		'docker with what it takes from the shell, joined to its option',
		'docker run -i --rm --env=BRAVE_API_KEY -eBRAVE_TEAM mcp/brave-search',
		`brave-search: docker run -i --rm --env=BRAVE_API_KEY -eBRAVE_TEAM mcp/brave-search {"BRAVE_API_KEY":"\${env:BRAVE_API_KEY}","BRAVE_TEAM":"\${env:BRAVE_TEAM}"}; asks BRAVE_API_KEY* BRAVE_TEAM; keeps BRAVE_API_KEY BRAVE_TEAM`,
	],
	[
		'docker without its input, with a key',
		`docker run --rm -v $(pwd):/work -e ACME_KEY=${githubToken} mcp/fetch`,
		`fetch: docker run -i --rm -v \${workspaceFolder}:/work -e ACME_KEY=\${env:ACME_KEY} mcp/fetch; keeps ACME_KEY`,
	],
	['pnpm', 'pnpm dlx @acme/mcp-server-files', 'files: pnpm dlx @acme/mcp-server-files'],
	['bunx', 'bunx -y acme-mcp', 'acme: bunx -y acme-mcp'],
	['deno', 'deno run -A jsr:@acme/notes-mcp', 'notes: deno run -A jsr:@acme/notes-mcp'],
	['go', 'go run github.com/acme/weather-mcp@latest', 'weather: go run github.com/acme/weather-mcp@latest'],
	[
		'mcp-remote',
		`npx mcp-remote https://mcp.linear.app/sse --header "Authorization: Bearer \${AUTH_TOKEN}"`,
		`linear: https://mcp.linear.app/sse {"Authorization":"Bearer \${env:AUTH_TOKEN}"} "sse"; asks AUTH_TOKEN*; keeps AUTH_TOKEN`,
	],
	// What tells other programs of a server: https://code.claude.com/docs/en/mcp and their like.
	[
		'claude mcp add of an address',
		'claude mcp add --transport http sentry https://mcp.sentry.dev/mcp --header "Authorization: Bearer YOUR_TOKEN"',
		`sentry: https://mcp.sentry.dev/mcp {"Authorization":"Bearer \${env:SENTRY_AUTHORIZATION}"}; asks SENTRY_AUTHORIZATION*; keeps SENTRY_AUTHORIZATION`,
	],
	[
		'claude mcp add over SSE',
		'claude mcp add -t sse asana https://mcp.asana.com/sse',
		'asana: https://mcp.asana.com/sse "sse"',
	],
	[
		'claude mcp add of a command',
		'claude mcp add airtable --env AIRTABLE_API_KEY=YOUR_KEY -- npx -y airtable-mcp-server',
		`airtable: npx -y airtable-mcp-server {"AIRTABLE_API_KEY":"\${env:AIRTABLE_API_KEY}"}; asks AIRTABLE_API_KEY*; keeps AIRTABLE_API_KEY`,
	],
	[
		'claude mcp add without dashes',
		'claude mcp add -s user thinking npx -y @acme/thinking -e X',
		'thinking: npx -y @acme/thinking -e X',
	],
	[
		'claude mcp add with a place in angle brackets',
		'claude mcp add acme -e ACME_KEY=<your-key> -- npx -y acme-mcp ~/notes',
		`acme: npx -y acme-mcp \${userHome}/notes {"ACME_KEY":"\${env:ACME_KEY}"}; asks ACME_KEY*; keeps ACME_KEY`,
	],
	[
		'claude mcp add-json',
		`claude mcp add-json acme '{"type":"http","url":"https://api.example.com/mcp","headers":{"X-Region":"eu"}}' --scope user`,
		'acme: https://api.example.com/mcp {"X-Region":"eu"}',
	],
	[
		'codex mcp add',
		'codex mcp add context7 -- npx -y @upstash/context7-mcp',
		'context7: npx -y @upstash/context7-mcp',
	],
	[
		'gemini mcp add',
		'gemini mcp add -t http acme https://api.example.com/mcp/',
		'acme: https://api.example.com/mcp/',
	],
	['code --add-mcp', `code --add-mcp '${playwright}'`, started],
	['code --add-mcp of cmd', `code --add-mcp "${playwright.replaceAll('"', '\\"')}"`, started],
	// Links: https://code.visualstudio.com/docs/copilot/guides/mcp-developer-guide, https://cursor.com/docs/mcp/install-links.
	['a link of VS Code', `vscode:${link}`, started],
	['a link of VS Code Insiders', `vscode-insiders:${link}`, started],
	[
		'a link that leads to VS Code',
		`https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:${link}`)}`,
		started,
	],
	[
		'a badge with inputs',
		`[![Install](https://img.shields.io/x)](https://insiders.vscode.dev/redirect/mcp/install?name=acme&inputs=${encodeURIComponent('[{"id":"key","password":true}]')}&config=${encodeURIComponent(keyed)})`,
		`acme: acme {"K":"\${env:KEY}"}; asks key*; keeps KEY`,
	],
	[
		'a link of Cursor',
		`cursor://anysphere.cursor-deeplink/mcp/install?name=postgres&config=${base64({ command: 'npx', args: ['-y', '@acme/postgres', 'postgresql://localhost/mydb'] })}`,
		'postgres: npx -y @acme/postgres postgresql://localhost/mydb',
	],
	[
		'a button of Cursor, with a whole line as command',
		`[![Add](https://cursor.com/x.svg)](https://cursor.com/en/install-mcp?name=playwright&config=${base64({ command: 'npx @playwright/mcp@latest' })})`,
		started,
	],
	[
		'a link of LM Studio',
		`lmstudio://add_mcp?name=acme&config=${base64({ acme: { command: 'acme' } })}`,
		'acme: acme',
	],
	// JSON.
	['a fenced block', `### Usage\n\n${fenced('json', time)}\n`, 'time: uvx mcp-server-time'],
	[
		'the same for two programs',
		`${fenced('json', time)}\n\nFor VS Code:\n\n${fenced('json', time.replace('mcpServers', 'servers'))}`,
		'time: uvx mcp-server-time',
	],
	['lines that were joined', time.replaceAll('\n', ''), 'time: uvx mcp-server-time'],
	[
		'comments and a trailing comma',
		'{ // mine\n "memory": { "command": "npx", "args": ["-y", "m"], },\n}',
		'memory: npx -y m',
	],
	[
		'without its braces',
		'"github": { "command": "npx", "args": ["-y", "x"], "env": { "GITHUB_TOKEN": "" } },',
		`github: npx -y x {"GITHUB_TOKEN":"\${env:GITHUB_TOKEN}"}; asks GITHUB_TOKEN*; keeps GITHUB_TOKEN`,
	],
	[
		'typographic quotation marks',
		'“mcpServers”: { “fetch”: { “command”: “uvx”, “args”: [“mcp-server-fetch”] } }',
		'fetch: uvx mcp-server-fetch',
	],
	['words around it', `Put this into your file: ${time} and restart.`, 'time: uvx mcp-server-time'],
	[
		'one bare entry',
		'{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"]}',
		'memory: npx -y @modelcontextprotocol/server-memory',
	],
	[
		'one bare address',
		'{"url":"https://mcp.deepwiki.com/sse"}',
		'deepwiki: https://mcp.deepwiki.com/sse "sse"',
	],
	[
		'settings.json of VS Code',
		`{"mcp":{"inputs":[{"type":"promptString","id":"github_token","password":true}],"servers":{"github":{"command":"docker","args":["run","-i","-e","T","x/y"],"env":{"T":"\${input:github_token}"}}}}}`,
		`github: docker run -i -e T x/y {"T":"\${env:GITHUB_TOKEN}"}; asks github_token*; keeps GITHUB_TOKEN`,
	],
	[
		'Zed',
		'{"context_servers":{"acme":{"command":{"path":"node","args":["a.js"],"env":{"A":"b"}}}}}',
		'acme: node a.js {"A":"b"}',
	],
	[
		'OpenCode',
		'{"mcp":{"jira":{"type":"local","command":["npx","-y","jira-mcp"],"environment":{"SITE":"https://your-domain.example.com"}}}}',
		'jira: npx -y jira-mcp {"SITE":"https://given.example.com"}; asks SITE',
	],
	[
		'Gemini',
		'{"mcpServers":{"linear":{"httpUrl":"https://mcp.linear.app/mcp"}}}',
		'linear: https://mcp.linear.app/mcp',
	],
	[
		'Claude Code’s variables',
		`{"mcpServers":{"db":{"command":"db","args":["\${SET}","\${LEVEL:-info}"]}}}`,
		`db: db \${env:SET} info`,
	],
	[
		'two servers',
		'{"servers":{"a":{"command":"a"},"b":{"url":"https://b.example.com/mcp"}}}',
		'a: a',
		'b: https://b.example.com/mcp',
	],
	[
		'a mount of somebody else’s folder',
		'{"servers":{"git":{"command":"docker","args":["run","--rm","-i","--mount","type=bind,src=/Users/username,dst=/Users/username","mcp/git"]}}}',
		`git: docker run --rm -i --mount type=bind,src=\${workspaceFolder},dst=\${workspaceFolder} mcp/git; asks FOLDER=\${workspaceFolder}`,
	],
	// Addresses.
	['an address', 'https://mcp.notion.com/mcp', 'notion: https://mcp.notion.com/mcp'],
	['an address of this machine', 'http://localhost:3000/mcp', 'local-3000: http://localhost:3000/mcp'],
	[
		'an address with a key',
		'https://api.example.co.uk/mcp?token=abc123def456ghi',
		`example: https://api.example.co.uk/mcp?token=\${env:EXAMPLE_TOKEN}; keeps EXAMPLE_TOKEN`,
	],
	[
		'an address with a password',
		'https://ada:pw-4711@h.example.com/mcp',
		`example: https://h.example.com/mcp {"Authorization":"Basic \${env:EXAMPLE_AUTHORIZATION}"}; keeps EXAMPLE_AUTHORIZATION`,
	],
	['the page of a package', 'https://www.npmjs.com/package/@acme/notes-mcp', 'notes: npx -y @acme/notes-mcp'],
	['the page of a project', 'https://pypi.org/project/mcp-server-git/', 'git: uvx mcp-server-git'],
	['a package with its scope', '@playwright/mcp@latest', 'playwright: npx -y @playwright/mcp@latest'],
	[
		'an image with its host',
		'ghcr.io/github/github-mcp-server',
		'github: docker run -i --rm ghcr.io/github/github-mcp-server',
	],
	// Whole readmes.
	[
		'installed and then started',
		`1. Install:\n\n${fenced('bash', 'npm install -g acme-mcp')}\n\n2. Start:\n\n${fenced('bash', 'acme-mcp --stdio')}\n`,
		'acme: acme-mcp --stdio',
	],
	[
		'prose around a line',
		'Run it with npx:\n\nnpx -y acme-mcp --verbose\n\nDocker is needed for the other way.',
		'acme: npx -y acme-mcp --verbose',
	],
];
