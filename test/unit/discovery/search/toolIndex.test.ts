import { describe, expect, test } from 'vitest';
import { compareStrings } from '../../../../src/common/text.ts';
import type { Ranking } from '../../../../src/discovery/catalog/policy.ts';
import { toolId } from '../../../../src/discovery/catalog/tool.ts';
import { certainty } from '../../../../src/discovery/search/certainty.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { office, tool } from '../fixtures.ts';
import { found } from './searching.ts';

const rankings: readonly Ranking[] = ['default', 'okapi', 'name-parts'];
const officeTools = office.flatMap((server) => server.tools);

describe.each(rankings)('ranking %s', (ranking) => {
	test('finds a tool by words that describe it', () => {
		expect(found(officeTools, 'create calendar event', { ranking })[0]).toBe('calendar:create_event');
		expect(found(officeTools, 'send message', { ranking })[0]).toBe('slack:send_message');
	});

	test('returns only matches, best first, in a stable order', () => {
		const index = new ToolIndex(officeTools, { ranking });
		const hits = index.search('delete event', { unlikely: true });
		expect(hits.every((hit) => hit.score > 0)).toBe(true);
		expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => b - a));
		expect(index.search('delete event', { unlikely: true })).toEqual(hits);
		expect(found([...officeTools].reverse(), 'delete event', { ranking })).toEqual(
			hits.map((hit) => toolId(hit.tool)),
		);
		expect(index.search('xylophone zither', { unlikely: true })).toEqual([]);
	});

	test('sorts tools with equal scores by name and server', () => {
		const twins = ['s:file_b', 'r:file_b', 'q:file_a', 'p:file_a'].map((id) => {
			const [server = '', name = ''] = id.split(':');
			return tool(server, name, 'Draw a map', {
				size: server === 'q' || server === 's' ? 'number!' : 'number',
			});
		});
		const inOrder = ['p:file_a', 'q:file_a', 'r:file_b', 's:file_b'];
		expect(found(twins, 'draw map', { ranking })).toEqual(inOrder);
		expect(found(twins.toReversed(), 'draw map', { ranking })).toEqual(inOrder);
	});

	test.each(['slack__list_channels', 'slack:list_channels', 'list_channels', 'LIST_CHANNELS'])(
		'ranks the tool named %s first, whatever else the query says',
		(name) => {
			const decoys = Array.from({ length: 5 }, (_, i) =>
				tool('decoy', `d${i}`, 'send message create event list channels'),
			);
			const query = `create event, then use ${name}, send message`;
			expect(found([...decoys, ...officeTools], query, { ranking })[0]).toBe('slack:list_channels');
			expect(found([...decoys, ...officeTools], `\`${name}\`.`, { ranking })[0]).toBe('slack:list_channels');
		},
	);

	test('ranks a tool with a one-word name first when the query is that word', () => {
		const tools = [tool('web', 'fetch', 'Get a page'), tool('dog', 'play_fetch', 'fetch fetch fetch fetch')];
		expect(found(tools, 'fetch', { ranking })[0]).toBe('web:fetch');
	});

	test.each(['get_user', 'who_am_i', 'use_tool', 'get'])(
		'finds the tool %s by its name, although the name has only common words',
		(name) => {
			const tools = [...officeTools, tool('hub', name, 'Profile'), tool('hub', 'star', 'Give a star')];
			expect(found(tools, name, { ranking })[0]).toBe(`hub:${name}`);
			expect(found(tools, name.replaceAll('_', ' '), { ranking })).toContain(`hub:${name}`);
		},
	);

	test('finds the tools of a server by the server name in their names', () => {
		const wired = [
			tool('', 'mcp__slack__send_message', 'Posts'),
			tool('', 'mcp__mail__send', 'Posts'),
			tool('', 'x', 'y'),
		];
		expect(found(wired, 'slack', { ranking })).toEqual([':mcp__slack__send_message']);
	});

	test('ranks a corpus of only one or two tools', () => {
		const one = [tool('files', 'read_file', 'Read a file from disk')];
		const two = [...one, tool('files', 'write_file', 'Write a file to disk')];
		expect(found(one, 'read a file', { ranking })).toEqual(['files:read_file']);
		expect(found(two, 'write a file', { ranking })[0]).toBe('files:write_file');
		expect(found(two, 'zebra', { ranking })).toEqual([]);
	});

	test('finds nothing in an empty corpus or in tools without text', () => {
		expect(found([], 'anything', { ranking })).toEqual([]);
		expect(found([tool('', '')], 'anything', { ranking })).toEqual([]);
	});

	test('filters by server before it applies the limit', () => {
		expect(found(officeTools, 'search', { ranking, server: 'calendar', limit: 1 })).toEqual([
			'calendar:search',
		]);
	});

	test('truncates a query of one megabyte and still finds the tool', () => {
		expect(found(officeTools, `send message ${'lorem ipsum '.repeat(90_000)}`, { ranking })[0]).toBe(
			'slack:send_message',
		);
	});

	describe('a word marked +', () => {
		test('must occur in a match, and the other words rank the matches', () => {
			expect(found(officeTools, '+slack channels', { ranking })[0]).toBe('slack:list_channels');
			expect(found(officeTools, '+calendar search', { ranking })[0]).toBe('calendar:search');
			expect(
				found(officeTools, '+slack event search', { ranking }).every((id) => id.startsWith('slack:')),
			).toBe(true);
		});

		test('finds nothing when no tool has it', () => {
			expect(found(officeTools, '+xylophone search', { ranking })).toEqual([]);
		});

		test('is not confused with a telephone number', () => {
			expect(found(officeTools, 'send message to +14155550123', { ranking })[0]).toBe('slack:send_message');
			expect(found(officeTools, 'send message to +1 415 555 0123', { ranking })[0]).toBe(
				'slack:send_message',
			);
		});

		test('can be given twice, and matches in any form and case', () => {
			expect(found(officeTools, '+calendar +Search', { ranking })[0]).toBe('calendar:search');
			expect(found(officeTools, '+sendMessage', { ranking })).toEqual(['slack:send_message']);
			expect(found(officeTools, '+searching events', { ranking })[0]).toBe('calendar:search');
		});
	});
});

