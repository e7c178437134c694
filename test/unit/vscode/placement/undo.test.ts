import { describe, expect, test } from 'vitest';
import { UndoHistory } from '../../../../src/vscode/placement/undo.ts';
import { hubWith, loadedIn, toolOf } from '../fixtures.ts';

function undoStackOf(
	...changes: readonly { readonly what: string; holds?: boolean; readonly fails?: boolean }[]
) {
	const stack = new UndoHistory(hubWith([]));
	const undone: string[] = [];
	for (const change of changes) {
		stack.push({
			what: change.what,
			holds: () => change.holds ?? true,
			undo: () => {
				if (change.fails) throw new Error(`${change.what} fails`);
				undone.push(change.what);
			},
		});
	}
	return { stack, undone };
}

describe('what was done last is undone first', () => {
	test('each once, and says what it was', async () => {
		const { stack, undone } = undoStackOf({ what: 'pin a' }, { what: 'defer b' });
		expect([await stack.undo(), await stack.undo(), await stack.undo()]).toEqual([
			'defer b',
			'pin a',
			undefined,
		]);
		expect(undone).toEqual(['defer b', 'pin a']);
	});

	test('what does not hold now is passed over, and comes again when it does', async () => {
		const load = { what: 'load a', holds: false };
		const { stack } = undoStackOf({ what: 'pin b' }, load);
		expect(await stack.undo()).toBe('pin b');
		expect(await stack.undo()).toBeUndefined();
		load.holds = true;
		expect(await stack.undo()).toBe('load a');
	});

	test('what fails does not stand before the rest', async () => {
		const { stack } = undoStackOf({ what: 'pin a' }, { what: 'pin b', fails: true });
		await expect(stack.undo()).rejects.toThrow('“pin b” cannot be undone: pin b fails');
		expect(await stack.undo()).toBe('pin a');
	});

	test('only so much is remembered', async () => {
		const { stack, undone } = undoStackOf(...Array.from({ length: 60 }, (_, i) => ({ what: `pin ${i}` })));
		while ((await stack.undo()) !== undefined);
		expect(undone).toHaveLength(50);
		expect(undone.at(-1)).toBe('pin 10');
	});
});

function chatWith(...names: string[]) {
	const sessions = hubWith(['read', 'write', 'list']);
	const chat = sessions.open(undefined);
	for (const name of names) chat.discovery.load([toolOf(chat, name)], 'search', `${name} a file`);
	const unloads = new UndoHistory(sessions);
	const unload = (name: string) => {
		const taken = chat.discovery.activations.filter(({ wireName }) => wireName.endsWith(name));
		chat.discovery.unload([toolOf(chat, name)]);
		unloads.pushUnloaded(chat, taken);
	};
	return { sessions, chat, unloads, unload };
}

describe('given a person unloads tools', () => {
	test('what went last comes first, with why it had been loaded', () => {
		const { chat, unloads, unload } = chatWith('read', 'write');
		unload('read');
		unload('write');
		expect(loadedIn(chat)).toEqual([]);
		expect(unloads.lastUnload(chat)?.activation).toMatchObject({ reason: 'search', words: 'write a file' });
		chat.discovery.load([toolOf(chat, 'write')]);
		expect(unloads.lastUnload(chat)?.tool.name).toBe('read');
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(unloads.lastUnload(chat)).toBeUndefined();
	});

	test('what was not loaded cannot be put back', () => {
		const { chat, unloads, unload } = chatWith('read');
		unload('list');
		expect(unloads.lastUnload(chat)).toBeUndefined();
	});

	test('what is loaded again by other means is done with, also when it is evicted later', () => {
		const { chat, unloads, unload } = chatWith('read');
		unload('read');
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(unloads.lastUnload(chat)).toBeUndefined();
		chat.discovery.unload([toolOf(chat, 'read')]);
		expect(unloads.lastUnload(chat)).toBeUndefined();
	});

	test('another chat has nothing to put back, and neither has one that starts afresh', () => {
		const { sessions, chat, unloads, unload } = chatWith('read');
		unload('read');
		expect(unloads.lastUnload(sessions.open(undefined))).toBeUndefined();
		expect(unloads.lastUnload(chat)?.tool.name).toBe('read');
		unloads.forget(chat);
		expect(unloads.lastUnload(chat)).toBeUndefined();
	});

	test('a tool that its server has taken back is not offered', () => {
		const { sessions, chat, unloads, unload } = chatWith('read');
		unload('read');
		sessions.setCatalog(hubWith(['write']).catalog.servers);
		expect(unloads.lastUnload(chat)).toBeUndefined();
	});
});

test('what the chat itself has taken out can be put back as well', () => {
	const { chat, unloads } = chatWith('read');
	const taken = chat.discovery.activations;
	chat.discovery.unload([toolOf(chat, 'read')]);
	expect(unloads.lastUnload(chat)).toBeUndefined();
	unloads.pushUnloaded(chat, taken);
	expect(unloads.lastUnload(chat)?.activation).toMatchObject({ reason: 'search', words: 'read a file' });
});

describe('one history for all that can be taken back', () => {
	test('takes the newest back, whether it was done to the file or to a chat', async () => {
		const { chat, unloads, unload } = chatWith('read');
		unload('read');
		unloads.push({ what: 'pin write', holds: () => true, undo: () => undefined });
		expect([await unloads.undo(), await unloads.undo()]).toEqual(['pin write', 'unload files:read']);
		expect(loadedIn(chat)).toEqual(['read']);
		expect(unloads.lastUnload(chat)).toBeUndefined();
	});

	test('takes an unload back only in the chat that is shown', async () => {
		const { sessions, chat, unloads, unload } = chatWith('read');
		unload('read');
		const other = sessions.open(undefined);
		expect(sessions.current).toBe(other);
		expect(await unloads.undo()).toBeUndefined();
		expect(loadedIn(chat)).toEqual([]);
	});

	test('keeps what was done to the file when the chat starts afresh', async () => {
		const { chat, unloads } = chatWith('read');
		const taken = chat.discovery.activations;
		chat.discovery.unload([toolOf(chat, 'read')]);
		unloads.push({ what: 'defer read', ...unloads.unloading(chat, taken), holds: () => true });
		unloads.forget(chat);
		expect(unloads.lastUnload(chat)).toBeUndefined();
		expect(await unloads.undo()).toBe('defer read');
	});
});
