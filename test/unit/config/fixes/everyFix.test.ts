import { applyEdits } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import type { ConfigProblem } from '../../../../src/config/config.ts';
import type { ConfigFix } from '../../../../src/config/fixes/configFix.ts';
import { fixesFor } from '../../../../src/config/fixes/fixes.ts';
import { load, scope } from '../fixtures.ts';
import { faults } from '../reliability/faultTable.ts';

/** Faults that only their author can mend: what was meant is not to be guessed, or the file is not to be read. */
const withoutFix = new Set([
	'not UTF-8',
	'command null',
	'command empty',
	'variable with an impossible name',
	'unknown variable',
	'no address',
	'javascript address',
	'file address',
	'data address',
	'line break in a header',
	'impossible header',
	'address of a client',
	'template outside its folder',
	'section of the wrong type, with entries',
	'command an object',
	'command that a variable breaks',
	'command that a variable empties',
	'argument with a NUL',
	'folder with a NUL',
	'folder of the wrong type',
	'websocket address',
	'address of the wrong type',
	'address empty',
	'header beyond Latin-1',
	'variable without a name',
	'number beyond all numbers',
	'hint of the wrong type',
	'tools of the wrong type',
	'model without a client of any name',
	'model without a name',
	'template in a folder',
	'template of another disk',
	'javascript address of a client',
]);

/** Variables that fixes set outside of the file: those of the table. */
const set = { NOPE: 'now.set', API_KEY: 'k' };

function after(text: string, fix: ConfigFix): ReturnType<typeof load> {
	const edited = 'edits' in fix ? applyEdits(text, [...fix.edits]) : text;
	const stored = fix.kind === 'store-variable' ? { [fix.variable]: fix.value } : {};
	return load(edited, { ...set, ...stored });
}

/** What a problem is told by wherever it stands. */
function words({ message }: ConfigProblem): string {
	return message;
}

describe('a fix removes the fault and brings no other', () => {
	test.each(faults)('%s', (fault, text) => {
		const before = load(text);
		const fixes = before.problems.flatMap((problem) =>
			fixesFor(text, problem, scope.env).map((fix) => ({ problem, fix })),
		);
		expect(fixes.length === 0).toBe(withoutFix.has(fault));
		for (const { problem, fix } of fixes) {
			const { config, problems } = after(text, fix);
			expect(config).toBeDefined();
			expect(problems.map(words)).not.toContain(words(problem));
			const old = new Set(before.problems.map(words));
			expect
				.soft(
					problems.map(words).filter((one) => !old.has(one)),
					fix.title,
				)
				.toEqual([]);
		}
	});
});
