import { expect, test } from 'vitest';
import type { Memento, Uri } from 'vscode';
import { DismissedWarnings } from '../../../../src/vscode/core/dismissedWarnings.ts';
import type { FileProblem } from '../../../../src/vscode/ui/nodes.ts';

function storage(): Memento {
	const values = new Map<string, unknown>();
	return {
		keys: () => [...values.keys()],
		get: (key: string) => values.get(key),
		update: async (key: string, value: unknown) => void values.set(key, value),
	} as Memento;
}

function warning(key: string, severity: FileProblem['severity'] = 'warning'): FileProblem {
	const place = { line: 0, character: 0 };
	const uri = { toString: () => 'file:///casual_mcp_config.json' } as Uri;
	return { severity, message: 'so it is', path: ['servers', key], start: place, end: place, uri };
}

test('a dismissed warning stays dismissed in the next window, wherever it moves in the file, until it is restored', async () => {
	const memento = storage();
	const first = new DismissedWarnings(memento);
	let changes = 0;
	first.onDidChange(() => changes++);
	await first.dismiss([warning('a')]);
	const next = new DismissedWarnings(memento);
	expect([warning('a'), warning('b'), warning('a', 'error')].map((one) => next.has(one))).toEqual([
		true,
		false,
		false,
	]);
	expect(next.has({ ...warning('a'), start: { line: 7, character: 1 } })).toBe(true);
	await next.restore([warning('a')]);
	expect(next.has(warning('a'))).toBe(false);
	expect(changes).toBe(1);
});
