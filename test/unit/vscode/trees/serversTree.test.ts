import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { Emitter } from '../../../../src/common/event.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import { DismissedWarnings } from '../../../../src/vscode/core/dismissedWarnings.ts';
import { ServerModels } from '../../../../src/vscode/core/serverModels.ts';
import type { TreeNode } from '../../../../src/vscode/trees/serverRows.ts';
import { ServersTree } from '../../../../src/vscode/trees/serversTree.ts';
import { commands, contextKeys } from '../../../../src/vscode/ui/ids.ts';
import { ran, trust, views } from '../editor.ts';
import { statusOf, storage } from '../fixtures.ts';
import { openConfiguration } from '../openConfiguration.ts';

const entry = (name: string) => ({ [name]: { command: 'node' } });
const fileWith = (...names: readonly string[]) =>
	JSON.stringify({ servers: Object.assign({}, ...names.map(entry)) });

/** A view of the servers in these files. Each server runs and has two tools. */
async function openTree(texts: Readonly<Record<string, string>>, options?: { readonly isTrusted: boolean }) {
	const window = await openConfiguration(texts, options);
	const { configFile } = window;
	const sessions = new ChatSessions();
	const poolChanged = new Emitter<void>();
	const states = new Map<string, Partial<ServerStatus>>();
	const { event: onDidChange } = new Emitter<never>();
	const toolsOf = (server: string) =>
		['read', 'write'].map((name) => ({ server, name, inputSchema: { type: 'object' } }));
	const names = () => [...(configFile.inForce?.config.launches.keys() ?? [])];
	const serverModels = new ServerModels({
		sessions,
		pool: {
			servers: () => names().map((name) => statusOf(name, { tools: toolsOf(name), ...states.get(name) })),
			onDidChange: poolChanged.event,
		},
		approvals: { trustsHints: () => false, onDidChange },
		permissions: { ruleFor: () => undefined, rulesOf: () => [], onDidChange },
		configFile,
	} as unknown as ConstructorParameters<typeof ServerModels>[0]);
	const dismissed = new DismissedWarnings(storage());
	const apply = () => {
		if (configFile.inForce) sessions.setPolicy(configFile.inForce.config.policy, new Map());
		sessions.setCatalog(names().map((name) => ({ name, tools: toolsOf(name) })));
	};
	configFile.onDidChange(apply);
	apply();
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
	const tree = new ServersTree({
		serverModels,
		sessions,
		configFile,
		dismissed,
		modelLists: { onDidChange, stateOf: () => ({ models: [] }) } as never,
	});
	onTestFinished(() => {
		tree.dispose();
		vi.useRealTimers();
	});
	const redrawn: (readonly string[] | 'all')[] = [];
	const label = (node: TreeNode) => String(tree.getTreeItem(node as never).label);
	tree.onDidChangeTreeData((nodes) => void redrawn.push(nodes ? nodes.map(label) : 'all'));
	const rows = (node?: TreeNode): string[] => tree.getChildren(node).map(label);
	/** Some time passes. */
	const wait = (ms = 1000) => vi.advanceTimersByTime(ms);
	poolChanged.fire();
	wait();
	return {
		...window,
		tree,
		rows,
		redrawn,
		wait,
		dismissed,
		node: (name: string) => tree.getChildren().find((one) => label(one) === name),
		/** The server's state changes. */
		set: (name: string, status: Partial<ServerStatus>) => {
			states.set(name, status);
			poolChanged.fire();
		},
		view: () => views[0],
	};
}

const faulty = JSON.stringify({ servers: { ...entry('files'), git: {} }, clinets: {} });

