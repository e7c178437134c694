import { describe, expect, test } from 'vitest';
import type { ServerDescription } from '../../../../../src/discovery/catalog/manifest.ts';
import type { Tool } from '../../../../../src/discovery/catalog/tool.ts';
import { defaultParameters } from '../../../../../src/discovery/search/byFields/parameters.ts';
import {
	ToolAnalyzer,
	type ToolDocument,
	wordsByField,
} from '../../../../../src/discovery/search/byFields/toolDocument.ts';
import { Vocabulary } from '../../../../../src/discovery/search/byFields/vocabulary.ts';
import { stem } from '../../../../../src/discovery/search/words/analyzer.ts';
import { Numbers } from '../../../../../src/discovery/search/words/textTable.ts';
import { tokenize } from '../../../../../src/discovery/search/words/tokenizer.ts';
import { tool } from '../../fixtures.ts';

const issueTool: Tool = {
	server: 'github-issues',
	name: 'create_issue',
	title: 'New issue',
	description: 'Opens an issue in a repository. Labels are made as needed, e.g. bug.',
	searchHint: 'report a bug',
	inputSchema: {
		type: 'object',
		properties: {
			repoName: { type: 'string', description: 'The name of the repository' },
			priority: { enum: ['urgent', 'later', 3, null] },
		},
	},
};

test('stop words are kept in a name but dropped from a description', () => {
	const words = wordsByField({ server: '', name: 'who_am_i', description: 'Who am I', inputSchema: {} });
	expect(words.name.words).toEqual(['who', 'am', 'i']);
	expect(words.summary.words).toEqual([]);
});

test('a word in mixed case is also kept whole', () => {
	const words = wordsByField(tool('s', 'n', 'Lists MySQL tables. Works with PostgreSQL, too.'));
	expect(words.summary).toEqual({ words: ['lists', 'sql', 'tables'], whole: ['mysql'] });
	expect(words.description.whole).toEqual(['postgresql']);
});

test('a description that starts with white space loses no words', () => {
	const words = wordsByField({
		server: '',
		name: '',
		description: '\n\n  Draws maps. Prints them.',
		inputSchema: {},
	});
	expect([...words.summary.words, ...words.description.words]).toEqual(['draws', 'maps', 'prints']);
});

test('long instructions and long enumerations are truncated', () => {
	const properties = { code: { enum: Array.from({ length: 1000 }, (_, i) => `value${i}`) } };
	const words = wordsByField(
		{ server: '', name: '', inputSchema: { properties } },
		{ instructions: `first ${'filler '.repeat(200)} last` },
	);
	expect(words.instructions.words).toContain('first');
	expect(words.instructions.words).not.toContain('last');
	expect(words.details.words).toContain('value0');
	expect(words.details.words).not.toContain('value999');
});

test.each([
	{},
	{ properties: null },
	{ properties: [] },
	{ properties: { a: null, b: true, c: 'text', d: { description: 7, enum: 'no list' }, e: { enum: [{}] } } },
])('an odd schema is accepted and yields no words: %j', (inputSchema) => {
	expect(wordsByField({ server: 's', name: 'n', inputSchema }).details.words).toEqual([]);
});

function analyzed(one: Tool, server?: ServerDescription) {
	const vocabulary = new Vocabulary();
	const document = new ToolAnalyzer(vocabulary, defaultParameters).analyze(one, server);
	return { document, impact: (word: string) => impactOf(document, vocabulary, word) };
}

/** What a word counts in a document; `undefined` where it has none. */
function impactOf(
	{ terms, impacts }: ToolDocument,
	vocabulary: Vocabulary,
	word: string,
): number | undefined {
	const at = terms.indexOf(vocabulary.find(stem(word)) ?? -1);
	return at < 0 ? undefined : impacts[at];
}

