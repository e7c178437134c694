import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Uri } from 'vscode';
import type { ToolState } from '../../../../src/chat/sessions.ts';
import type { ProblemSeverity } from '../../../../src/config/file/problemReport.ts';
import type { ServerLaunch } from '../../../../src/config/servers/launch.ts';
import type { WaitingTool } from '../../../../src/discovery/catalog/catalog.ts';
import type { PermissionRule } from '../../../../src/mcp/accepted/permissions.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { ServerState } from '../../../../src/mcp/serverState.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import { installsItself } from '../../../../src/mcp/starts.ts';
import { byOrigin, rowOf, sortProblems } from '../../../../src/vscode/trees/serverRows.ts';
import type { FileProblem, ServerNode } from '../../../../src/vscode/ui/nodes.ts';
import { launchLabel, tooltipOf } from '../../../../src/vscode/ui/tooltips.ts';
import { modelsOf, serverWith, sessionsWith } from '../fixtures.ts';

function hangs(state: ServerState, ...states: ToolState[]): ServerNode {
	const tools = states.map((one, i) => [`t${i}`, { state: one }]);
	return serverWith('hangs', Object.fromEntries(tools), { state });
}

const message = 'Server "hangs" cannot start: the command "hang" was not found. Install it.';
const failed: ServerState = { kind: 'failed', error: new ServerError('hangs', 'command-not-found', message) };

/** The actions that the menus of a row offer. */
function actionsOf({ contextValue }: { readonly contextValue: string }): readonly string[] {
	return contextValue.split(' ');
}

/** What a row shows, and what a screen reader says. */
function textsOf({ label, description, accessibleLabel }: ReturnType<typeof rowOf>) {
	return [label, description, accessibleLabel];
}

describe('given a rule that allows or forbids calls', () => {
	const rule = (changes: Partial<PermissionRule> = {}): PermissionRule => ({
		decision: 'allow',
		server: 'hangs',
		launch: 'l',
		tool: 't0',
		definition: 'd',
		scope: { kind: 'workspace' },
		since: 0,
		...changes,
	});
	const rowWith = (kept: PermissionRule) => {
		const [tool] = hangs({ kind: 'ready', since: 0 }, 'deferred').tools;
		if (!tool) throw new Error('it has a tool');
		const node = { ...tool, rule: { permission: kept, chat: 'this' } };
		return { ...rowOf(node), tooltip: tooltipOf(node) };
	};

	test('then the row of the tool shows it, and the menu leads to the permissions', () => {
		expect(actionsOf(rowWith(rule()))).toContain('managePermissions');
		const rules = [rule(), rule({ decision: 'never' }), rule({ scope: { kind: 'chat', chat: 'this' } })].map(
			rowWith,
		);
		expect(rules.map(textsOf)).toMatchSnapshot();
		// A date is written as the machine's region writes it.
		expect(rules.map(({ tooltip }) => tooltip.replace(/ on \d.*/, ''))).toMatchSnapshot();
	});

	test('then the menu of the server leads to the permissions, too, and its tooltip lists them', () => {
		const server = { ...hangs({ kind: 'ready', since: 0 }, 'deferred'), rules: [rule()] };
		expect(actionsOf(rowOf(server))).toContain('managePermissions');
		expect(tooltipOf(server)).toMatch(/hangs\\?:t0\\?: always allowed/);
	});
});

