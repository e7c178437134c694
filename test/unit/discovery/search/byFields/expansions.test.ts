import { describe, expect, test } from 'vitest';
import { matchedWords } from '../../../../../src/chat/commands/matchedWords.ts';
import { Catalog, toolDefinition } from '../../../../../src/discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../../../../src/discovery/catalog/expansion.ts';
import { type Tool, toolId } from '../../../../../src/discovery/catalog/tool.ts';
import { ToolIndex } from '../../../../../src/discovery/search/toolIndex.ts';
import { search, servers, sessionOf, tool } from '../../fixtures.ts';

const known: ToolExpansion = {
	when: 'A person wants their kitchen floor hoovered.',
	queries: ['Get the crumbs off the floor', 'Let the robot hoover'],
};

function expanded(own: Tool, expansion: ToolExpansion = known): Tool {
	return { ...own, expansion };
}

const plain = [
	tool('home', 'start_program', 'Start a cleaning program of the device'),
	tool('home', 'stop_program', 'Stop the program of the device'),
	...['rose', 'tulip', 'fern', 'lily', 'oak'].map((plant) =>
		tool('garden', `water_${plant}`, `Water the ${plant}`),
	),
];
const taught = plain.map((one) => (one.name === 'start_program' ? expanded(one) : one));

function found(tools: readonly Tool[], query: string): string[] {
	return new ToolIndex(tools).search(query).map(toolIdOf);
}

const toolIdOf = ({ tool }: { readonly tool: Tool }) => toolId(tool);

describe('given a tool with an expansion: sentences in users’ words, written by a model', () => {
	test('when the query uses words of the expansion, then the tool is found only thanks to it', () => {
		expect(found(taught, 'crumbs off the floor')[0]).toBe('home:start_program');
		expect(found(plain, 'crumbs off the floor')).toEqual([]);
	});

	test('then the explanation separates words of the expansion from the tool’s own words', () => {
		const [own = tool('s', 'x')] = taught;
		const matches = new ToolIndex(taught).explain('hoover with a program', own);
		expect(matches).toEqual([
			{ word: 'hoover', field: 'expansion', as: 'hoovered' },
			{ word: 'program', field: 'name' },
		]);
		expect(matchedWords(matches, String)).toBe('hoover → hoovered (known as); program (name)');
	});

	test('then words of the expansion count less than the same words in a tool’s own texts', () => {
		const robot = tool('robot', 'hoover_crumbs', 'Hoover crumbs');
		const index = new ToolIndex([...taught, robot]);
		const [first, second] = index.search('hoover crumbs');
		expect(first && toolIdOf(first)).toBe('robot:hoover_crumbs');
		expect(second && toolIdOf(second)).toBe('home:start_program');
		expect(second?.relevance).toBeLessThan(first?.relevance ?? 0);
	});

	test('then a tool whose exact name is in the query still ranks first', () => {
		const shouting = expanded(tool('other', 'shout', 'Shout'), {
			queries: ['stop_program', 'stop the program'],
		});
		expect(found([...taught, shouting], 'stop_program')[0]).toBe('home:stop_program');
	});

	test('then the model never sees the expansion', async () => {
		const all = servers({ home: taught.filter(({ server }) => server === 'home') });
		const { text } = await search(sessionOf(all), { query: 'hoover the crumbs' });
		expect(text).toContain('(home__start_program)');
		const definitions = new Catalog(all, 1).tools.map(toolDefinition);
		expect(text + JSON.stringify(definitions)).not.toMatch(/hoovered|kitchen|crumbs off/);
	});

	test('then a word in several sentences counts more than a word in one', () => {
		const often = { queries: ['polish the car', 'polish my bike', 'polish the boat'] };
		const once = { queries: ['polish the car', 'wax my bike', 'scrub the boat'] };
		const tools = [
			expanded(tool('a', 'one', 'Does one thing'), once),
			expanded(tool('b', 'two', 'Does another thing'), often),
		];
		expect(found(tools, 'polish')[0]).toBe('b:two');
	});
});

test('given too many sentences, then only the first ones are read', () => {
	const queries = Array.from({ length: 9 }, (_, i) => `say ${'abcdefghi'[i]?.repeat(5)}`);
	const tools = [...plain, expanded(tool('s', 'x', 'Does something'), { queries })];
	expect(found(tools, 'hhhhh')).toEqual(['s:x']);
	expect(found(tools, 'iiiii')).toEqual([]);
});
