import { describe, expect, test } from 'vitest';
import { defaultParameters } from '../../../../src/discovery/search/byFields/parameters.ts';
import { ToolIndex, type ToolIndexOptions } from '../../../../src/discovery/search/toolIndex.ts';
import type { JsonSchema, Tool } from '../../../../src/discovery/tool.ts';
import { office, tool } from '../fixtures.ts';

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

describe('an index that follows another answers as a new one', () => {
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
		['where parameters changed', [...others, { ...first, inputSchema: { properties: { zorp: {} } } }]],
		['where a tool went to another server', [...others, { ...first, server: 'zorp' }]],
		['where all are others', [tool('zoo', 'zorp_glim', 'Feeds the glim')]],
		['where none is left', []],
	];

	test.each(changes)('%s', (_what, tools) => {
		expectLikeNew(new ToolIndex(tools, { previous }), tools);
		expectLikeNew(previous, officeTools);
	});

	test('where a server says something else of itself', () => {
		const before = new ToolIndex(officeTools, { servers: new Map([['slack', { instructions: 'A glim' }]]) });
		const options = { servers: new Map([['slack', { description: 'A zorp' }]]) };
		expectLikeNew(new ToolIndex(officeTools, { ...options, previous: before }), officeTools, options);
		expectLikeNew(new ToolIndex(officeTools, { previous: before }), officeTools);
	});

	test('where synonyms, weights or the ranking are others', () => {
		const synonyms = ['zorp => message'];
		expectLikeNew(new ToolIndex(officeTools, { synonyms, previous }), officeTools, { synonyms });
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

	test('where a word may be one of many that are as near', () => {
		const near = ['kubernbbb', 'kubernccc', 'kubernddd', 'kuberneee'].map((name) =>
			tool('zoo', name, 'Feeds'),
		);
		const tools = [...near, tool('zoo', 'kubernaaa', 'Feeds')];
		expectLikeNew(new ToolIndex(tools, { previous: new ToolIndex(near) }), tools);
	});
});

describe('analysed anew', () => {
	test('is what changed, and nothing else', () => {
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

	test('are the tools of a server that says something else of itself', () => {
		const readings = new Set<string>();
		const tools = [watched('s', 'one', readings), watched('r', 'two', readings)];
		const previous = new ToolIndex(tools, { servers: new Map([['r', { instructions: 'Glim' }]]) });
		readings.clear();
		new ToolIndex(tools, { servers: new Map([['r', { instructions: 'Zorp' }]]), previous });
		expect([...readings]).toEqual(['two']);
	});

	test('is nothing where only the objects around the tools are new', () => {
		const readings = new Set<string>();
		const tools = [watched('s', 'one', readings), watched('s', 'two', readings)];
		const previous = new ToolIndex(tools);
		readings.clear();
		new ToolIndex(tools.map((one) => ({ ...one })).toReversed(), { previous, synonyms: ['zorp, glim'] });
		expect([...readings]).toEqual([]);
	});
});
