import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../../src/discovery/catalog/tool.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../fixtures.ts';

const chat: Tool = {
	server: 'slack',
	name: 'post_message',
	title: 'Speak up',
	description: 'Writes to a channel. Mentions wake their owners.',
	searchHint: 'chat with people',
	inputSchema: {
		properties: {
			threadId: { description: 'The conversation to continue' },
			urgency: { enum: ['loud', 'silent'] },
		},
	},
};
const glimmer = tool('zoo', 'glimmer', 'Feeds the glimmer');
const synonyms = ['zorp => message', 'hurl out => post'];
const servers = new Map([['slack', { instructions: 'Ask the librarian' }]]);
const index = new ToolIndex([chat, glimmer], { synonyms, servers });

describe('the explanation of a match', () => {
	test.each([
		['post', 'name'],
		['speak', 'title'],
		['chat', 'hint'],
		['slack', 'server'],
		['channel', 'summary'],
		['wake', 'description'],
		['thread', 'parameters'],
		['conversation', 'details'],
		['silent', 'details'],
		['librarian', 'instructions'],
	])('attributes the word %s to the field %s', (word, field) => {
		expect(index.explain(word, chat)).toEqual([{ word, field }]);
	});

	test('lists words in the order of the query, without stop words', () => {
		expect(index.explain('what wakes the slack channel', chat).map(({ word }) => word)).toEqual([
			'wakes',
			'slack',
			'channel',
		]);
	});

	test('names the most important of several fields', () => {
		const both = tool('s', 'glim', 'Feeds a glim', { glim: 'string' });
		expect(new ToolIndex([both]).explain('glim', both)).toEqual([{ word: 'glim', field: 'name' }]);
	});

	test('shows the form of the word that the tool uses', () => {
		expect(index.explain('posting', chat)).toEqual([{ word: 'posting', field: 'name', as: 'post' }]);
	});

	test('shows which word of the tool a synonym matched', () => {
		expect(index.explain('zorp', chat)).toEqual([{ word: 'zorp', field: 'name', as: 'message' }]);
	});

	test('shows which word of the tool a misspelt word matched', () => {
		expect(index.explain('glimer', glimmer)).toEqual([{ word: 'glimer', field: 'name', as: 'glimmer' }]);
	});

	test('shows which word of the tool a phrase matched', () => {
		expect(index.explain('hurl out', chat)[0]).toEqual({ word: 'hurl out', field: 'name', as: 'post' });
	});

	test('includes two adjacent words as a pair', () => {
		expect(index.explain('post message', chat)).toContainEqual({ word: 'post message', field: 'name' });
	});

	test('includes a required word marked with +', () => {
		expect(index.explain('+slack channel', chat)).toEqual([
			{ word: 'slack', field: 'server' },
			{ word: 'channel', field: 'summary' },
		]);
	});

	test('is empty when no word of the query matches', () => {
		expect(index.explain('xylophone', chat)).toEqual([]);
		expect(index.explain('post', glimmer)).toEqual([]);
		expect(index.explain('', chat)).toEqual([]);
	});

	test('lists a repeated word once', () => {
		const matches = index.explain('slack channel slack', chat).filter(({ word }) => word === 'slack');
		expect(matches).toHaveLength(1);
	});
});

describe.each(['okapi', 'name-parts'] as const)('ranking %s', (ranking) => {
	const other = new ToolIndex([chat, glimmer], { ranking, synonyms });

	test('explains words and their fields', () => {
		expect(other.explain('post to the channel', chat)).toEqual([
			{ word: 'post', field: 'name' },
			{ word: 'channel', field: 'summary' },
		]);
	});

	test('does not use synonyms', () => {
		expect(other.explain('zorp', chat)).toEqual([]);
	});
});
