import { beforeEach, describe, expect, test } from 'vitest';
import { Emitter } from '../../../../src/common/event.ts';
import { SecretVariables } from '../../../../src/vscode/core/secretVariables.ts';

const project = new URL('file:///work/project');
const other = new URL('file:///work/other');

let stored: Map<string, string>;
let changed: Emitter<{ key: string }>;

/** A window of its own over what outlives it. */
function openWindow(): SecretVariables {
	return new SecretVariables({
		keys: async () => [...stored.keys()],
		get: async (key) => stored.get(key),
		store: async (key, value) => {
			stored.set(key, value);
			changed.fire({ key });
		},
		delete: async (key) => {
			stored.delete(key);
			changed.fire({ key });
		},
		onDidChange: changed.event,
	});
}

beforeEach(() => {
	stored = new Map();
	changed = new Emitter();
});

describe('given secrets that are stored for a folder', () => {
	beforeEach(() =>
		openWindow().store(project, [
			{ name: 'TOKEN', value: 'abc' },
			{ name: 'KEY', value: 'def' },
		]),
	);

	test('then the next window can read them by name', async () => {
		const window = openWindow();
		expect(await window.names(project)).toEqual(['KEY', 'TOKEN']);
		expect(await window.values(project)).toEqual({ KEY: 'def', TOKEN: 'abc' });
	});

	test('then another folder cannot read them', async () => {
		expect(await openWindow().names(other)).toEqual([]);
		expect(await openWindow().values(other)).toEqual({});
	});

	test('when another window changes them, then an event fires, and the new values are read', async () => {
		const window = openWindow();
		await window.values(project);
		let told = 0;
		window.onDidChange(() => told++);
		await openWindow().store(project, [{ name: 'TOKEN', value: 'new' }]);
		await openWindow().remove(project, ['KEY']);
		expect(told).toBe(2);
		expect(await window.values(project)).toEqual({ TOKEN: 'new' });
	});

	test('when all are removed, then nothing stays stored', async () => {
		await openWindow().remove(project, ['KEY', 'TOKEN']);
		expect(stored.size).toBe(0);
	});

	test('when two windows store at the same time, then both know all names', async () => {
		const [one, two] = [openWindow(), openWindow()];
		await Promise.all(
			[one, two].map((window, i) => window.store(project, [{ name: `OF_${i}`, value: 'x' }])),
		);
		expect(await one.names(project)).toEqual(['KEY', 'OF_0', 'OF_1', 'TOKEN']);
		expect(await two.names(project)).toEqual(['KEY', 'OF_0', 'OF_1', 'TOKEN']);
	});

	test('when a provider’s key changes, then no event fires', () => {
		let told = 0;
		openWindow().onDidChange(() => told++);
		changed.fire({ key: 'apiKey:https://api.openai.com' });
		expect(told).toBe(0);
	});

	test('when reading them fails, then the next attempt reads them again', async () => {
		const window = openWindow();
		const { get } = stored;
		stored.get = () => {
			throw new Error('locked');
		};
		await expect(window.values(project)).rejects.toThrow('locked');
		stored.get = get;
		expect(await window.values(project)).toEqual({ KEY: 'def', TOKEN: 'abc' });
	});
});
