import { expect, test } from 'vitest';
import { smallCatalogs } from '../../../bench/catalogs.ts';
import { tool } from '../discovery/fixtures.ts';

const tools = Array.from({ length: 40 }, (_, i) => tool(`s${i % 20}`, `t${i}`));
const query = { id: '1', text: 'do it', gold: [[['s3', 't3']] as const] };

test('small catalogs have two to ten servers, with and without the answer, and are the same for the same seed', () => {
	const set = {
		name: 'set',
		tools,
		queries: Array.from({ length: 30 }, (_, i) => ({ ...query, id: `${i}` })),
	};
	const drawn = smallCatalogs(set, 30, 7);
	expect(drawn).toHaveLength(30);
	for (const { withAnswer = [], without } of drawn) {
		const serversOf = (some: typeof without) => new Set(some.map(({ server }) => server));
		expect(serversOf(withAnswer).has('s3')).toBe(true);
		expect(serversOf(without).has('s3')).toBe(false);
		for (const some of [withAnswer, without]) {
			expect(serversOf(some).size).toBeGreaterThanOrEqual(2);
			expect(serversOf(some).size).toBeLessThanOrEqual(10);
		}
	}
	expect(smallCatalogs(set, 30, 7)).toEqual(drawn);
});
