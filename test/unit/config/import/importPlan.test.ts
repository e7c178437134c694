import { describe, expect, test } from 'vitest';
import { type ImportPlan, planImport } from '../../../../src/config/import/importPlan.ts';
import { load, scope } from '../fixtures.ts';
import { afterImport, claudeDesktopFile, githubToken, imported } from './fixtures.ts';

const file = (servers: object) => [['Cursor', JSON.stringify({ mcpServers: servers })] as const];
const planOf = (servers: object, text?: string) => planImport(imported(file(servers)), text, scope);
const shown = (plan: ImportPlan | undefined) =>
	plan?.servers.map(({ server, state, name }) => `${server.name}: ${state} ${name}`);

test('without a configuration, an import writes a new file with discovery on', () => {
	const plan = planImport(imported([['Claude Desktop', claudeDesktopFile]]), undefined, scope);
	const text = afterImport(undefined, plan);
	const { config, problems } = load(text, {
		GITHUB_PERSONAL_ACCESS_TOKEN: githubToken,
		POSTGRES_PASSWORD: 'x',
	});
	expect(problems).toEqual([]);
	expect(config?.policy.enabled).toBe('auto');
	expect([...(config?.launches.keys() ?? [])]).toEqual(['github', 'brave-search', 'postgres']);
	expect(text).not.toContain(githubToken);
});

describe('the user’s file keeps its comments, its format and its servers', () => {
	const entry = { command: 'x', args: ['-y'], env: { TOKEN: 'one11' } };

	test('when it has several lines, then its section and its line ends are used', () => {
		const text =
			'{\r\n  // mine\r\n  "mcpServers": {\r\n    "a": { "command": "a" } // first\r\n  }\r\n}\r\n';
		expect(afterImport(text, planOf({ b: entry }, text))).toBe(
			[
				'{',
				'  // mine',
				'  "mcpServers": {',
				'    "a": { "command": "a" }, // first',
				'    "b": {',
				'      "command": "x",',
				'      "args": [',
				'        "-y"',
				'      ],',
				'      "env": {',
				`        "TOKEN": "\${env:TOKEN}"`,
				'      },',
				'      "defer_loading": true',
				'    }',
				'  }',
				'}',
				'',
			].join('\r\n'),
		);
	});

	test('when it is on one line, then it stays on one line', () => {
		const text = '{ "servers": { "a": { "command": "a" } } }';
		expect(afterImport(text, planOf({ b: { command: 'x' } }, text))).toBe(
			'{ "servers": { "a": { "command": "a" }, "b": { "command": "x", "defer_loading": true } } }',
		);
	});

	test('when it has no section yet, then one is added', () => {
		const text = '\uFEFF{\n\t"tool_sets": {}, // none\n}';
		expect(afterImport(text, planOf({ b: { command: 'x' } }, text))).toBe(
			'\uFEFF{\n\t"tool_sets": {}, // none\n\t"servers": {\n\t\t"b": {\n\t\t\t"command": "x",\n\t\t\t"defer_loading": true\n\t\t}\n\t},\n}',
		);
	});
});

describe('an import overwrites nothing', () => {
	test('when an identical server exists, even with another name or a variable, then it is not written again', () => {
		const text = `{ "servers": { "a": { "command": "x", "env": { "K": "\${env:TOKEN}" } }, "c": { "url": "https://x.test", "type": "http" } } }`;
		const plan = planOf({ b: { command: 'x', env: { K: 'hush-hush' } }, c: { url: 'https://x.test' } }, text);
		expect(shown(plan)).toEqual(['b: present a', 'c: present c']);
		expect(plan?.edits).toEqual([]);
		expect(plan?.servers.map(({ notes }) => notes)).toEqual([[], []]);
	});

	test.each([
		['node node_modules/@acme/notes-mcp/dist/index.js', 'npx -y @acme/notes-mcp@latest'],
		['npx @acme/notes-mcp@1.2.0 /folder', 'npx -y @acme/notes-mcp'],
		['uvx mcp-server-git==1.0 --repository a', 'uvx mcp-server-git'],
		['python -m mcp_server_git', 'uvx mcp-server-git'],
		['uv tool run mcp-server-git', 'uvx mcp-server-git[cli]'],
		['docker run -i --rm -e TOKEN mcp/time:1.0', 'docker run -i --rm mcp/time'],
	])('when %s is configured, then %s is planned as the twin of it', (configured, added) => {
		const entryOf = (line: string) => {
			const [command, ...args] = line.split(' ');
			return { command, args };
		};
		const other = entryOf('npx -y @acme/mail-mcp');
		const text = JSON.stringify({ servers: { other, mine: entryOf(configured) } });
		expect(planOf({ b: entryOf(added) }, text)?.servers).toMatchObject([{ state: 'new', twin: 'mine' }]);
	});

	test('when an entry runs a script or another package of the same scope, then it is no twin', () => {
		const text = JSON.stringify({
			servers: { a: { command: 'node', args: ['server.js'] }, b: { command: 'npx', args: ['@acme/mail'] } },
		});
		const plan = planOf(
			{ c: { command: 'node', args: ['server.js', 'x'] }, d: { command: 'npx', args: ['@acme/notes'] } },
			text,
		);
		expect(plan?.servers.map(({ twin }) => twin)).toEqual([undefined, undefined]);
	});

	test('when its name is invalid, then it gets a valid one, and a note says so', () => {
		const plan = planOf({ 'a/b': { command: 'x' } });
		expect(shown(plan)).toEqual(['a/b: renamed a-b']);
		expect(plan?.servers[0]?.notes).toMatchSnapshot();
	});

	test('when the name is taken, then it gets the next free suffix, even next to a malformed entry', () => {
		const text = '{ "servers": { "a": 5 }, "mcpServers": { "a-2": { "command": "z" } } }';
		const plan = planOf({ a: { command: 'x' } }, text);
		expect(shown(plan)).toEqual(['a: renamed a-3']);
		expect(plan?.servers[0]?.notes).toEqual(['"a" is already in use, so this server is named "a-3".']);
		expect(afterImport(text, plan)).toContain('"a": 5,');
	});

	test('when two products have the same server, then it is listed once, as enabled if one of them uses it', () => {
		const servers = imported([
			['Claude Desktop', claudeDesktopFile],
			['Windsurf', claudeDesktopFile],
		]);
		const planned = planImport(servers, undefined, scope)?.servers ?? [];
		expect(planned.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
		const git = (more: object) => JSON.stringify({ mcpServers: { git: { command: 'git-server', ...more } } });
		const both = imported([
			['Cursor', git({ disabled: true })],
			['Windsurf', git({})],
		]);
		expect(planImport(both, undefined, scope)?.servers.map(({ server }) => server)).toEqual([both[1]]);
	});

	test('when a section is malformed, then another section is used', () => {
		const text = '{ "servers": 5 }';
		expect(afterImport(text, planOf({ a: { command: 'x' } }, text))).toBe(
			'{ "servers": 5, "mcpServers": { "a": { "command": "x", "defer_loading": true } } }',
		);
		const full = '{ "servers": 5, "mcpServers": 5, "mcp_servers": [] }';
		expect(planOf({ a: { command: 'x' } }, full)).toBeUndefined();
	});

	test('when the file is malformed, then it is not changed', () => {
		expect(planOf({ a: { command: 'x' } }, '{ "servers": {')).toBeUndefined();
	});
});
