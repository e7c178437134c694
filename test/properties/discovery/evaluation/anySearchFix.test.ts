import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWorse } from '../../../../src/discovery/evaluation/evaluate.ts';
import { changesOf } from '../../../../src/discovery/evaluation/searchFixes.ts';
import { advised, asks, evaluated, ranks } from '../../../unit/discovery/evaluation/evaluating.ts';
import { office } from '../../../unit/discovery/fixtures.ts';

const words = [
	'send',
	'note',
	'event',
	'gubbins',
	'fracas',
	'channel',
	'plan',
	'search',
	'sprocket',
	'delete',
];
const names = office.flatMap(({ tools }) => tools.map(({ server, name }) => `${server}:${name}`));
const anyQuery = fc
	.record({
		words: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
		tools: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
	})
	.map(({ words: some, tools }) => asks(some.join(' '), ...tools));

/** A hint for the one tool would drive the other out of the first five. */
const swappedNeeds = [
	{ query: 'send search event', needs: [['slack:list_channels'], ['calendar:delete_event']] },
	{ query: 'send', needs: [] },
];

test('whatever is asked: each advice alone, and all together, mend a query and make none worse', async () => {
	let seen = 0;
	await fc.assert(
		fc.asyncProperty(fc.uniqueArray(anyQuery, { minLength: 1, maxLength: 6 }), async (queries) => {
			const before = await evaluated(office, queries);
			const { advice } = await advised(office, queries);
			seen += advice.length;
			const sets = advice.length > 0 ? [...advice.map((one) => [one]), advice] : [];
			for (const some of sets) {
				const after = await evaluated(office, queries, {}, changesOf(some));
				for (const [i, { question, answer }] of before.results.entries()) {
					expect(isWorse(question, answer, after.results[i]?.answer ?? answer)).toBe(false);
				}
				const met = (all: (readonly number[])[]) => all.flat().filter((rank) => rank <= 5).length;
				expect(met(ranks(after))).toBeGreaterThan(met(ranks(before)));
			}
		}),
		{ numRuns: 40, examples: [[swappedNeeds]] },
	);
	expect(seen).toBeGreaterThan(10);
});
