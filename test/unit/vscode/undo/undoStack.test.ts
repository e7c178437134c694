import { describe, expect, test } from 'vitest';
import { UndoStack } from '../../../../src/vscode/undo/undoStack.ts';

function given(...changes: readonly { readonly what: string; holds?: boolean; readonly fails?: boolean }[]) {
	const stack = new UndoStack();
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
		const { stack, undone } = given({ what: 'pin a' }, { what: 'defer b' });
		expect([await stack.undo(), await stack.undo(), await stack.undo()]).toEqual([
			'defer b',
			'pin a',
			undefined,
		]);
		expect(undone).toEqual(['defer b', 'pin a']);
	});

	test('what does not hold now is passed over, and comes again when it does', async () => {
		const load = { what: 'load a', holds: false };
		const { stack } = given({ what: 'pin b' }, load);
		expect(await stack.undo()).toBe('pin b');
		expect(await stack.undo()).toBeUndefined();
		load.holds = true;
		expect(await stack.undo()).toBe('load a');
	});

	test('what fails does not stand before the rest', async () => {
		const { stack } = given({ what: 'pin a' }, { what: 'pin b', fails: true });
		await expect(stack.undo()).rejects.toThrow('pin b fails');
		expect(await stack.undo()).toBe('pin a');
	});

	test('only so much is remembered', async () => {
		const { stack, undone } = given(...Array.from({ length: 60 }, (_, i) => ({ what: `pin ${i}` })));
		while ((await stack.undo()) !== undefined);
		expect(undone).toHaveLength(50);
		expect(undone.at(-1)).toBe('pin 10');
	});
});
