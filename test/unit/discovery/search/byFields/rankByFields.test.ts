import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../../../src/common/jsonSchema.ts';
import type { Tool } from '../../../../../src/discovery/catalog/tool.ts';
import { defaultParameters } from '../../../../../src/discovery/search/byFields/parameters.ts';
import { ToolIndex, type ToolIndexOptions } from '../../../../../src/discovery/search/toolIndex.ts';
import { office, tool } from '../../fixtures.ts';
import { found } from '../searching.ts';

const fillers = ['plan_trip', 'draw_map', 'play_song'].map((name) => tool('other', name, 'Something else'));

describe('synonyms', () => {
	const synonyms = ['glim => tint, hue, shade', 'zorp, blick'];

	test('count less than the exact word', () => {
		const two = [tool('a', 'zorp_it', 'A zorp'), tool('b', 'blick_it', 'A blick')];
		expect(found([...fillers, ...two], 'zorp', { synonyms })).toEqual(['a:zorp_it', 'b:blick_it']);
		expect(found([...fillers, ...two], 'blick', { synonyms })).toEqual(['b:blick_it', 'a:zorp_it']);
	});

	test('do not add up: only the best synonym counts', () => {
		// Each of the three words stands in two descriptions of a length, so that all are as rare and count as much.
		const tools = [
			tool('s', 'all', 'Tint hue shade'),
			tool('s', 'bark', 'Tint paper glass'),
			tool('s', 'coal', 'Hue wood stone'),
			tool('s', 'dust', 'Shade iron clay'),
		].map((one) => ({ ...one, name: one.name === 'all' ? 'acid' : one.name }));
		const hits = new ToolIndex(tools, { synonyms }).search('glim', { unlikely: true });
		expect(hits.map((hit) => hit.tool.name)).toEqual(['acid', 'bark', 'coal', 'dust']);
		expect(new Set(hits.map((hit) => hit.score)).size).toBe(1);
	});

	test('do not add to the score of the exact word', () => {
		const tools = [
			tool('s', 'acid', 'Zorp blick wood'),
			tool('s', 'bark', 'Zorp stone wood'),
			tool('s', 'coal', 'Blick iron clay'),
			...fillers,
		];
		const [one, other] = new ToolIndex(tools, { synonyms }).search('zorp', { unlikely: true });
		expect(one?.score).toBe(other?.score);
	});
});

describe('the request as a whole', () => {
	test('counts more than a repeated match of one half', () => {
		const tools = [
			tool('a', 'glim', 'Glim glim. All about the glim, glims and glim'),
			tool('b', 'convert', 'Turns a glim into flax'),
			...fillers,
		];
		expect(found(tools, 'glim into flax')[0]).toBe('b:convert');
	});

	test('prefers an exact tool name to longer names', () => {
		const tools = ['create_issue_comment', 'create_issue_label', 'create_issue', 'update_issue'].map((name) =>
			tool('hub', name, 'Works on an issue of a repository'),
		);
		expect(found(tools, 'create issue')[0]).toBe('hub:create_issue');
		expect(found(tools, 'create a comment on an issue')[0]).toBe('hub:create_issue_comment');
	});

	test.each(['brewdeck', 'BrewDeck'])(
		'prefers the server that it names, however many tools that has: %s',
		(server) => {
			const things =
				'rooms guests meals bills keys maids taxes towels lamps beds chairs doors walls floors'.split(' ');
			const tools = [
				...things.map((thing) => tool(server, `list_${thing}`, `Lists all ${thing}`)),
				tool('zoo', 'guests', 'Lists the guests of the parrot'),
				tool('other', 'plan_trip', 'Something else'),
			];
			expect(found(tools, 'which guests of Brewdeck saw the parrot')[0]).toBe(`${server}:list_guests`);
		},
	);
});

