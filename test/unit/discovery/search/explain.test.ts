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

describe('why a tool matches: each word of the query, and the field that has it', () => {
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
	])('%s: %s', (word, field) => {
		expect(index.explain(word, chat)).toEqual([{ word, field }]);
	});

	test('in the order of the query, without words that say nothing', () => {
		expect(index.explain('what wakes the slack channel', chat).map(({ word }) => word)).toEqual([
			'wakes',
			'slack',
			'channel',
		]);
	});

	test('the most telling field of several', () => {
		const both = tool('s', 'glim', 'Feeds a glim', { glim: 'string' });
		expect(new ToolIndex([both]).explain('glim', both)).toEqual([{ word: 'glim', field: 'name' }]);
	});

	test('a word that a tool has in another form, with that form', () => {
		expect(index.explain('posting', chat)).toEqual([{ word: 'posting', field: 'name', as: 'post' }]);
	});

	test('a synonym', () => {
		expect(index.explain('zorp', chat)).toEqual([{ word: 'zorp', field: 'name', as: 'message' }]);
	});

	test('a word that was misspelt', () => {
		expect(index.explain('glimer', glimmer)).toEqual([{ word: 'glimer', field: 'name', as: 'glimmer' }]);
	});

	test('a phrase, by what it stands for', () => {
		expect(index.explain('hurl out', chat)[0]).toEqual({ word: 'hurl out', field: 'name', as: 'post' });
	});

	test('two words side by side as one', () => {
		expect(index.explain('post message', chat)).toContainEqual({ word: 'post message', field: 'name' });
	});

	test('a word marked +', () => {
		expect(index.explain('+slack channel', chat)).toEqual([
			{ word: 'slack', field: 'server' },
			{ word: 'channel', field: 'summary' },
		]);
	});

	test('nothing for what it does not have', () => {
		expect(index.explain('xylophone', chat)).toEqual([]);
		expect(index.explain('post', glimmer)).toEqual([]);
		expect(index.explain('', chat)).toEqual([]);
	});

	test('each word once', () => {
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

	test('knows no synonyms', () => {
		expect(other.explain('zorp', chat)).toEqual([]);
	});

	test('says nothing for what does not match', () => {
		expect(other.explain('xylophone', chat)).toEqual([]);
	});
});
