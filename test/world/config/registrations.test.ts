import { expect, test } from 'vitest';
import { env, inFile, offered, pasted } from './servers.ts';

const fleet = { fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } };
const remote = { notes: { url: 'https://n.example/mcp' } };

/** Commands that register a server with a program. */
const rows: readonly (readonly [source: string, line: string, servers: object])[] = [
	[
		'lion-zhang/fleet: docs/guides/agents.md, OpenCode',
		'opencode mcp add fleet -- uvx agents-fleet mcp',
		fleet,
	],
	['lion-zhang/fleet: Qwen Code', 'qwen mcp add fleet uvx agents-fleet mcp', fleet],
	['lion-zhang/fleet: Factory Droid', 'droid mcp add fleet "uvx agents-fleet mcp"', fleet],
	[
		'lion-zhang/fleet: Mistral Vibe',
		'vibe mcp add fleet --transport stdio --command uvx --arg agents-fleet --arg mcp',
		fleet,
	],
	['lion-zhang/fleet: Devin', 'devin mcp add fleet -s user -- uvx agents-fleet mcp', fleet],
	[
		'lion-zhang/fleet: Jan',
		'jan cli mcp add fleet --command uvx --arg agents-fleet --arg mcp --active',
		fleet,
	],
	[
		'lion-zhang/fleet: VS Code',
		`code --add-mcp '{"name":"fleet","command":"uvx","args":["agents-fleet","mcp"]}'`,
		fleet,
	],
	[
		'MrLesk/Backlog.md: README.md, Kiro with commas',
		'kiro-cli mcp add --scope global --name backlog --command backlog --args mcp,start',
		{ backlog: { command: 'backlog', args: ['mcp', 'start'] } },
	],
	[
		'MrLesk/Backlog.md: README.md, Codex',
		'codex mcp add backlog backlog mcp start',
		{ backlog: { command: 'backlog', args: ['mcp', 'start'] } },
	],
	[
		'MrLesk/Backlog.md: README.md, Gemini',
		'gemini mcp add backlog -s user backlog mcp start',
		{ backlog: { command: 'backlog', args: ['mcp', 'start'] } },
	],
	[
		'lilcipherx/drift: docs/installation.md, Copilot CLI',
		'copilot mcp add drift -e DRIFT_REPO=/srv/repo -- node /srv/drift/index.js',
		{ drift: { command: 'node', args: ['/srv/drift/index.js'], env: { DRIFT_REPO: '/srv/repo' } } },
	],
	[
		'kucukkanat/kurultay: docs/getting-started.md, an option with a value before the command',
		'copilot mcp add kurultay --timeout 120000 -- npx -y github:kucukkanat/kurultay#dist mcp',
		{ kurultay: { command: 'npx', args: ['-y', 'github:kucukkanat/kurultay#dist', 'mcp'] } },
	],
	[
		'github/copilot-cli#160',
		'copilot mcp add --server-name notes --url https://n.example/mcp --type http',
		remote,
	],
	['docfork/docfork: README.md, Amp', 'amp mcp add notes https://n.example/mcp', remote],
	[
		'docfork/docfork: README.md, Amp with a header before the address',
		'amp mcp add notes --header "X-Team=acme" https://n.example/mcp',
		{ notes: { url: 'https://n.example/mcp', headers: { 'X-Team': 'acme' } } },
	],
	[
		'augment-solutions/cross-repo-demo: README.md',
		'auggie mcp add notes --transport http https://n.example/mcp',
		remote,
	],
	[
		'https://docs.augmentcode.com/cli/integrations',
		'auggie mcp add notes --command npx --args "-y notes-mcp"',
		{ notes: { command: 'npx', args: ['-y', 'notes-mcp'] } },
	],
	[
		'redpanda-data/console: the command for Auggie, on several lines with several arguments',
		'auggie mcp add notes \\\n--transport stdio \\\n--command rpk \\\n--args "cloud" "mcp" "proxy" \\\n"--cluster-id" "c1"',
		{ notes: { command: 'rpk', args: ['cloud', 'mcp', 'proxy', '--cluster-id', 'c1'] } },
	],
	[
		'mcteamstar/ghostship: docs/remote.md, headers in JSON',
		`kiro-cli mcp add --name notes --url http://localhost:64057/mcp --headers '{"X-Key": "\${NOTES_KEY}"}' --scope global`,
		{ notes: { url: 'http://localhost:64057/mcp', headers: { 'X-Key': env('NOTES_KEY') } } },
	],
	[
		'https://docs.livekit.io/mcp, Codex with the address before the name',
		'codex mcp add --url https://n.example/mcp notes',
		remote,
	],
	[
		'https://supabase.com/docs/guides/getting-started/mcp, Gemini',
		'gemini mcp add -t http notes "https://n.example/mcp?a=1&b=2"',
		{ notes: { url: 'https://n.example/mcp?a=1&b=2' } },
	],
	[
		'https://docs.factory.ai/cli/configuration/mcp',
		'droid mcp add notes https://n.example/mcp --type http',
		remote,
	],
	[
		'AlexAgo83/cdx-logics-kit: logics-mcp-terminal/references/clients.md',
		'gemini mcp add terminal -c "npx -y @modelcontextprotocol/server-shell"',
		{ terminal: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-shell'] } },
	],
	[
		'https://code.claude.com/docs/en/mcp, JSON behind an option with a value',
		`claude mcp add-json --scope user notes '{"type":"http","url":"https://n.example/mcp"}'`,
		remote,
	],
	[
		'https://code.claude.com/docs/en/mcp, OAuth',
		'claude mcp add --transport http --client-id abc --client-secret --callback-port 8080 notes https://n.example/mcp',
		{ notes: { url: 'https://n.example/mcp', oauth: { client_id: 'abc', redirect_port: 8080 } } },
	],
	[
		'https://code.claude.com/docs/en/mcp, a fixed port and no name of a client',
		'claude mcp add --transport http \\\n  --callback-port 8080 \\\n  notes https://n.example/mcp',
		{ notes: { url: 'https://n.example/mcp', oauth: { redirect_port: 8080 } } },
	],
	[
		'neondatabase/add-mcp: README.md, an address',
		'npx add-mcp https://n.example/mcp -a cursor -a claude-code -n notes',
		remote,
	],
	[
		'neondatabase/add-mcp: README.md, a package',
		'npx add-mcp @modelcontextprotocol/server-postgres --name postgres',
		{ postgres: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-postgres'] } },
	],
	[
		'neondatabase/add-mcp: README.md, a command',
		'npx add-mcp "npx -y @org/mcp-server --flag value" -y',
		{ org: { command: 'npx', args: ['-y', '@org/mcp-server', '--flag', 'value'] } },
	],
	[
		'angiejones/mcp-selenium: README.md, Goose’s session',
		'goose session --with-extension "npx -y @angiejones/mcp-selenium@latest"',
		{ selenium: { command: 'npx', args: ['-y', '@angiejones/mcp-selenium@latest'] } },
	],
	[
		'https://www.mintlify.com/block/goose/api/extensions/overview',
		'goose session --with-streamable-http-extension "https://n.example/mcp"',
		{ n: { url: 'https://n.example/mcp' } },
	],
	[
		'rignore/demo-video-mcp: README.md, several lines with an environment before the dashes',
		'codex mcp add demo-video \\\n  --env DEMO_ROOTS=/srv/guides \\\n  -- /srv/bin/demo-video-mcp',
		{ 'demo-video': { command: '/srv/bin/demo-video-mcp', env: { DEMO_ROOTS: '/srv/guides' } } },
	],
	[
		'https://docs.openclaw.ai/cli/mcp, JSON behind the name',
		`openclaw mcp set notes '{"url":"https://n.example/mcp","transport":"streamable-http"}'`,
		remote,
	],
	[
		'steipete/mcporter: docs/config.md, an address',
		'mcporter config add notes https://n.example/mcp',
		remote,
	],
	[
		'steipete/mcporter: docs/config.md, a command with its environment',
		'npx mcporter config add fleet --command uvx --arg agents-fleet --arg mcp --env LEVEL=debug',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'], env: { LEVEL: 'debug' } } },
	],
	[
		'https://docs.openhands.dev/openhands/usage/cli/mcp-servers, a header before the address',
		'openhands mcp add notes --transport http \\\n  --header "X-Team: acme" \\\n  https://n.example/mcp',
		{ notes: { url: 'https://n.example/mcp', headers: { 'X-Team': 'acme' } } },
	],
	[
		'https://docs.x.ai/build/features/mcp-servers.md',
		'grok mcp add --transport http notes https://n.example/mcp',
		remote,
	],
	[
		'https://parallelworks.com/docs/cli/pw/code/mcp/add.md, an environment before the name',
		'pw code mcp add -e LEVEL=debug fleet -- uvx agents-fleet mcp',
		{ fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'], env: { LEVEL: 'debug' } } },
	],
	[
		'supermemoryai/install-mcp: README.md, a command',
		"npx install-mcp 'npx some-mcp-server --custom-args' --client claude",
		{ some: { command: 'npx', args: ['some-mcp-server', '--custom-args'] } },
	],
	[
		'supermemoryai/install-mcp: README.md, an address',
		'npx install-mcp https://n.example/server/sse --client claude',
		{ n: { url: 'https://n.example/server/sse', transport: 'sse' } },
	],
	[
		'alex-feel/claude-code-artifacts-public: mcp/README.md, the whole command as one word on Windows',
		'claude mcp add --transport stdio example cmd /c "npx -y @modelcontextprotocol/server-example"',
		{ example: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-example'] } },
	],
	[
		'tailcallhq/forgecode#1837, a whole file, with "disable"',
		`forge mcp import '{ "mcpServers": { "browser": { "command": "npx", "args": ["@browsermcp/mcp@latest"], "disable": false }, "wiki": { "url": "https://w.example/mcp", "disable": true } } }'`,
		{
			browser: { command: 'npx', args: ['@browsermcp/mcp@latest'] },
			wiki: { url: 'https://w.example/mcp', disabled: true },
		},
	],
	[
		'awslabs/cli-agent-orchestrator#404: Codex gets its servers for one run, in TOML',
		`codex -c 'mcp_servers.fleet.command="uvx"' -c 'mcp_servers.fleet.args=["agents-fleet", "mcp"]' exec "hi"`,
		fleet,
	],
	[
		'electricsheephq/WorldOS#516: a value that is no TOML is a text',
		'codex --config mcp_servers.fleet.command=uvx --config \'mcp_servers.fleet.args=["agents-fleet","mcp"]\'',
		fleet,
	],
	[
		'zjw49246/CC-Manager#66: all servers in one table',
		`codex exec -c 'mcp_servers={fleet={command="uvx",args=["agents-fleet","mcp"]}}' x`,
		fleet,
	],
	[
		'utensils/mcp-nixos: README.md',
		'nix run github:utensils/mcp-nixos',
		{ nix: { command: 'nix', args: ['run', 'github:utensils/mcp-nixos'] } },
	],
	[
		'https://block.github.io/goose/docs/guides/goose-cli-commands, with a variable before the command',
		'goose session --with-extension "NOTES_DIR=/srv/notes npx -y notes-mcp"',
		{ notes: { command: 'npx', args: ['-y', 'notes-mcp'], env: { NOTES_DIR: '/srv/notes' } } },
	],
	[
		'https://code.claude.com/docs/en/cli-reference, servers for one run',
		`claude -p "find it" --mcp-config '{"mcpServers":{"notes":{"command":"notes-mcp"}}}'`,
		{ notes: { command: 'notes-mcp' } },
	],
	[
		'https://developers.notion.com/docs/get-started-with-mcp, an address with a word before it',
		'Server URL: https://n.example/mcp',
		{ n: { url: 'https://n.example/mcp' } },
	],
	[
		'the same in a sentence, in backticks',
		'Choose “Add custom connector”, name it Notes, and enter `https://n.example/mcp`.',
		{ n: { url: 'https://n.example/mcp' } },
	],
	[
		'https://curl.se/docs/manpage.html#-u, a user and a password',
		'curl -u "ada@n.example:secret-1" https://n.example/mcp',
		{ n: { url: 'https://n.example/mcp', headers: { Authorization: `Basic ${env('N_AUTHORIZATION')}` } } },
	],
	[
		'https://github.com/starship/starship: a prompt',
		'❯ npx -y notes-mcp',
		{ notes: { command: 'npx', args: ['-y', 'notes-mcp'] } },
	],
	[
		'https://mcpservers.org/servers/natsukium/mcp-servers-nix: a part of a flake',
		'nix run github:natsukium/mcp-servers-nix#mcp-server-fetch',
		{ nix: { command: 'nix', args: ['run', 'github:natsukium/mcp-servers-nix#mcp-server-fetch'] } },
	],
	[
		'quarkiverse/quarkus-mcp-servers: jdbc/README.md',
		'jbang jdbc@quarkiverse/quarkus-mcp-servers jdbc:oracle:thin:@localhost:1521:orcl',
		{
			jbang: {
				command: 'jbang',
				args: ['jdbc@quarkiverse/quarkus-mcp-servers', 'jdbc:oracle:thin:@localhost:1521:orcl'],
			},
		},
	],
	[
		'jenkinsci/mcp-server-plugin#106: no name, and a host of one word',
		'claude mcp add http://jenkins-host/mcp-server/mcp --transport http --header "X-Team: acme"',
		{ 'jenkins-host': { url: 'http://jenkins-host/mcp-server/mcp', headers: { 'X-Team': 'acme' } } },
	],
];

test.each(rows)('%s', (_, line, servers) => {
	expect(pasted(line)).toMatchObject({ faults: [] });
	expect(pasted(line).servers).toEqual(servers);
	expect(inFile(line).servers).toEqual(servers);
});

test.each([
	['kucukkanat/kurultay: README.md', 'copilot plugin marketplace add kucukkanat/kurultay'],
	['lilcipherx/drift: docs/installation.md', 'gemini extensions install https://github.com/lilcipherx/drift'],
	['https://code.claude.com/docs/en/mcp', 'claude mcp remove notes'],
	['newtalaria/docs: mcp/codex.md', 'codex mcp list'],
	['https://www.npmjs.com/package/warpgate-mcp', 'npx -y warpgate-mcp install cursor'],
	['https://www.npmjs.com/package/comfyui-mcp', 'npx -y comfyui-mcp setup copilot'],
	['lion-zhang/fleet: Skills only', 'npx skills add lion-zhang/fleet'],
	['https://docs.factory.ai/cli/configuration/mcp', 'droid mcp remove notes'],
	['https://developers.openai.com/codex/mcp', 'codex mcp login notes'],
	['https://kiro.dev/docs/cli/reference/cli-commands', 'kiro-cli chat --agent notes'],
	['https://docs.docker.com/ai/mcp-catalog-and-toolkit', 'docker mcp server enable notes'],
	['https://docs.github.com/en/copilot/how-tos/copilot-cli', 'copilot -p "list my servers"'],
])('a program’s own command never becomes a server: %s', (_, line) => {
	expect(pasted(line)).toMatchObject({ servers: {} });
	expect(pasted(line).faults).toHaveLength(1);
});

const inRepository = 'cd mcp-server && pnpm build && node build/index.js';

test.each([
	[
		'emark-cloud/mantleproof: CLAUDE.md',
		inRepository,
		{ command: 'node', args: ['build/index.js'], cwd: 'mcp-server' },
	],
	[
		'emark-cloud/mantleproof: CLAUDE.md, with the line before it',
		`cd engine && uvicorn mantleproof.main:app --reload\n\n# MCP server\n${inRepository}`,
		{ command: 'node', args: ['build/index.js'], cwd: 'mcp-server' },
	],
	[
		'DNYoussef/ruv-sparc-three-loop-system: docs/DOGFOODING-INDEX.md',
		'cd memory-mcp-triple-system && node build/index.js',
		{ command: 'node', args: ['build/index.js'], cwd: 'memory-mcp-triple-system' },
	],
	[
		'l33tleo/sailing: scripts/mcp-overpass/README.md, a folder on a line of its own',
		'cd scripts/mcp-overpass\nuv sync\nuv run server.py',
		{ command: 'uv', args: ['run', 'server.py'], cwd: 'scripts/mcp-overpass' },
	],
	[
		'fikrikarim/parlor: README.md, two folders',
		'git clone https://github.com/fikrikarim/parlor.git\ncd parlor\n\ncd src\nuv sync\nuv run server.py',
		{ command: 'uv', args: ['run', 'server.py'], cwd: 'parlor/src' },
	],
	[
		'probelabs/probe: docs/guides/windows.md, a path of Windows without a drive',
		'set DEBUG=1\ncd mcp && node build\\index.js',
		{ command: 'node', args: ['build\\index.js'], env: { DEBUG: '1' }, cwd: 'mcp' },
	],
	[
		'https://learn.microsoft.com/windows-server/administration/windows-commands/cd, with a drive',
		'cd /d C:\\tools && node build\\index.js',
		{ command: 'node', args: ['build\\index.js'], cwd: 'C:\\tools' },
	],
])('a command runs in the folder that the text goes to: %s', (_, text, server) => {
	expect(Object.values(pasted(text).servers)).toEqual([server]);
});

test.each([
	['pip install mcp-server-git', 'uvx mcp-server-git'],
	['python3 -m pip install -U mcp-server-git', 'uvx mcp-server-git'],
	['uv tool install mcp-server-git', 'uvx mcp-server-git'],
	['pipx install mcp-server-git', 'uvx mcp-server-git'],
	['npm install -g @acme/notes-mcp', 'npx -y @acme/notes-mcp'],
	['docker pull mcp/time', 'docker run -i --rm mcp/time'],
	['pip install "mcp[cli]>=1.2"', 'uvx mcp'],
	['npm install @acme/notes-mcp@latest', 'npx -y @acme/notes-mcp'],
])('%s gives the server that it installs, and says so', (line, instead) => {
	const { servers, faults, notes } = pasted(line);
	const [command, ...args] = instead.split(' ');
	expect(Object.values(servers)).toEqual([{ command, args }]);
	expect(faults).toEqual([]);
	expect(notes).toEqual([`What was pasted only installs a package. This runs it: ${instead}`]);
});

/** Commands that a text has among its sentences. */
test.each<[source: string, text: string, servers: object]>([
	[
		'stableproxy/skills, its readme: in brackets',
		'add the server in your client: `https://n.example`\n(Claude Code: `claude mcp add --transport http notes https://n.example`).',
		{ notes: { url: 'https://n.example' } },
	],
	[
		'https://pypi.org/project/docsray-mcp/, its changelog: an install command beside a better one',
		'- **Installation**: `pip install docsray-mcp` or `uvx --from docsray-mcp docsray`\n- **Executable**: Package provides `docsray` command',
		{ docsray: { command: 'uvx', args: ['--from', 'docsray-mcp', 'docsray'] } },
	],
	[
		'https://techfordev.netlify.app/articles/3972907, JSON on several lines',
		`openclaw mcp set notes '{\n"transport": "http",\n"url": "https://n.example/mcp"\n}'`,
		{ notes: { url: 'https://n.example/mcp' } },
	],
	[
		'a guide to Claude Code: behind a comment, JSON on several lines',
		`# Adds a server\nclaude mcp add-json notes '{\n  "command": "npx",\n  "args": ["notes"]\n}'`,
		{ notes: { command: 'npx', args: ['notes'] } },
	],
	[
		'the page of pipecat-context-hub about Zed: a configuration behind a command, without fences',
		'uvx notes refresh\n\nEdit settings.json:\n\n{\n  "context_servers": {\n    "hub": { "command": "uvx", "args": ["notes", "serve"] }\n  }\n}',
		{ hub: { command: 'uvx', args: ['notes', 'serve'] } },
	],
	[
		'acaldero/wepsim: wepsim_mcp/README.md, a whole file',
		`code --add-mcp '{"servers":{"notes":{"url":"https://n.example/mcp","type":"http"}}}'`,
		{ notes: { url: 'https://n.example/mcp' } },
	],
	[
		'github/copilot-cli#428, a client that a package runner starts',
		`npx -y @github/copilot@latest --additional-mcp-config '{"mcpServers":{"notes":{"type":"http","url":"https://n.example/mcp"}}}'`,
		{ notes: { url: 'https://n.example/mcp' } },
	],
])('a command among other words: %s', (_, text, servers) => {
	expect(pasted(text)).toMatchObject({ servers, faults: [] });
});

// https://code.claude.com/docs/en/plugins: commands of a chat
test('a slash command starts no server', () => {
	expect(pasted('/plugin marketplace add acme/notes\n/plugin install notes@acme')).toMatchObject({
		servers: {},
		faults: [expect.any(String)],
	});
});

// The readmes of codex-pet-bridge and of zara-jira-mcp
test('what a readme leaves open is asked for: a folder of nobody, and three dots', () => {
	const text =
		'{"mcpServers":{"notes":{"command":"node","args":["/ABS/PATH/TO/notes.js"],"env":{"NOTES_URL":"..."}}}}';
	expect(offered(text).servers).toMatchObject({
		notes: { args: [env('FILE')], env: { NOTES_URL: env('NOTES_URL') } },
	});
	// The notes of plex-mcp for agents
	expect(offered('docker run -i --rm -e PLEX_URL=... plex-mcp').servers).toMatchObject({
		plex: { args: ['run', '-i', '--rm', '-e', `PLEX_URL=${env('PLEX_URL')}`, 'plex-mcp'] },
	});
});

// Addresses as people say them: https://docs.devin.ai/work-with-devin/deepwiki-mcp
test.each([
	['mcp.deepwiki.com/mcp', { deepwiki: { url: 'https://mcp.deepwiki.com/mcp' } }],
	['mcp.notion.com', { notion: { url: 'https://mcp.notion.com' } }],
	['api.githubcopilot.com/mcp/', { githubcopilot: { url: 'https://api.githubcopilot.com/mcp/' } }],
	['localhost:3000/mcp', { 'local-3000': { url: 'http://localhost:3000/mcp' } }],
	['127.0.0.1:8080/sse', { 'local-8080': { url: 'http://127.0.0.1:8080/sse', transport: 'sse' } }],
	['n.example.com:8443/v1/mcp?team=a', { example: { url: 'https://n.example.com:8443/v1/mcp?team=a' } }],
	['npmjs.com/package/@acme/notes-mcp', { notes: { command: 'npx', args: ['-y', '@acme/notes-mcp'] } }],
	[
		'mcr.microsoft.com/playwright/mcp',
		{ playwright: { command: 'docker', args: ['run', '-i', '--rm', 'mcr.microsoft.com/playwright/mcp'] } },
	],
	['docker.io/acme/mcp', { acme: { command: 'docker', args: ['run', '-i', '--rm', 'docker.io/acme/mcp'] } }],
	[
		'registry.gitlab.com/acme/notes',
		{ notes: { command: 'docker', args: ['run', '-i', '--rm', 'registry.gitlab.com/acme/notes'] } },
	],
])('%s without a scheme is an address or an image', (text, servers) => {
	expect(pasted(text)).toMatchObject({ servers, faults: [] });
});

test.each([
	'notes.mcp',
	'mcp.server',
	'mcp/fetch',
	'mcp-server-git==1.0',
	'localhost',
	'example.com',
	'a.b/c',
])('%s is no address', (text) => expect(JSON.stringify(pasted(text).servers)).not.toContain('http'));

// https://pip.pypa.io/en/stable/cli/pip_install/, https://docs.npmjs.com/cli/commands/npm-install
test.each([
	'pip install git+https://github.com/acme/mcp.git',
	'pip install -r requirements.txt',
	'pip install requirements.txt',
	'pip install -e .',
	'pip install ./server',
	'pip install dist/server-1.0-py3-none-any.whl',
	'npm install git+https://github.com/acme/mcp.git',
	'npm install ./server',
	'npm install server.tgz',
	'npm install https://acme.example/server.tgz',
])('%s names no package of a registry, so none is proposed', (line) => {
	expect(pasted(line).faults.join()).toContain('Paste the command or the JSON');
	expect(pasted(line).faults.join()).not.toMatch(/uvx|npx/);
});

test('a secret that is written behind `--client-secret` is stored, and what has no effect at an address is named', () => {
	const line =
		'claude mcp add --transport http notes https://n.example/mcp --client-id abc --client-secret GOCSPX-a8f7d6s5f4a3 --callback-port 8080 -e LEVEL=debug more';
	expect(pasted(line)).toMatchObject({
		servers: {
			notes: { oauth: { client_id: 'abc', client_secret: env('NOTES_CLIENT_SECRET'), redirect_port: 8080 } },
		},
		secrets: ['NOTES_CLIENT_SECRET'],
		notes: expect.arrayContaining([expect.stringContaining('"env"'), expect.stringContaining('"args"')]),
	});
	// The name is known, so the word before the address is the secret.
	expect(
		pasted('claude mcp add --client-secret GOCSPX-a8f7d6s5f4a3 https://n.example/mcp -n notes'),
	).toMatchObject({
		servers: {
			notes: { url: 'https://n.example/mcp', oauth: { client_secret: env('NOTES_CLIENT_SECRET') } },
		},
		secrets: ['NOTES_CLIENT_SECRET'],
	});
	expect(pasted('claude mcp add notes -H "X-Team: a" -- npx notes').notes).toEqual([
		expect.stringContaining('"headers"'),
	]);
});

// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http: what a request needs besides the server's own headers
test.each([
	[
		`curl -X POST https://mcp.example.com/mcp -H "Authorization: Bearer sk-a8f7d6s5f4a3a8f7d6s5f4a3" -H "Content-Type: application/json" -d '{"jsonrpc":"2.0"}'`,
		{
			url: 'https://mcp.example.com/mcp',
			headers: { Authorization: `Bearer \${env:EXAMPLE_AUTHORIZATION}` },
		},
	],
	[
		`curl -N --header "X-Team: blue" \\\n  https://mcp.example.com/sse`,
		{ url: 'https://mcp.example.com/sse', headers: { 'X-Team': 'blue' } },
	],
	[
		`curl https://example.com/rpc -H "Accept: application/json, text/event-stream" --data '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
		{ url: 'https://example.com/rpc' },
	],
])('a request in a readme names the server that it reaches: %s', (line, server) => {
	expect(Object.values(pasted(line).servers)).toMatchObject([server]);
});

test.each([
	'curl -fsSL https://acme.example/install.sh -o install.sh',
	'curl https://api.example.com/v1/models -H "Authorization: Bearer abc"',
])('a request to something else names no server: %s', (line) => {
	expect(Object.values(pasted(line).servers)).toEqual([]);
});