describe('the order of hits', () => {
	const tools = [...office.flatMap((server) => server.tools), ...fillers];
	const queries = [
		'search',
		'send the message',
		'delete an event and list the channels',
		'calandar',
		'something',
	];

	test('does not depend on the order of the tools', () => {
		const expected = queries.map((query) => new ToolIndex(tools).search(query, { unlikely: true }));
		const all = { minLength: tools.length, maxLength: tools.length };
		fc.assert(
			fc.property(fc.shuffledSubarray(tools, all), (shuffled) => {
				const index = new ToolIndex(shuffled);
				expect(queries.map((query) => index.search(query, { unlikely: true }))).toEqual(expected);
			}),
			{ numRuns: 20 },
		);
	});

	test.each(['synonym', 'pair', 'quoted', 'smallTalk'] as const)(
		'has each tool once when the weight %s is zero',
		(weight) => {
			const parameters = { ...defaultParameters, [weight]: 0 };
			for (const query of [...queries, 'bin the "event" and search events', 'hello list channels']) {
				const hits = found(tools, query, { parameters });
				expect(hits).toEqual([...new Set(hits)]);
			}
		},
	);

	test('does not depend on earlier queries', () => {
		const index = new ToolIndex(tools);
		const first = queries.map((query) => index.search(query, { unlikely: true }));
		for (const query of queries.toReversed()) index.search(query);
		expect(queries.map((query) => index.search(query, { unlikely: true }))).toEqual(first);
	});
});

const officeTools = office.flatMap((server) => server.tools);
const queries = [
	'send a message',
	'search',
	'create event',
	'calandar',
	'zorp glim',
	'slack',
	'kubern',
	'delete_event',
];

/** Expects of an index that follows others the same answers as of one that is new. */
function expectLikeNew(index: ToolIndex, tools: readonly Tool[], options: ToolIndexOptions = {}): void {
	const fresh = new ToolIndex(tools, options);
	for (const query of queries) {
		expect(index.find(query, { unlikely: true })).toEqual(fresh.find(query, { unlikely: true }));
		for (const one of tools) expect(index.explain(query, one)).toEqual(fresh.explain(query, one));
	}
}

/** A tool that notes each time its parameters are read, which only its analysis does. */
function watched(server: string, name: string, readings: Set<string>): Tool {
	const inputSchema: JsonSchema = {
		get properties() {
			readings.add(name);
			return {};
		},
	};
	return { server, name, description: `What ${name} does`, inputSchema };
}