describe('the row of a server', () => {
	test('starts with the reason why it does not run, because a narrow sidebar cuts off the rest', () => {
		const said = "'a' is not in this registry.";
		const exited = new ServerError('hangs', 'exited-at-once', 'It exited.', { explanation: said });
		const rows = [
			hangs(failed, 'pinned', 'outside', 'deferred'),
			hangs({ kind: 'failed', error: exited }),
			hangs({ kind: 'ready', since: 0 }, 'outside'),
		];
		expect(rows.map((server) => textsOf(rowOf(server)))).toMatchSnapshot();
	});

	test('names a failure in a few words, and has the whole message once in its tooltip', () => {
		const { description } = rowOf(hangs(failed));
		const tooltip = tooltipOf(hangs(failed));
		expect(description).toMatchSnapshot();
		expect(tooltip.split('was not found').length).toBe(2);
		expect(tooltip).toContain('Install it');
	});

	describe('on the first start', () => {
		const since = 1_700_000_000_000;
		const first = (installs: boolean, said?: string): ServerState => ({
			kind: 'starting',
			since,
			first: { installs, ...(said !== undefined && { lastOutput: said }) },
		});
		const rowAfter = (seconds: number, state: ServerState) => {
			vi.useFakeTimers({ now: since + seconds * 1000 });
			onTestFinished(() => void vi.useRealTimers());
			return rowOf(hangs(state));
		};

		test('shows after a few seconds that the server installs, for how long, and its last output', () => {
			const rows = [
				rowAfter(4, first(true)),
				rowAfter(40, first(true)),
				rowAfter(40, first(false, 'Downloading numpy')),
				rowAfter(40, first(false)),
				rowAfter(40, { kind: 'starting', since }),
			];
			expect(rows.map(textsOf)).toMatchSnapshot();
		});

		test('has no seconds for a screen reader, and offers Stop', () => {
			const row = rowAfter(40, first(false, 'Downloading numpy'));
			expect(row.accessibleLabel).not.toMatch(/\d/);
			expect(actionsOf(row)).toEqual(expect.arrayContaining(['stopServer+', 'restartServer']));
			expect(tooltipOf(hangs(first(false, 'Downloading numpy')))).toContain('Downloading numpy');
		});

		test('recognizes an installation by the command line', () => {
			const line = (text: string) => {
				const [command = '', ...args] = text.split(' ');
				return installsItself({ command, args });
			};
			for (const text of ['npx -y a', '/usr/bin/uvx a', 'cmd /c npx.cmd -y a', 'docker run a'])
				expect(line(text), text).toBe(true);
			for (const text of ['node server.js', 'python uvicorn.py', './npx-like a'])
				expect(line(text), text).toBe(false);
		});
	});

	test('shows the number of tools that were left out', () => {
		const dropped = ['a', 'b', 'c', 'd'].map((name) => ({ name, reason: 'no schema' }));
		const servers = [
			hangs({ kind: 'ready', since: 0 }, 'deferred', 'deferred'),
			hangs({ kind: 'ready', since: 0 }),
		];
		const rows = servers.map((node) => rowOf({ ...node, status: { ...node.status, dropped } }));
		expect(rows.map(textsOf)).toMatchSnapshot();
	});

	test('is dimmed, like its tools, if the toolset contains none of them', () => {
		const outside = hangs({ kind: 'ready', since: 0 }, 'outside', 'outside');
		expect(
			[rowOf(outside), ...outside.tools.map((tool) => rowOf(tool))].map(({ isDimmed: dimmed }) => dimmed),
		).toEqual([true, true, true]);
		expect(rowOf(hangs({ kind: 'ready', since: 0 }, 'outside', 'deferred')).isDimmed).toBe(false);
		expect(rowOf(hangs({ kind: 'ready', since: 0 })).isDimmed).toBe(false);
	});

	test('repeats nothing for a screen reader', () => {
		expect(rowOf(hangs({ kind: 'starting' })).accessibleLabel).toMatchSnapshot();
	});
});

describe('the command line or URL of a server', () => {
	test('is shown without environment variables, headers and secrets', () => {
		const stdio: ServerLaunch = {
			kind: 'stdio',
			command: 'npx',
			args: ['-y', 'notes', '--api-key', 'abc', '--token=def', '--root', '/srv', 'from-the-environment'],
			env: { NOTES_TOKEN: 'from-the-environment' },
			cwd: '/',
		};
		const remote: ServerLaunch = {
			kind: 'remote',
			url: 'https://me:pw@notes.example/mcp?key=abc',
			transport: 'streamable-http',
			headers: { authorization: 'Bearer abc' },
		};
		expect(launchLabel(stdio)).toBe('stdio: `npx -y notes --api-key *** --token=*** --root /srv ***`');
		expect(launchLabel(remote)).toBe('HTTP: `https://notes.example/mcp`');
	});

	test('is in its tooltip, which says before the approval that the review shows all of it', () => {
		const launch: ServerLaunch = {
			kind: 'stdio',
			command: 'npx',
			args: ['--secret', 'evil'],
			env: {},
			cwd: '/',
		};
		const tooltip = (kind: 'stopped' | 'unapproved') => tooltipOf({ ...hangs({ kind }), launch });
		const review = 'The review shows all that it would run.';
		expect(tooltip('stopped')).toContain('stdio: `npx --secret ***`');
		expect(tooltip('stopped')).not.toContain(review);
		expect(tooltip('unapproved')).toContain(`stdio: \`npx --secret ***\`\n\n${review}`);
	});
});

