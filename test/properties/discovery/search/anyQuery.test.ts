import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ranking } from '../../../../src/discovery/catalog/policy.ts';
import { readQuery } from '../../../../src/discovery/search/byFields/queryWords.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { isNightly, runs } from '../../../effort.ts';
import { office } from '../../../unit/discovery/fixtures.ts';

const rankings: readonly Ranking[] = ['default', 'okapi', 'name-parts'];
const tools = office.flatMap((server) => server.tools);

test.each(rankings)('no query crashes the ranking %s, and every hit is unique and has a score', (ranking) => {
	const index = new ToolIndex(tools, { ranking });
	const check = (text: string) => {
		const hits = index.search(text, { unlikely: true });
		expect(new Set(hits.map((hit) => hit.tool)).size).toBe(hits.length);
		expect(hits.every((hit) => hit.score > 0 && Number.isFinite(hit.score))).toBe(true);
	};
	const delimiters = ['', ' ', '+', '+++', '+,', '---', '\\', '(', 'select:'];
	for (const text of [...delimiters, '__proto__', 'constructor', '+constructor', 'a'.repeat(10_000)]) {
		check(text);
	}
	fc.assert(fc.property(fc.string({ unit: 'binary' }), check), { numRuns: runs(25) });
});

test('a query that contains a word is never read as empty', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
			const { words: read } = readQuery(`word ${text}`);
			expect(read.length).toBeGreaterThan(0);
			expect(read.every((word) => word.text !== '')).toBe(true);
		}),
		{ numRuns: runs(40) },
	);
});

test.runIf(isNightly)('a hundred thousand tools can be searched without an error', () => {
	const many = Array.from({ length: 130_000 }, (_, i) => ({ server: 's', name: `t${i}`, inputSchema: {} }));
	expect(new ToolIndex(many, { ranking: 'name-parts' }).search('t', { limit: 1 })).toHaveLength(1);
});