describe('an index that is built from a previous one gives the same results as a new one', () => {
	const previous = new ToolIndex(officeTools);
	const [first, ...others] = officeTools;
	if (!first) throw new Error('the office has no tools');
	const changes: readonly [string, readonly Tool[]][] = [
		['where nothing changed', officeTools],
		['where a tool came', [...officeTools, tool('zoo', 'zorp_glim', 'Feeds the glim')]],
		['where a tool went', others],
		['where a description changed', [...others, { ...first, description: 'Feeds the glim' }]],
		['where a title changed', [...others, { ...first, title: 'Zorp' }]],
		['where a hint changed', [...others, { ...first, searchHint: 'zorp' }]],
		['where an expansion came', [...others, { ...first, expansion: { queries: ['zorp glim'] } }]],
		['where parameters changed', [...others, { ...first, inputSchema: { properties: { zorp: {} } } }]],
		['where a tool went to another server', [...others, { ...first, server: 'zorp' }]],
		['where all are others', [tool('zoo', 'zorp_glim', 'Feeds the glim')]],
		['where none is left', []],
	];

	test.each(changes)('%s', (_what, tools) => {
		expectLikeNew(new ToolIndex(tools, { previous }), tools);
		expectLikeNew(previous, officeTools);
	});

	test('where the instructions of a server changed', () => {
		const before = new ToolIndex(officeTools, { servers: new Map([['slack', { instructions: 'A glim' }]]) });
		const options = { servers: new Map([['slack', { description: 'A zorp' }]]) };
		expectLikeNew(new ToolIndex(officeTools, { ...options, previous: before }), officeTools, options);
		expectLikeNew(new ToolIndex(officeTools, { previous: before }), officeTools);
	});

	test('where synonyms, weights or the ranking changed', () => {
		const synonyms = ['zorp => message'];
		const own = new ToolIndex(officeTools, { synonyms, previous });
		expectLikeNew(own, officeTools, { synonyms });
		expectLikeNew(new ToolIndex(officeTools, { previous: own }), officeTools);
		const parameters = { ...defaultParameters, saturation: 9, synonym: 0.9 };
		expectLikeNew(new ToolIndex(officeTools, { parameters, previous }), officeTools, { parameters });
		const okapi = new ToolIndex(officeTools, { ranking: 'okapi', previous });
		expectLikeNew(okapi, officeTools, { ranking: 'okapi' });
		expectLikeNew(new ToolIndex(officeTools, { previous: okapi }), officeTools);
	});

	test('after many changes', () => {
		let index = previous;
		for (let round = 0; round < 12; round++) {
			const passing = Array.from({ length: 10 }, (_, i) =>
				tool('zoo', `t${i}`, `Glim r${round}x${i} wood${round}`),
			);
			const tools = [...officeTools, ...passing];
			index = new ToolIndex(tools, { previous: index });
			expectLikeNew(index, tools);
		}
	});

	test('where a new tool adds another equally similar word', () => {
		const near = ['kubernbbb', 'kubernccc', 'kubernddd', 'kuberneee'].map((name) =>
			tool('zoo', name, 'Feeds'),
		);
		const tools = [...near, tool('zoo', 'kubernaaa', 'Feeds')];
		expectLikeNew(new ToolIndex(tools, { previous: new ToolIndex(near) }), tools);
	});
});

describe('when an index is built from a previous one', () => {
	test('then only new and changed tools are analysed again', () => {
		const readings = new Set<string>();
		const [one, two, three] = ['one', 'two', 'three'].map((name) => watched('s', name, readings)) as [
			Tool,
			Tool,
			Tool,
		];
		const previous = new ToolIndex([one, two, three]);
		expect([...readings].sort()).toEqual(['one', 'three', 'two']);

		readings.clear();
		const next = new ToolIndex(
			[one, { ...two, description: 'Something else' }, watched('s', 'four', readings)],
			{ previous },
		);
		expect([...readings].sort()).toEqual(['four', 'two']);

		readings.clear();
		new ToolIndex([one, three], { previous: next });
		expect([...readings]).toEqual(['three']);
	});

	test('then the tools of a server with changed instructions are analysed again', () => {
		const readings = new Set<string>();
		const tools = [watched('s', 'one', readings), watched('r', 'two', readings)];
		const previous = new ToolIndex(tools, { servers: new Map([['r', { instructions: 'Glim' }]]) });
		readings.clear();
		new ToolIndex(tools, { servers: new Map([['r', { instructions: 'Zorp' }]]), previous });
		expect([...readings]).toEqual(['two']);
	});

	test('then no tool is analysed again if only copies and order differ, unless its expansion does', () => {
		const readings = new Set<string>();
		const expansion = { when: 'To feed a glim.', queries: ['feed', 'zorp'] };
		const tools = ['one', 'two'].map((name) => ({ ...watched('s', name, readings), expansion }));
		const previous = new ToolIndex(tools);
		readings.clear();
		const copies = tools.map((one) => ({ ...one, expansion: structuredClone(expansion) }));
		new ToolIndex(copies.toReversed(), { previous, synonyms: ['zorp, glim'] });
		expect([...readings]).toEqual([]);
		for (const changed of [{ when: expansion.when }, { queries: expansion.queries }, undefined]) {
			readings.clear();
			new ToolIndex(copies.map((one) => ({ ...one, expansion: changed })) as Tool[], { previous });
			expect(readings.size).toBe(2);
		}
	});
});
