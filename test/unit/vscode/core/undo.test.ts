import { describe, expect, test } from 'vitest';
import { unloadedTools } from '../../../../src/vscode/core/loadByHand.ts';
import { UndoHistory } from '../../../../src/vscode/core/undo.ts';
import { loadedIn, sessionsWith, toolOf } from '../fixtures.ts';

function undoStackOf(
	...changes: readonly { readonly label: string; holds?: boolean; readonly fails?: boolean }[]
) {
	const stack = new UndoHistory();
	const undone: string[] = [];
	for (const change of changes) {
		stack.push({
			label: change.label,
			canUndo: () => change.holds ?? true,
			undo: () => {
				if (change.fails) throw new Error(`${change.label} fails`);
				undone.push(change.label);
			},
		});
	}
	return { stack, undone };
}

describe('undo', () => {
	test('reverts the newest change first, each change once, and names it', async () => {
		const { stack, undone } = undoStackOf({ label: 'pin a' }, { label: 'defer b' });
		expect([await stack.undo(), await stack.undo(), await stack.undo()]).toEqual([
			'defer b',
			'pin a',
			undefined,
		]);
		expect(undone).toEqual(['defer b', 'pin a']);
	});

	test('skips a change that does not apply now, until it applies again', async () => {
		const load = { label: 'load a', holds: false };
		const { stack } = undoStackOf({ label: 'pin b' }, load);
		expect(await stack.undo()).toBe('pin b');
		expect(await stack.undo()).toBeUndefined();
		load.holds = true;
		expect(await stack.undo()).toBe('load a');
	});

	test('drops a change that fails, so that the one before it can be undone', async () => {
		const { stack } = undoStackOf({ label: 'pin a' }, { label: 'pin b', fails: true });
		await expect(stack.undo()).rejects.toThrow('“pin b” cannot be undone: pin b fails');
		expect(await stack.undo()).toBe('pin a');
	});

	test('says when the change that is undone next may be another', async () => {
		const { stack } = undoStackOf({ label: 'pin a', fails: true });
		const next: (string | undefined)[] = [];
		stack.onDidChange(() => next.push(stack.next?.label));
		stack.push({ label: 'pin b', undo: () => {} });
		await stack.undo();
		await expect(stack.undo()).rejects.toThrow();
		expect(next).toEqual(['pin b', 'pin a', undefined]);
	});

	test('remembers a limited number of changes', async () => {
		const { stack, undone } = undoStackOf(...Array.from({ length: 60 }, (_, i) => ({ label: `pin ${i}` })));
		while ((await stack.undo()) !== undefined);
		expect(undone).toHaveLength(50);
		expect(undone.at(-1)).toBe('pin 10');
	});
});

function chatWith(...names: string[]) {
	const sessions = sessionsWith(['read', 'write', 'list']);
	const chat = sessions.open(undefined);
	for (const name of names) chat.discovery.load([toolOf(chat, name)], 'search', `${name} a file`);
	const history = new UndoHistory();
	const unload = (...names: readonly string[]) => {
		const taken = chat.discovery.activations.filter(({ wireName }) =>
			names.some((name) => wireName.endsWith(name)),
		);
		chat.discovery.unload(names.map((name) => toolOf(chat, name)));
		history.push(unloadedTools(sessions, chat, taken));
	};
	return { sessions, chat, history, unload };
}

describe('given the user unloads tools', () => {
	test('then undo loads them again, the latest first, with their original reasons', async () => {
		const { chat, history, unload } = chatWith('read', 'write', 'list');
		unload('read', 'list');
		unload('write');
		expect(loadedIn(chat)).toEqual([]);
		expect([await history.undo(), await history.undo()]).toEqual(['unload files:write', 'unload 2 tools']);
		expect(chat.discovery.activations).toMatchObject([
			{ wireName: 'files__write', reason: 'search', words: 'write a file' },
			{ wireName: 'files__read', words: 'read a file' },
			{ wireName: 'files__list', words: 'list a file' },
		]);
		expect(history.next).toBeUndefined();
	});

	test.each<[string, (parts: ReturnType<typeof chatWith>) => void]>([
		[
			'was loaded again by other means, even if it was evicted later',
			({ chat }) => {
				chat.discovery.load([toolOf(chat, 'read')]);
				chat.discovery.unload([toolOf(chat, 'read')]);
			},
		],
		['belongs to a chat that was reset', ({ chat }) => chat.discovery.log.append({ kind: 'reset' })],
		['belongs to a chat that is not shown', ({ sessions }) => void sessions.open(undefined)],
		[
			'is no longer offered by its server',
			({ sessions }) => sessions.setCatalog(sessionsWith(['write']).catalog.servers),
		],
	])('then undo does nothing for a tool that %s', async (_, happens) => {
		const parts = chatWith('read');
		parts.unload('read');
		happens(parts);
		expect(await parts.history.undo()).toBeUndefined();
		expect(loadedIn(parts.chat)).toEqual([]);
	});
});