describe('the weight of a word', () => {
	const described = (word: string) => ({
		description: `Opens. It takes the ${word}`,
	});
	const where: readonly [string, Tool, ServerDescription?][] = [
		['in the name', tool('s', 'glim')],
		['in the first sentence', tool('s', 'x', 'Opens a glim')],
		['in the rest of the description', { ...tool('s', 'x'), ...described('glim') }],
		['in the name of a parameter', tool('s', 'x', '', { glim: 'string' })],
		[
			'in the description of a parameter',
			{ ...tool('s', 'x'), inputSchema: { properties: { p: { description: 'Some glim' } } } },
		],
		['in what servers say of themselves', tool('s', 'x'), { instructions: 'For every glim' }],
	];

	test('depends on the importance of its field', () => {
		const impacts = where.map(([, one, server]) => analyzed(one, server).impact('glim') ?? 0);
		expect(impacts).toEqual(impacts.toSorted((a, b) => b - a));
		expect(new Set(impacts).size).toBe(impacts.length);
	});

	test.each([
		...where,
		['in the title', { ...tool('s', 'x'), title: 'Glim' }],
		['in the hint', { ...tool('s', 'x'), searchHint: 'glims' }],
		['in the server name', tool('glim', 'x')],
		['in an enum value', { ...tool('s', 'x'), inputSchema: { properties: { mode: { enum: ['glim'] } } } }],
	] as typeof where)('%s is between 0 and 1', (_what, one, server) => {
		const impact = analyzed(one, server).impact('glim') ?? 0;
		expect(impact).toBeGreaterThan(0);
		expect(impact).toBeLessThan(1);
	});

	test('is higher but less than double when the word is repeated', () => {
		const once = analyzed(tool('s', 'x', 'glim flax wood')).impact('glim') ?? 0;
		const twice = analyzed(tool('s', 'x', 'glim glim wood')).impact('glim') ?? 0;
		expect(twice).toBeGreaterThan(once);
		expect(twice).toBeLessThan(2 * once);
	});

	test('is lower in a longer text', () => {
		const long = analyzed(tool('s', 'x', `glim ${'wood '.repeat(40)}`)).impact('glim');
		expect(long).toBeLessThan(analyzed(tool('s', 'x', 'glim wood')).impact('glim') ?? 0);
	});

	test('does not depend on tools analysed earlier', () => {
		const vocabulary = new Vocabulary();
		const analyzer = new ToolAnalyzer(vocabulary, defaultParameters);
		const one = tool('s', 'read_glim', 'Reads a glim', { path: 'string' });
		const first = analyzer.analyze(one, undefined);
		for (let i = 0; i < 2000; i++) analyzer.analyze(tool('s', `t${i}`, `Glim number${i}`), undefined);
		expect(analyzer.analyze(one, undefined)).toEqual(first);
	});
});

test('the terms of a document are distinct, and those from names come first', () => {
	const vocabulary = new Vocabulary();
	const one = { ...tool('glims', 'glim_read', 'Reads glims. Glims!', { glim: 'string' }), title: 'Flax' };
	const { terms, namingTerms } = new ToolAnalyzer(vocabulary, defaultParameters).analyze(one, undefined);
	const words = [...terms].map((id) => vocabulary.term(id));
	expect(new Set(words).size).toBe(words.length);
	expect(words.slice(0, namingTerms).sort()).toEqual(['flax', 'glim', 'read']);
	expect(words.slice(namingTerms)).toContain(stem('glimread'));
});

test('adjacent words in name, title and first sentence also count as one word', () => {
	const { impact } = analyzed(issueTool);
	for (const pair of ['createissue', 'newissue', 'anissue', 'arepository'])
		expect(impact(pair)).toBeGreaterThan(0);
	for (const pair of ['issuenew', 'labelsare']) expect(impact(pair)).toBeUndefined();
});

test('the term numbers in the index stand for the same words that explanations show', () => {
	const vocabulary = new Vocabulary();
	const texts = [
		['Lists', 'MySQL tables', 'HTTPServer URLs – “café” crème_brûlée'],
		['用Slack发送', 'naïve iPhone 12', 'x'.repeat(3000)],
	].flat();
	for (const text of texts) {
		const [words, whole] = [new Numbers(), new Numbers()];
		vocabulary.read(text, words, whole);
		const mixed: string[] = [];
		const expected = tokenize(text, mixed);
		const terms = ({ values, length }: Numbers) =>
			Array.from(values.subarray(0, length), (word) => vocabulary.term(vocabulary.termOf(word)));
		expect(terms(words)).toEqual(expected.map(stem));
		expect(terms(whole)).toEqual(mixed.map(stem));
	}
});

test('the terms of a name are its meaningful words without duplicates', () => {
	const { document } = analyzed(tool('s', 'get_the_glims_of_glim'));
	expect(document.nameTerms).toHaveLength(1);
});

test('the description score grows with the number of words up to 1', () => {
	const said = [0, 10, 30, 100, 1000].map(
		(words) => analyzed(tool('s', 'x', 'wood '.repeat(words))).document.detail,
	);
	expect(said[0]).toBe(0);
	expect(said).toEqual(said.toSorted((a, b) => a - b));
	expect(said[3]).toBe(1);
	expect(said[4]).toBe(1);
});
