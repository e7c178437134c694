import { expect, test } from 'vitest';
import type { ToolState } from '../../../../src/vscode/discoveryHub.ts';
import { nextPlacing } from '../../../../src/vscode/servers/placing.ts';

const next: Readonly<Record<ToolState, readonly [own: string | undefined, editors: string | undefined]>> = {
	deferred: ['load', 'load'],
	activated: ['pin', 'unload'],
	pinned: ['defer', 'defer'],
	loaded: ['pin', undefined],
	outside: [undefined, undefined],
	held: [undefined, undefined],
};

test('a tool goes from deferred to loaded to pinned and back; one of the editor is never pinned', () => {
	for (const [state, [own, editors]] of Object.entries(next) as [ToolState, (typeof next)[ToolState]][]) {
		expect(nextPlacing({ state })).toBe(own);
		expect(nextPlacing({ state, unconfigured: true })).toBe(editors);
	}
});