describe('a loaded tool that was not sent to the model', () => {
	const [node] = hangs({ kind: 'ready', since: 0 }, 'loaded').tools;

	test('says so in its row and why in its tooltip', () => {
		if (!node) throw new Error('the server has its tool');
		const unsent = { model: 'gpt', reason: 'Its schema is [too](large).' };
		const row = rowOf({ ...node, unsent });
		expect(row.icon).toBe('warning');
		expect([...textsOf(row), tooltipOf({ ...node, unsent })]).toMatchSnapshot();
		expect(tooltipOf({ ...node, unsent })).not.toContain('[too](');
		expect(rowOf(node).icon).toBe('circle-filled');
	});
});

type State = Pick<ServerStatus, 'state' | 'cached'>;

const states: readonly State[] = [
	{ state: { kind: 'ready', since: 0 }, cached: false },
	{ state: { kind: 'starting' }, cached: false },
	{ state: { kind: 'stopped' }, cached: true },
	{
		state: { kind: 'failed', error: new ServerError('files', 'crashed', 'It has crashed.') },
		cached: false,
	},
];

test('each state of a server has its own icon and label, also for a screen reader', () => {
	const rows = states.map((status) => rowOf(serverWith('files', { read: {} }, status)));
	expect(new Set(rows.map(({ icon }) => icon)).size).toBe(rows.length);
	expect(rows.map(textsOf)).toMatchSnapshot();
});

const uri = { path: '/casual_mcp_config.json' } as Uri;
const place = { line: 0, character: 0 };

function problem(severity: ProblemSeverity, ...path: readonly string[]): FileProblem {
	const [, server] = severity === 'error' && path[0] !== 'models' ? path : [];
	const off = server !== undefined && server !== 'files' && { off: server };
	return { severity, message: `${path.join('.')}: so it is`, path, start: place, end: place, uri, ...off };
}

/** `label description` of the rows above the servers, and of the servers that are off; `files` can be used. */
function rows(...problems: readonly FileProblem[]) {
	const { above, faulty } = sortProblems(problems);
	const words = (all: readonly Parameters<typeof rowOf>[0][]) =>
		all.map((node) => {
			const { label, description } = rowOf(node);
			return `${label} ${description}`.trim();
		});
	return { above: words(above), faulty: words(faulty) };
}

describe('the problems of a configuration in the Servers view', () => {
	test('many warnings share one row that can be expanded, and says how many keys can be moved', () => {
		const other = Array.from({ length: 12 }, (_, i) => problem('warning', 'servers', 'files', `key${i}`));
		const many = [
			...other,
			...other.slice(5).map((one) => ({ ...one, reason: { kind: 'literal-key' } as const })),
		];
		expect(rows(...many)).toEqual({ above: ['19 warnings 7 keys in plain text'], faulty: [] });
		const [row] = sortProblems(many).above;
		expect(row?.kind === 'problems' && row.problems).toHaveLength(19);
	});

	test('a single problem has its own row: where, then what is wrong', () => {
		expect(rows(problem('warning', 'models', 'gpt')).above).toEqual(['gpt so it is · line 1']);
	});

	test.each([
		[['servers', 'github', 'env', 'GITHUB_TOKEN'], 'github · GITHUB_TOKEN'],
		[['servers', 'github', 'args', 3], 'github · args[3]'],
		[['clients', 'own'], 'own'],
		[['tool_discovery'], 'tool_discovery'],
	])('the row of a problem at %j begins with its place', (path, label) => {
		const [section = ''] = path;
		const found = { ...problem('warning', String(section)), path };
		expect(sortProblems([found]).above.map((node) => rowOf(node).label)).toEqual([label]);
	});

	test.each([
		[['servers', 'github', 'env', 'GITHUB_TOKEN'], 'GITHUB_TOKEN', 'so it is · line 1'],
		[['servers', 'github'], 'so it is', 'line 1'],
	])(
		'the row of an error at %j below its server does not repeat the server’s name',
		(path, label, description) => {
			const [faulty] = sortProblems([problem('error', ...path)]).faulty;
			const [row] = (faulty?.problems ?? []).map((node) => rowOf(node));
			expect(row).toMatchObject({ label, description });
		},
	);

	test('the row of errors comes before the row of warnings', () => {
		const error = problem('error', 'models', 'gpt');
		const warning = problem('warning', 'models', 'gpt');
		expect(rows(warning, error, warning, error).above).toMatchSnapshot();
	});

	test('a server that cannot start because of errors has its own row, in any section of servers', () => {
		const two = [
			problem('error', 'servers', 'memory', 'command'),
			problem('error', 'servers', 'memory', 'args'),
		];
		expect(rows(...two, problem('error', 'mcpServers', 'git'))).toEqual({
			above: [],
			faulty: ['memory 2 errors', 'git 1 error'],
		});
		const unset = (name: string) => ({
			...problem('error', 'servers', 'git', 'env', name),
			reason: { kind: 'unset-variable', name } as const,
		});
		expect(rows(unset('KEY'), unset('URL')).faulty).toEqual(['git no value for KEY, URL']);
		expect(rows(unset('KEY'), problem('error', 'servers', 'git', 'args')).faulty).toEqual(['git 2 errors']);
	});

	test('errors of a server that can start, and warnings of one that cannot, come above the servers', () => {
		expect(
			rows(problem('error', 'servers', 'files', 'tools'), problem('warning', 'servers', 'memory', 'x')),
		).toEqual({
			above: ['files · tools so it is · line 1', 'memory · x so it is · line 1'],
			faulty: [],
		});
	});
});

