import { describe, expect, test } from 'vitest';
import { wordsByField } from '../../../../src/discovery/search/byFields/fields.ts';
import { joinedTerm } from '../../../../src/discovery/search/words/analyzer.ts';
import type { Tool } from '../../../../src/discovery/tool.ts';

const tool: Tool = {
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

describe('the words of a tool stand in the field that has them', () => {
	const words = wordsByField(tool, { description: 'Tracks work', instructions: 'Ask before you close one' });

	test.each([
		['server', ['github', 'issues']],
		['name', ['create', 'issue']],
		['title', ['new', 'issue']],
		['hint', ['report', 'a', 'bug']],
		['summary', ['opens', 'issue', 'repository']],
		['description', ['labels', 'made', 'needed', 'e', 'g', 'bug']],
		['parameters', ['repo', 'name', 'priority']],
		['details', ['name', 'repository', 'urgent', 'later']],
		['instructions', ['tracks', 'work', 'ask', 'before', 'close']],
	] as const)('%s', (field, expected) => {
		expect(words[field]).toEqual(expected);
	});

	test('pairs: neighbours in name, title and summary, as one', () => {
		for (const pair of [
			['create', 'issue'],
			['new', 'issue'],
			['an', 'issue'],
			['a', 'repository'],
		]) {
			expect(words.pairs).toContain(joinedTerm(pair));
		}
		expect(words.pairs).not.toContain(joinedTerm(['issue', 'new']));
		expect(words.pairs).not.toContain(joinedTerm(['labels', 'are']));
	});
});

test('every word of a name counts, stop words of a description do not', () => {
	const words = wordsByField({ server: '', name: 'who_am_i', description: 'Who am I', inputSchema: {} });
	expect(words.name).toEqual(['who', 'am', 'i']);
	expect(words.summary).toEqual([]);
});

test('a description of white space before its first sentence loses no word', () => {
	const words = wordsByField({
		server: '',
		name: '',
		description: '\n\n  Draws maps. Prints them.',
		inputSchema: {},
	});
	expect([...words.summary, ...words.description]).toEqual(['draws', 'maps', 'prints']);
});

test('of long instructions the beginning is read, of long enumerations the first values', () => {
	const properties = { code: { enum: Array.from({ length: 1000 }, (_, i) => `value${i}`) } };
	const words = wordsByField(
		{ server: '', name: '', inputSchema: { properties } },
		{ instructions: `first ${'filler '.repeat(200)} last` },
	);
	expect(words.instructions).toContain('first');
	expect(words.instructions).not.toContain('last');
	expect(words.details).toContain('value0');
	expect(words.details).not.toContain('value999');
});

test.each([
	{},
	{ properties: null },
	{ properties: [] },
	{ properties: { a: null, b: true, c: 'text', d: { description: 7, enum: 'no list' }, e: { enum: [{}] } } },
])('a schema that says %j is no accident', (inputSchema) => {
	expect(wordsByField({ server: 's', name: 'n', inputSchema }).details).toEqual([]);
});