describe('given the servers of a window', () => {
	test('then the view lists them with their tools, and a change of one redraws its row alone, once', async () => {
		const { rows, node, view, redrawn, set, wait } = await openTree({ work: fileWith('files', 'git') });
		expect([rows(), rows(node('files'))]).toEqual([
			['files', 'git'],
			['read', 'write'],
		]);
		expect(view()?.description).toMatch(/^4 tools · ≈\d+ tokens$/);
		redrawn.length = 0;
		const files = node('files');
		for (const kind of ['starting', 'stopped'] as const) set('files', { state: { kind, since: 0 } as never });
		wait();
		expect(redrawn).toEqual([['files']]);
		expect(node('files')).toBe(files);
		set('files', { state: { kind: 'stopped', since: 0 } as never });
		wait();
		expect(redrawn).toHaveLength(1);
	});

	test('then VS Code may say that there are none only if there are none', async () => {
		const told = () => ran.filter(([, key]) => key === contextKeys.empty).map(([, , value]) => value);
		await openTree({ work: fileWith('files') });
		expect(told()).toEqual([]);
		await openTree({ work: fileWith() });
		expect(told()).toEqual([true]);
	});

	test('when one needs the user, then the badge says so until it no longer does', async () => {
		const { view, set, wait } = await openTree({ work: fileWith('files', 'git') });
		expect(view()?.badge).toBeUndefined();
		set('git', { state: { kind: 'signed-out' } as never });
		wait();
		expect(view()?.badge).toEqual({ value: 1, tooltip: '1 server needs you to sign in' });
		set('git', {});
		wait();
		expect(view()?.badge).toBeUndefined();
	});

	test('then a click on a row that needs the user leads to what helps', async () => {
		const { tree, node, set, wait } = await openTree({ work: fileWith('files', 'git', 'web') });
		const command = (name: string) => {
			const found = node(name) as never;
			return tree.resolveTreeItem(tree.getTreeItem(found), found).command;
		};
		set('git', { state: { kind: 'failed', error: new ServerError('git', 'crashed', 'It has crashed.') } });
		set('web', { state: { kind: 'unapproved' } });
		wait();
		expect(['files', 'git', 'web'].map(command)).toMatchObject([
			undefined,
			{ command: commands.showServerLog, arguments: [{ server: 'git' }] },
			{ command: commands.reviewServers, arguments: [{ server: 'web' }] },
		]);
	});

	test('when one starts for the first time, then its row counts the seconds without any other change, in steps that leave its tooltip open', async () => {
		const { redrawn, set, wait } = await openTree({ work: fileWith('files', 'git') });
		set('git', { state: { kind: 'starting', since: Date.now(), first: {} } as never });
		wait(100);
		redrawn.length = 0;
		wait(9000);
		expect(redrawn).toEqual([]);
		wait(20_000);
		expect(redrawn).toEqual([['git'], ['git']]);
		set('git', {});
		wait(1000);
		redrawn.length = 0;
		wait(3000);
		expect(redrawn).toEqual([]);
	});
});

test('given servers in several files, then they stand below their files, whose rows stay the same', async () => {
	const { rows, node, change, wait } = await openTree({ a: fileWith('files'), b: fileWith('git') });
	const file = node('b');
	expect([rows(), rows(file)]).toEqual([['a', 'b'], ['git']]);
	await change('b', fileWith('git', 'web'));
	wait();
	expect(node('b')).toBe(file);
	expect(rows(file)).toEqual(['git', 'web']);
	await change('b', '{}');
	wait();
	expect(rows()).toEqual(['files']);
});

describe('given a file with mistakes', () => {
	test('when it cannot be read, then the last servers stay, and the view says so until it can', async () => {
		const { rows, view, change, wait } = await openTree({ work: fileWith('files') });
		expect(view()?.message).toBeUndefined();
		await change('work', '{ "servers": ');
		wait();
		expect(rows()).toContain('files');
		expect(view()?.message).toBe('Configuration has errors; using the last valid version.');
		await change('work', fileWith('files'));
		wait();
		expect([rows(), view()?.message]).toEqual([['files'], '']);
	});

	test('then a faulty server has a row, and a warning has one until the user dismisses it', async () => {
		const { rows, wait, dismissed, configFile } = await openTree({ work: faulty });
		const [warning = '', ...others] = rows();
		expect([warning.includes('clinets'), others]).toEqual([true, ['git', 'files']]);
		const problems = configFile.inForce?.problems.filter(({ severity }) => severity === 'warning') ?? [];
		await dismissed.dismiss(problems);
		wait();
		expect(rows()).toEqual(['git', 'files']);
		await dismissed.restore(problems);
		wait();
		expect(rows()).toEqual([warning, 'git', 'files']);
	});
});

test('given a workspace without trust, then the view shows nothing until it is trusted', async () => {
	const { rows, wait, view, configFile } = await openTree({ work: fileWith('files') }, { isTrusted: false });
	expect([rows(), view()?.description]).toEqual([[], undefined]);
	trust();
	await configFile.reload();
	wait();
	expect(rows()).toEqual(['files']);
});
