import { describe, expect, test } from 'vitest';
import { offered, search, servers, sessionOf, tool } from './fixtures.ts';

const words = ['red', 'green', 'blue', 'black', 'white', 'brown', 'pink'];
const painter = servers({
	paint: words.map((word) => tool('paint', `paint_wall_${word}`, `Paint a wall ${word} with a brush`)),
	kitchen: ['cook', 'bake', 'boil'].map((word) => tool('kitchen', word, `Let a robot ${word} something`)),
});

describe('given more tools that fit than are loaded', () => {
	test('when searched for, then the next best are named, and not loaded', async () => {
		const session = sessionOf(painter, { maxSearchResults: 2 });
		const { text, newlyLoaded } = await search(session, { query: 'paint a wall' });
		expect(newlyLoaded).toHaveLength(2);
		expect(text).toContain(
			'5 more tools match less well. The next best, not loaded; load one by its exact name with tool_names:\n  paint__paint_wall_',
		);
		expect(offered(session)).toHaveLength(3);
		expect(text.endsWith('These tools are now loaded and available to call.')).toBe(true);
	});

	test('when one of them is asked for by that name, then it is loaded', async () => {
		const session = sessionOf(painter, { maxSearchResults: 2 });
		const { text } = await search(session, { query: 'paint a wall' });
		const name = /^ {2}(paint__\S+): /m.exec(text)?.[1];
		expect((await search(session, { tool_names: [name] })).newlyLoaded).toEqual([name]);
	});

	test('when some of them were loaded before, then these are not named as not loaded', async () => {
		const session = sessionOf(painter, { maxSearchResults: 2 });
		await search(session, { tool_names: words.map((word) => `paint_wall_${word}`) });
		const { text } = await search(session, { query: 'paint a wall' });
		expect(text).toContain('5 more tools match less well; say more of what you need to find them.');
	});

	test('when the ranking cannot tell how likely they are, then they are named all the same', async () => {
		const session = sessionOf(painter, { maxSearchResults: 2, ranking: 'name-parts' });
		const { search: outcome } = await search(session, { query: 'paint wall brush' });
		expect(outcome?.ok && outcome.further).toHaveLength(5);
	});
});
