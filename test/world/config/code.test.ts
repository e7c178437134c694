import { expect, test } from 'vitest';
import { env, offered, pasted } from './servers.ts';

const notes = { notes: { command: 'npx', args: ['-y', 'acme-notes'] } };

/** Servers in the code of programs, as their documentation has it. What the code computes is asked for. */
test.each<[what: string, code: string, servers: object]>([
	[
		'a constant instead of the package',
		'const transport = new StdioClientTransport({ command: "npx", args: ["-y", PACKAGE_NAME], env: { TOKEN: process.env.GITHUB_TOKEN } });',
		{
			'package-name': {
				command: 'npx',
				args: ['-y', env('PACKAGE_NAME')],
				env: { TOKEN: env('GITHUB_TOKEN') },
			},
		},
	],
	[
		'the program itself, and a path',
		'this.transport = new StdioClientTransport({ command: process.execPath, args: [serverScriptPath] });',
		{ serverscriptpath: { command: 'node', args: [env('SERVER_SCRIPT_PATH')] } },
	],
	[
		'the parts of an entry in a call of Python',
		'server_params = StdioServerParameters(\n    command="npx",\n    args=["-y", "acme-notes"],\n    env={"API_KEY": os.environ["API_KEY"]},\n)',
		{ 'acme-notes': { ...notes.notes, env: { API_KEY: env('API_KEY') } } },
	],
	[
		'values that Python computes',
		'client = MultiServerMCPClient({\n  "notes": {"command": "python", "args": [str(path)], "env": {"KEY": os.getenv("NOTES_KEY")}, "transport": "stdio"},\n  "web": {"url": f"{BASE}/mcp", "transport": "streamable_http"},\n})',
		{
			notes: { command: 'python', args: [env('STR_PATH')], env: { KEY: env('NOTES_KEY') } },
			web: { url: `${env('BASE')}/mcp` },
		},
	],
	[
		'an address as an object, and a template',
		// biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the code.
		'const mcp = new MCPClient({ servers: { notes: { command: "npx", args: ["-y", "acme-notes"] }, web: { url: new URL("https://n.example/mcp"), requestInit: { headers: { Authorization: `Bearer ${process.env.TOKEN}` } } } } });',
		{
			...notes,
			web: { url: 'https://n.example/mcp', headers: { Authorization: `Bearer ${env('TOKEN')}` } },
		},
	],
	[
		'the servers of a request to OpenAI, in JavaScript',
		'const resp = await client.responses.create({\n  model: "gpt-5",\n  tools: [\n    {\n      type: "mcp",\n      server_label: "dice",\n      server_url: "https://dice.example/sse",\n      require_approval: "never",\n    },\n  ],\n  input: "Roll",\n});',
		{ dice: { url: 'https://dice.example/sse' } },
	],
	[
		'the same as JSON, with keys as in MetricsHub/m8b-slack#11',
		'{"model":"gpt-5","tools":[{"type":"mcp","server_label":"dice","server_url":"https://dice.example/sse"}],"input":"Roll"}',
		{ dice: { url: 'https://dice.example/sse' } },
	],
	[
		'a command that registers the server with a program, in a page of instructions',
		'const steps = [{ title: "Claude Code", cmd: "claude mcp add notes -- npx -y acme-notes" }];',
		notes,
	],
	['the same as YAML', 'cmd: "claude mcp add notes -- npx -y acme-notes"', notes],
	[
		'constants are no programs',
		"const SERVER_NAME = 'notes-mcp';\nexport const VERSION = '1.0.0';\nawait run(SERVER_NAME, '--stdio');\n",
		{},
	],
	['one line of code is no command', "const args = ['-y', 'acme-notes', '--stdio'];", {}],
])('%s', (_, code, servers) => {
	expect(offered(code).servers).toEqual(servers);
});

test('backslashes that JSON does not know are meant: GLips/Figma-Context-MCP#89, a path of Windows', () => {
	expect(
		pasted(
			'{"mcpServers":{"mysql":{"command":"uv","args":["--directory","C:\\\\Users\\samir\\\\Scripts","run","mysql_mcp"]}}}',
		).servers,
	).toEqual({
		mysql: { command: 'uv', args: ['--directory', 'C:\\Users\\samir\\Scripts', 'run', 'mysql_mcp'] },
	});
});

test.each([
	['npm start', 'npm start'],
	[
		'of a clone',
		'git clone https://github.com/acme/notes.git\ncd notes\nnpm install\nnpm run dev -- --stdio',
	],
	['of another language', 'cargo run'],
])('what runs a folder that is not known is no server, and that is said: %s', (_, text) => {
	expect(pasted(text)).toMatchObject({ servers: {}, faults: [expect.stringContaining('"cd"')] });
});

test('with its folder, it is one', () => {
	expect(pasted('cd /home/ada/notes && npm start').servers).toEqual({
		npm: { command: 'npm', args: ['start'], cwd: '/home/ada/notes' },
	});
});

test('a readme with a server does not offer its development as another one', () => {
	const readme = `## Development\n\`\`\`bash\nnpm start\n\`\`\`\n## Use\n\`\`\`json\n${JSON.stringify({ mcpServers: notes })}\n\`\`\`\n`;
	expect(pasted(readme)).toMatchObject({ servers: notes, faults: [] });
});

test.each([
	['docker container run --rm -e ACME_KEY acme/notes', 'docker', ['container', 'run', '-i']],
	['/usr/bin/docker run -it --rm -e ACME_KEY acme/notes', '/usr/bin/docker', ['run', '-i']],
])('a container, however it is started: %s', (line, command, begin) => {
	const { servers } = pasted(line);
	expect(servers).toMatchObject({ notes: { command, env: { ACME_KEY: env('ACME_KEY') } } });
	expect(Object.values(servers)).toEqual([
		expect.objectContaining({ args: [...begin, '--rm', '-e', 'ACME_KEY', 'acme/notes'] }),
	]);
});
