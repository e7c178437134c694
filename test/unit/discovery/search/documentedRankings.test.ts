import { describe, expect, test } from 'vitest';
import type { Ranking } from '../../../../src/discovery/catalog/policy.ts';
import type { Tool } from '../../../../src/discovery/catalog/tool.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../fixtures.ts';

function score(ranking: Ranking, tools: readonly Tool[], query: string, name: string): number | undefined {
	return new ToolIndex(tools, { ranking }).search(query).find((hit) => hit.tool.name === name)?.score;
}

describe('okapi: BM25 Okapi over name and description', () => {
	// Three documents of three words, so that the length of each is the average: score = IDF · tf · 2.5 / (tf + 1.5).
	const tools = [tool('s', 'draw', 'big map'), tool('s', 'read', 'big map'), tool('s', 'sing', 'song song')];

	test('the weight of a word in one of three tools is ln((3 − 1 + 0.5) / (1 + 0.5))', () => {
		expect(score('okapi', tools, 'draw now', 'draw')).toBeCloseTo(Math.log(2.5 / 1.5), 10);
	});

	test('a query of several clauses is one list of words', () => {
		expect(score('okapi', tools, 'draw now, then sing it', 'sing')).toBeCloseTo(Math.log(2.5 / 1.5), 10);
	});

	test('a repeated word scores more than once, but less than twice as much', () => {
		expect(score('okapi', tools, 'song now', 'sing')).toBeCloseTo((Math.log(2.5 / 1.5) * 2 * 2.5) / 3.5, 10);
	});

	test('the weight of a word in most tools is a quarter of the mean weight', () => {
		const [rare, common] = [Math.log(2.5 / 1.5), Math.log(1.5 / 2.5)];
		// draw, read, sing, song are rare; big and map are common.
		const mean = (4 * rare + 2 * common) / 6;
		expect(score('okapi', tools, 'big now', 'draw')).toBeCloseTo(0.25 * mean, 10);
	});

	test('a tool with a longer text scores lower for the same word', () => {
		const uneven = [
			tool('s', 'a', 'map'),
			tool('s', 'b', 'map of the whole wide world'),
			tool('s', 'c'),
			tool('s', 'd'),
			tool('s', 'e'),
		];
		const [short = 0, long = 0] = ['a', 'b'].map((name) => score('okapi', uneven, 'map now', name));
		expect(short).toBeGreaterThan(long);
	});

	test('when no word has a positive weight, then the score is the number of shared words', () => {
		const two = [tool('s', 'read_file', 'from disk'), tool('s', 'write_file', 'to disk')];
		expect(score('okapi', two, 'write a file', 'write_file')).toBe(2);
		expect(score('okapi', two, 'write a file', 'read_file')).toBe(1);
	});
});

describe('name-parts: points for each word of the query', () => {
	const filler = tool('other', 'zzz');
	const points = (one: Tool, query: string) => score('name-parts', [one, filler], query, one.name);

	test.each([
		['a part of the name', tool('', 'send_mail'), 'mail please', 10],
		['a part of the name, of an MCP server', tool('s', 'send_mail'), 'mail please', 12],
		['the server', tool('slack', 'post'), 'slack please', 12],
		['inside a part', tool('', 'send_mailbox'), 'mail please', 5],
		['inside a part, of an MCP server', tool('s', 'send_mailbox'), 'mail please', 6],
		['the description', tool('s', 'x', 'Sends mail'), 'mail please', 2],
		['the hint', { ...tool('s', 'x'), searchHint: 'electronic mail' }, 'mail please', 4],
		[
			'name, hint and description',
			{ ...tool('s', 'mail', 'Sends mail'), searchHint: 'mail' },
			'mail please',
			18,
		],
		['two words', tool('s', 'send_mail', 'Sends it'), 'send mail', 26],
		['the same word twice', tool('s', 'send_mail'), 'mail mail', 12],
		['accents', tool('s', 'x', 'Un café'), 'cafe please', 2],
	])('scores a match: %s', (_what, one, query, expected) => {
		expect(points(one, query)).toBe(expected);
	});

	test('splits names at CamelCase and dots as well as at underscores', () => {
		expect(points(tool('', 'whatsapp.sendPhoto'), 'photo please')).toBe(10);
	});
});
