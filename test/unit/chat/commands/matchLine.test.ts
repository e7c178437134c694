import { expect, test } from 'vitest';
import { matchLine } from '../../../../src/chat/commands/matchLine.ts';

test('words stand together by where the tool has them; another word of the tool’s follows an arrow', () => {
	expect(
		matchLine([
			{ word: 'create', field: 'name' },
			{ word: 'calendar', field: 'server' },
			{ word: 'event', field: 'name' },
			{ word: 'meeting', field: 'summary', as: 'event' },
			{ word: 'friday', field: 'description' },
		]),
	).toBe('*create, event (name); calendar (server); meeting → event, friday (description)*');
});

test('a phrase tells of its words, where it stands', () => {
	expect(
		matchLine([
			{ word: 'pull request', field: 'name' },
			{ word: 'pull', field: 'name' },
			{ word: 'request', field: 'server' },
		]),
	).toBe('*pull request (name); request (server)*');
});

test('no words, no line', () => {
	expect(matchLine([])).toBe('');
});

test('markup in a word is shown, not followed', () => {
	expect(matchLine([{ word: '*a*', field: 'hint', as: '[b](c)' }])).toBe(
		'*\\*a\\* → \\[b\\]\\(c\\) (search hint)*',
	);
});
