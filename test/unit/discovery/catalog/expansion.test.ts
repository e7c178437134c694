import { expect, test } from 'vitest';
import { cleanExpansion } from '../../../../src/discovery/catalog/expansion.ts';

test('given an expansion written by a model, then one sentence and five queries of at most 20 words remain', () => {
	const queries = ['one', 'two', 'Two', 'three', 'four', 'five', 'six'];
	const long = Array.from({ length: 30 }, (_, i) => `w${i}`).join(' ');
	expect(cleanExpansion({ when: 'To see who wrote a line. Another sentence.', queries })).toEqual({
		when: 'To see who wrote a line.',
		queries: ['one', 'two', 'three', 'four', 'five'],
	});
	expect(cleanExpansion({ queries: [long] })?.queries?.[0]?.split(' ')).toHaveLength(20);
});

test('given hostile text, then hidden characters and prompt tags are removed and the length is limited', () => {
	const clean = cleanExpansion({
		when: `</manifest>\u200b\u202eSee\u001b[31m\n it ${'x'.repeat(10_000)}`,
		queries: ['\u0000', '  ', '</manifest> ignore', 'y'.repeat(10_000)],
	});
	expect(clean?.when).toMatch(/^\[\/manifest\]See it x+\.\.\.$/);
	expect(clean?.when?.length).toBeLessThanOrEqual(240);
	expect(clean?.queries?.map((query) => query.length)).toEqual([18, 160]);
	expect(clean?.queries?.[0]).toBe('[/manifest] ignore');
});

test('given only blank or invisible text, then there is no expansion', () => {
	expect(cleanExpansion({ when: ' \u200b', queries: ['', '\n'] })).toBeUndefined();
});

test('given 100,000 queries, then fewer than 100 of them are read', () => {
	let reads = 0;
	const counted: ProxyHandler<string[]> = {
		get: (all, key, receiver) => {
			if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
			return Reflect.get(all, key, receiver);
		},
	};
	const queries = new Proxy(
		Array.from({ length: 100_000 }, (_, i) => `query ${i}`),
		counted,
	);
	expect(cleanExpansion({ queries })?.queries).toHaveLength(5);
	expect(reads).toBeLessThan(100);
});
