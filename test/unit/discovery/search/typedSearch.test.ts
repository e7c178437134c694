import { describe, expect, test } from 'vitest';
import { type Tool, toolId } from '../../../../src/discovery/catalog/tool.ts';
import { TypedSearch } from '../../../../src/discovery/search/typedSearch.ts';
import { office, tool } from '../fixtures.ts';

const pause = () => Promise.resolve();
const officeTools = office.flatMap((server) => server.tools);

async function typed(text: string, tools: readonly Tool[] = officeTools, limit = 10) {
	const search = await TypedSearch.build(tools, pause);
	return search.search(text, limit);
}

async function found(text: string, tools?: readonly Tool[]): Promise<string[]> {
	return (await typed(text, tools)).map((hit) => toolId(hit.tool));
}

describe('search as you type finds a tool', () => {
	test.each([
		['by a word of its name', 'message', 'slack:send_message'],
		['by the beginning of the last word', 'send mes', 'slack:send_message'],
		['by its server and a word', 'slack search', 'slack:search'],
		['by its whole id', 'calendar:delete_event', 'calendar:delete_event'],
		['by its wire name', 'calendar__delete_event', 'calendar:delete_event'],
		['as a name in CamelCase', 'sendMessage', 'slack:send_message'],
		['whatever the case', 'SEND MESSAGE', 'slack:send_message'],
		['by abbreviations of several words', 'cal del', 'calendar:delete_event'],
		['where a letter is missing', 'send mesage', 'slack:send_message'],
		['where a letter is wrong', 'messege', 'slack:send_message'],
		['where two letters are swapped', 'craete', 'calendar:create_event'],
		['where two letters are swapped in the beginning of a word', 'craet', 'calendar:create_event'],
		['where two things are wrong', 'chanells', 'slack:list_channels'],
		['by what it is said to do', 'wrote', 'slack:search'],
	])('%s: “%s”', async (_, text, expected) => {
		expect((await found(text))[0]).toBe(expected);
	});

	test('by a word of its title or of its hint', async () => {
		const titled = { ...tool('zoo', 'x1'), title: 'Feed the lions', searchHint: 'dinner' };
		expect(await found('lion', [titled])).toEqual(['zoo:x1']);
		expect(await found('dinn', [titled])).toEqual(['zoo:x1']);
	});

	test('in a script without spaces', async () => {
		const weather = tool('tenki', 'forecast', '東京の天気予報を取得する');
		expect(await found('天気', [weather, ...officeTools])).toEqual(['tenki:forecast']);
	});

	test('but not by the middle of a word or by a word that it lacks', async () => {
		expect(await found('essage')).not.toContain('calendar:create_event');
		expect(await found('xylophone')).toEqual([]);
		expect(await found('--- !')).toEqual([]);
		expect(await found('')).toEqual([]);
	});

	test('and handles any input, such as regular expressions and very long text', async () => {
		for (const text of ['$(bug)', '.*', 'constructor __proto__', 'é'.repeat(5000), 'a '.repeat(5000)]) {
			expect((await typed(text)).length).toBeLessThan(officeTools.length + 1);
		}
	});
});

describe('tools that match all words', () => {
	test('hide tools that match only some words', async () => {
		expect(await found('search events')).toEqual(['calendar:search']);
	});

	test('are marked complete; when there are none, tools that match some words are returned', async () => {
		expect((await typed('search events')).every(({ complete }) => complete)).toBe(true);
		const some = await typed('event xylophone');
		expect(some.map((hit) => hit.tool.name)).toEqual(['create_event', 'delete_event']);
		expect(some.some(({ complete }) => complete)).toBe(false);
	});

	test('may lack stop words, but rank higher when they have them', async () => {
		const tools = [tool('git', 'close_issue', 'Close an issue'), tool('git', 'get_issue', 'An issue')];
		expect(await found('get issue', tools)).toEqual(['git:get_issue', 'git:close_issue']);
		expect((await found('send a message to'))[0]).toBe('slack:send_message');
	});

	test('are found by stop words when nothing else is typed', async () => {
		expect(await found('who am i', [...officeTools, tool('git', 'who_am_i')])).toEqual(['git:who_am_i']);
	});
});

describe('the order of hits', () => {
	const search = tool('web', 'search_images', 'Search. Search search. Search images for search.');

	test('puts a tool with exactly that name first', async () => {
		const tools = [search, tool('a', 'search_all', 'Search search'), tool('b', 'search', 'Looks things up')];
		expect((await found('search', tools))[0]).toBe('b:search');
		expect((await found('web search images', [tool('a', 'search_images'), search]))[0]).toBe(
			'web:search_images',
		);
	});

	test('ranks a match in the name, title, first sentence and rest of the description, in this order', async () => {
		const tools = [
			tool('s', 'd', 'Does things. Also the glimmer.'),
			tool('s', 'c', 'Feeds the glimmer.'),
			{ ...tool('s', 'b'), title: 'Glimmer' },
			tool('s', 'glimmer_feed'),
		];
		expect(await found('glimmer', tools)).toEqual(['s:glimmer_feed', 's:b', 's:c', 's:d']);
	});

	test('puts an exact match before a longer word', async () => {
		const tools = [tool('s', 'issues_of'), tool('s', 'issue_of')];
		expect(await found('issue', tools)).toEqual(['s:issue_of', 's:issues_of']);
	});

	test('keeps the input order of equally good hits', async () => {
		const tools = ['c', 'a', 'b'].map((server) => tool(server, 'ping'));
		expect(await found('ping', tools)).toEqual(['c:ping', 'a:ping', 'b:ping']);
		expect(await typed('ping', tools, 2)).toHaveLength(2);
	});
});

describe('the explanation of a hit', () => {
	const why = async (text: string, tools?: readonly Tool[]) => (await typed(text, tools))[0]?.matches;

	test('lists each typed word in order, with its most important field', async () => {
		expect(await why('workspace list slack')).toEqual([
			{ word: 'workspace', field: 'summary' },
			{ word: 'list', field: 'name' },
			{ word: 'slack', field: 'server' },
		]);
	});

	test('shows the tool’s word when it differs from the typed one', async () => {
		expect(await why('mess')).toEqual([{ word: 'mess', field: 'name', as: 'message' }]);
		expect(await why('craete')).toEqual([{ word: 'craete', field: 'name', as: 'create' }]);
	});

	test('prefers an exact match to a similar word', async () => {
		const both = tool('s', 'fine', 'Opens a file', {});
		expect(await why('file', [both])).toEqual([{ word: 'file', field: 'summary' }]);
	});

	test('omits words that the tool lacks', async () => {
		expect(await why('events xylophone')).toEqual([{ word: 'events', field: 'summary' }]);
	});
});

describe('the index', () => {
	test('pauses while it is built, so that other work can run', async () => {
		let pauses = 0;
		await TypedSearch.build(
			Array.from({ length: 1000 }, (_, i) => tool('s', `t${i}`)),
			async () => {
				pauses++;
			},
		);
		expect(pauses).toBeGreaterThanOrEqual(10);
	});

	test('is reused for tools with the same texts in the same order, and for no others', async () => {
		const index = await TypedSearch.build(officeTools, pause);
		expect(index.isOf(officeTools.map((one) => ({ ...one })))).toBe(true);
		expect(index.isOf(officeTools.slice(1))).toBe(false);
		expect(index.isOf(officeTools.map((one) => ({ ...one, searchHint: 'dinner' })))).toBe(false);
		expect(index.isOf(officeTools.toReversed())).toBe(false);
	});
});