// Okapi knows no hints and no servers: its documents are names and descriptions.
describe.each<Ranking>(['default', 'name-parts'])('ranking %s', (ranking) => {
	test('finds a tool by its hint alone', () => {
		const hinted = { ...tool('s', 'x1', 'Opaque'), searchHint: 'yodel a chat message' };
		expect(found([hinted, ...officeTools], 'yodel', { ranking })).toEqual(['s:x1']);
	});

	test('ranks by the word marked + when no other word matches', () => {
		const all = ['slack:list_channels', 'slack:search', 'slack:send_message'];
		expect(found(officeTools, '+slack', { ranking }).sort()).toEqual(all);
		expect(found(officeTools, '+slack xylophone', { ranking }).sort()).toEqual(all);
	});
});

describe('the default ranking', () => {
	test('ranks a tool that matches the whole query above one that matches half of it', () => {
		const tools = [
			tool('a', 'pdf_tool', 'pdf pdf pdf pdf'),
			tool('b', 'converter', 'Convert documents such as pdf into word'),
			tool('c', 'other', 'Something else'),
		];
		expect(found(tools, 'convert pdf word')[0]).toBe('b:converter');
	});

	test('finds a tool by its parameters', () => {
		const tools = [
			tool('a', 'run', 'Does it', { latitude: 'number' }),
			tool('b', 'walk', 'Does it'),
			tool('c', 'sit', 'Does it'),
		];
		expect(found(tools, 'latitude')).toEqual(['a:run']);
	});

	test('finds a Chinese description by a part of its sentence', () => {
		expect(found([tool('a', 'x', '获取当前天气信息'), tool('b', 'y', '发送邮件')], '天气')).toEqual(['a:x']);
	});
});

const verbs = ['read', 'write', 'list', 'move', 'print'];
const things = ['map', 'song', 'letter', 'picture', 'recipe', 'ticket', 'invoice'];

/** Each verb with each thing on 60 servers. */
const tools = Array.from({ length: 60 }, (_, i) =>
	verbs.flatMap((verb) =>
		things.map((thing) => tool(`server${i}`, `${verb}_${thing}`, `Can ${verb} a ${thing}`, { id: 'string' })),
	),
).flat();
const index = new ToolIndex(tools);
const unlikely = true;

describe('among thousands of tools', () => {
	test('all matches are counted, whatever the limit is', () => {
		for (const limit of [1, 5, 100, undefined]) {
			const { hits, matches } = index.find('song', { unlikely, ...(limit !== undefined && { limit }) });
			expect(matches).toBe(60 * verbs.length);
			expect(hits).toHaveLength(limit ?? matches);
		}
	});

	test('a limit of 0 returns no hits', () => {
		expect(index.search('song', { limit: 0, unlikely })).toEqual([]);
	});

	test('a limited search returns the first hits of the unlimited one', () => {
		const all = index.search('move the letter and print it', { unlikely });
		for (const limit of [1, 5, 24, 25, 300]) {
			expect(index.search('move the letter and print it', { limit, unlikely })).toEqual(all.slice(0, limit));
		}
	});

	test('hits are sorted by score, then by name and server', () => {
		const hits = index.search('move the letter', { unlikely });
		for (const [i, hit] of hits.slice(1).entries()) {
			const before = hits[i];
			if (!before) continue;
			expect(before.score).toBeGreaterThanOrEqual(hit.score);
			if (before.score > hit.score) continue;
			const names = [before, hit].map(({ tool: one }) => `${one.name}\n${one.server}`);
			expect(names).toEqual(names.toSorted());
		}
	});

	test('a search of one server finds and counts only its tools', () => {
		const { hits, matches } = index.find('song', { server: 'server7', unlikely });
		expect(hits.map((hit) => toolId(hit.tool)).sort()).toEqual(
			verbs.map((verb) => `server7:${verb}_song`).sort(),
		);
		expect(matches).toBe(verbs.length);
	});
});

