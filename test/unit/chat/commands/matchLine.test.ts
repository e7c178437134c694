import { expect, test } from 'vitest';
import { matchLine } from '../../../../src/chat/commands/matchLine.ts';

test('words are grouped by field, and an arrow points to the tool’s own word', () => {
	expect(
		matchLine([
			{ word: 'create', field: 'name' },
			{ word: 'calendar', field: 'server' },
			{ word: 'event', field: 'name' },
			{ word: 'meeting', field: 'summary', as: 'event' },
			{ word: 'friday', field: 'description' },
		]),
	).toMatchSnapshot();
});

test('a phrase replaces its words in the same field', () => {
	expect(
		matchLine([
			{ word: 'pull request', field: 'name' },
			{ word: 'pull', field: 'name' },
			{ word: 'request', field: 'server' },
		]),
	).toBe('*pull request (name); request (server)*');
});

test('without words, there is no line', () => {
	expect(matchLine([])).toBe('');
});

test('markup in a word is escaped', () => {
	expect(matchLine([{ word: '*a*', field: 'hint', as: '[b](c)' }])).toMatchSnapshot();
});