describe('servers of several files', () => {
	const [app, users] = ['app', 'user'].map((file) => `file:///${file}` as unknown as Uri);
	const origins = [
		{ kind: 'origin', uri: app as Uri, label: 'app', isUsers: false },
		{ kind: 'origin', uri: users as Uri, label: 'User Configuration', isUsers: true },
	] as const;
	const server = (name: string) => serverWith(name, {});

	test('are grouped by file, in the order of the files; the editor’s own tools are in no group', () => {
		const servers = [server('git'), server('notes'), server('editor')];
		const groups = byOrigin(servers, origins, (name) =>
			name === 'git' ? app : name === 'notes' ? users : undefined,
		);
		const shown = [...groups].map(([origin, its]) => origin && rowOf(origin, its));
		expect(shown.map((row) => [row?.label, row?.description])).toEqual([
			['app', '1 server'],
			['User Configuration', '1 server'],
			[undefined, undefined],
		]);
	});

	test('leave no row for a file without servers', () => {
		expect(byOrigin([server('git')], origins, () => app).size).toBe(1);
	});

	test('have a tooltip that says where they are defined, and what they override', () => {
		const place = { label: 'app', replacesUsers: true };
		expect(tooltipOf({ ...hangs({ kind: 'ready', since: 0 }), place })).toMatch(
			/Defined in: app[\s\S]*Overrides the server of the same name in your user configuration/,
		);
	});
});

describe('given a tool that has changed since the user accepted it', () => {
	const sessions = sessionsWith(['set']);
	const accepted = sessions.catalog.tools;
	const get = { server: 'files', name: 'get', description: 'Gets it', inputSchema: {} };
	const rowsWith = (waiting: WaitingTool) => {
		sessions.setCatalog([{ name: 'files', tools: accepted, quarantined: [waiting] }]);
		return modelsOf(sessions).servers;
	};
	const lost = rowsWith(get)[0]?.tools.find(({ state }) => state === 'changed');
	const [server] = rowsWith({ ...get, accepted: { ...get, description: 'Takes it' } });
	const changed = server?.tools.find(({ state }) => state === 'changed');
	if (!server || !changed || !lost) throw new Error('the tool has a row');

	test('then its row says so, and offers to review and accept the change', () => {
		expect(rowOf(changed)).toMatchObject({
			label: 'get',
			description: expect.stringContaining('needs review'),
			icon: 'warning',
			contextValue: 'reviewChanges+ acceptChange+ disable showTool copyName',
			accessibleLabel: expect.stringContaining('needs review'),
		});
		expect(tooltipOf(changed)).toContain('it changed since you accepted it');
		expect(tooltipOf(lost)).toContain('what you accepted is not known');
	});

	test('then its server counts the change but not its tokens, and offers to review all changes', () => {
		const alone = rowOf({ ...server, tools: server.tools.filter((tool) => tool !== changed) });
		const { description, contextValue } = rowOf(server);
		expect(description).toMatch(/^≈\d+ · 2 tools · 1 to review$/);
		expect(description.split(' · ')[0]).toBe(alone.description.split(' · ')[0]);
		expect(contextValue.split(' ')).toContain('reviewChanges');
	});

	test('when all tools of its server wait, then its server has no tokens to tell', () => {
		const { description, accessibleLabel } = rowOf({ ...server, tools: [changed] });
		expect(description).toBe('1 tool · 1 to review');
		expect(accessibleLabel).not.toContain('token');
	});
});
