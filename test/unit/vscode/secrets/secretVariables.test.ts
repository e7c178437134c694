import { beforeEach, describe, expect, test } from 'vitest';
import { Emitter } from '../../../../src/common/event.ts';
import { SecretVariables } from '../../../../src/vscode/secrets/secretVariables.ts';

const project = new URL('file:///work/project');
const other = new URL('file:///work/other');

let stored: Map<string, string>;
let globalState: Map<string, unknown>;
let changed: Emitter<{ key: string }>;

/** A window of its own over what outlives it. */
function openWindow(): SecretVariables {
	return new SecretVariables({
		secrets: {
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
		},
		names: {
			get: <T>(name: string) => globalState.get(name) as T,
			update: async (name: string, value: unknown) => void globalState.set(name, value),
		},
	});
}

beforeEach(() => {
	stored = new Map();
	globalState = new Map();
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
		expect(window.names(project)).toEqual(['KEY', 'TOKEN']);
		expect(await window.values(project)).toEqual({ KEY: 'def', TOKEN: 'abc' });
	});

	test('then another folder cannot read them', async () => {
		expect(openWindow().names(other)).toEqual([]);
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

	test('when all are removed, then neither values nor names stay stored', async () => {
		await openWindow().remove(project, ['KEY', 'TOKEN']);
		expect(stored.size).toBe(0);
		expect(JSON.stringify([...globalState.values()])).not.toContain('TOKEN');
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
