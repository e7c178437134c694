import { expect, test } from 'vitest';
import { copiedParaphrases } from '../../../bench/paraphrases.ts';
import { tool } from '../discovery/fixtures.ts';

test('a paraphrase is a copy if it has five words in a row from its tool or from a query', () => {
	const tools = [
		tool('post', 'track', 'Shows where a parcel is on its way'),
		tool('post', 'weigh', 'Says what a parcel weighs'),
	];
	const queries = [
		'tell me where a parcel is on its way',
		'where has my box got to',
		'what a parcel weighs',
	].map((text, i) => ({ id: `${i}`, text, gold: [[['post', 'track'] as const]] }));
	expect(copiedParaphrases({ tools, queries }, [])).toEqual([queries[0]?.text]);
	expect(copiedParaphrases({ tools, queries }, ['so where has my box got to now'])).toEqual([
		queries[0]?.text,
		queries[1]?.text,
	]);
});
