import { describe, expect, test } from 'vitest';
import { defaultParameters } from '../../../../../src/discovery/search/byFields/parameters.ts';
import { ToolIndex } from '../../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../../fixtures.ts';

const tools = [
	tool('a', 'room_a', 'Read the temperature of a room'),
	tool('b', 'room_b', 'See the furniture of a room'),
	tool('c', 'room_c', 'Count the people in a room'),
	tool('d', 'room_d', 'Charge a guest for a room'),
	tool('e', 'room_e', 'Check the availability of a room'),
];
const index = new ToolIndex(tools);

describe('given tools that all have the only word of a query', () => {
	test.each([
		['who sits in that room', 'room_c'],
		['that room has not been paid', 'room_d'],
		['the sofa in that room', 'room_b'],
		['is the room vacant tonight', 'room_e'],
	])('then the one about the same thing comes first: %s', (query, name) => {
		expect(index.search(query)[0]?.tool.name).toBe(name);
	});

	test('and what is meant makes nothing sure', () => {
		expect(index.search('that room has not been paid')[0]?.confidence).toBeLessThan(0.5);
	});
});

test('where the words are clear, they decide alone', () => {
	const byWords = new ToolIndex(tools, { parameters: { ...defaultParameters, meaning: 0 } });
	for (const query of ['temperature of the room', 'availability of a room'])
		expect(index.search(query)).toEqual(byWords.search(query));
});
