import { expect, test } from 'vitest';
import { matchedWords } from '../../../../src/chat/commands/matchedWords.ts';

test('words are grouped by field, and an arrow points to the tool’s own word', () => {
	expect(
		matchedWords(
			[
				{ word: 'create', field: 'name' },
				{ word: 'calendar', field: 'server' },
				{ word: 'event', field: 'name' },
				{ word: 'meeting', field: 'summary', as: 'event' },
				{ word: 'friday', field: 'description' },
			],
			String,
		),
	).toMatchSnapshot();
});

test('a phrase replaces its words in the same field', () => {
	expect(
		matchedWords(
			[
				{ word: 'pull request', field: 'name' },
				{ word: 'pull', field: 'name' },
				{ word: 'request', field: 'server' },
			],
			String,
		),
	).toBe('pull request (name); request (server)');
});

test('without words, there is no line', () => {
	expect(matchedWords([], String)).toBe('');
});