test('many tools with the same score are sorted by name', () => {
	// Long names make all of them worse; descriptions of three lengths make some worse than others.
	const stones = ['flax', 'quartz', 'slate', 'chalk', 'sand', 'clay', 'ore'];
	const uneven = Array.from({ length: 80 }, (_, i) =>
		tool(`s${i}`, stones.map((stone) => stone + i).join('_'), `Shows a glim${' wood'.repeat((i * 7) % 3)}`),
	);
	const hits = new ToolIndex(uneven).search('glim', { unlikely });
	const sorted = hits.toSorted((a, b) => b.score - a.score || compareStrings(a.tool.name, b.tool.name));
	expect(hits.map((hit) => hit.tool.name)).toEqual(sorted.map((hit) => hit.tool.name));
});

describe('given a word that tools use in another sense', () => {
	const index = new ToolIndex([
		tool('web', 'select_page', 'Select a page of the browser as the context for future calls'),
		tool('web', 'click', 'Click an element of the page'),
		tool('books', 'list_tax_rates', 'List the tax rates of the organisation'),
		tool('books', 'create_invoice', 'Create an invoice for a customer'),
	]);

	test.each(['trade bitcoin futures', 'find a page of my favourite novel'])(
		'when the query means something else, then no match is sure: %s',
		(query) => {
			expect(index.search(query).filter(({ confidence = 1 }) => confidence >= certainty)).toEqual([]);
		},
	);

	test.each([
		['find the page of the browser that I had open', 'select_page'],
		['which tax rate do I use', 'list_tax_rates'],
		['bill a customer', 'create_invoice'],
	])('when the query means the same, then the tool is found: %s', (query, name) => {
		expect(index.search(query)[0]?.tool.name).toBe(name);
	});
});

test('a weekday is not taken for the name of a service', () => {
	const index = new ToolIndex([tool('town', 'find_events', 'Finds events on a day'), ...tools.slice(0, 5)]);
	const confidence = (query: string) => index.search(query, { unlikely: true })[0]?.confidence;
	expect(confidence('are there events in town on Monday')).toBe(
		confidence('are there events in town on Tuesday'),
	);
});

test('a tool that is found only by its name is counted as a match', () => {
	const named = tool('jobs', 'run_2024_11', 'Does it');
	const small = new ToolIndex([named, ...tools.slice(0, 30)]);
	const query = 'run_2024_11 for the song';
	const { hits, matches } = small.find(query, { unlikely });
	expect(hits[0]?.tool).toBe(named);
	expect(matches).toBe(hits.length);
	expect(small.find(query, { limit: 1, unlikely }).matches).toBe(matches);
});

const queries = ['send a message', 'search', 'zorp', 'calandar', '+slack list', 'create_event', ''];

function many(count: number) {
	return Array.from({ length: count }, (_, i) => tool('s', `t${i}`, 'Draws a map'));
}

async function pausesFor(count: number, ranking: Ranking): Promise<number> {
	let pauses = 0;
	const pause = () => {
		pauses++;
		return Promise.resolve();
	};
	await ToolIndex.build(many(count), { ranking, pause });
	return pauses;
}

describe.each(rankings)('an index with ranking %s that is built in steps', (ranking) => {
	const pause = () => Promise.resolve();

	test('gives the same results as one that is built at once', async () => {
		const options = {
			ranking,
			synonyms: ['zorp => message'],
			servers: new Map([['slack', { description: 'Talk to people' }]]),
		};
		const tools = [...officeTools, ...many(600)].toReversed();
		const atOnce = new ToolIndex(tools, options);
		const inSteps = await ToolIndex.build(tools, { ...options, pause });
		expect(inSteps.tools).toEqual(atOnce.tools);
		for (const query of queries) {
			expect(inSteps.find(query)).toEqual(atOnce.find(query));
			expect(inSteps.find(query, { unlikely: true, server: 'slack', limit: 2 })).toEqual(
				atOnce.find(query, { unlikely: true, server: 'slack', limit: 2 }),
			);
			for (const one of officeTools) expect(inSteps.explain(query, one)).toEqual(atOnce.explain(query, one));
		}
	});

	test('pauses more often when there are more tools', async () => {
		await pausesFor(1, ranking);
		const [few, more, most] = [
			await pausesFor(1, ranking),
			await pausesFor(1000, ranking),
			await pausesFor(3000, ranking),
		];
		expect(more - few).toBeGreaterThanOrEqual(3);
		expect(most - few).toBeGreaterThanOrEqual(2 * (more - few));
	});

	test('fails to build when a pause fails', async () => {
		const stopped = new Error('the session has ended');
		await expect(ToolIndex.build(many(1000), { ranking, pause: () => Promise.reject(stopped) })).rejects.toBe(
			stopped,
		);
	});
});
