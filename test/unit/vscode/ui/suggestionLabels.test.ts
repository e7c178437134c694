import { expect, test } from 'vitest';
import type { Proposal } from '../../../../src/discovery/habits/rules.ts';
import { offerSuggestions } from '../../../../src/vscode/participant/followups.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import { suggestionLabels, suggestionOn } from '../../../../src/vscode/ui/suggestionLabels.ts';

const pin: Proposal = {
	kind: 'pin',
	id: 'pin files:read',
	server: 'files',
	tool: 'read',
	why: { used: 8, chats: 10 },
	tokens: 120,
};
const defer: Proposal = {
	kind: 'defer',
	id: 'defer big',
	server: 'big',
	why: { chats: 10, tools: 12 },
	tokens: 12_000,
};

test('a suggestion says what to do, why, and how many tokens it adds or saves', () => {
	expect(suggestionLabels(pin)).toEqual({
		button: 'Pin',
		title: 'Pin files:read',
		dismiss: 'Dismiss: Pin files:read',
		sentence: 'Used in 8 of 10 chats. Pinning it adds ≈120 tokens per request.',
	});
	expect(suggestionLabels(defer)).toEqual({
		button: 'Defer',
		dismiss: 'Dismiss: Defer big',
		title: 'Defer big',
		sentence: 'None of its 12 tools was used in 10 chats. Deferring it saves ≈12k tokens per request.',
	});
});

test('a row of the Servers view shows only its own suggestion', () => {
	const advice = suggestionOn([pin, defer]);
	expect(advice('files', 'read').advice).toMatch(/^Suggestion: pin it\. Used in 8 of 10 chats\./);
	expect(advice('big').advice).toMatch(/^Suggestion: defer it\. None of its 12 tools/);
	expect([advice('files'), advice('files', 'write'), advice('big', 'read')]).toEqual([{}, {}, {}]);
});

test('an answer shows at most three suggestions, each with a button, and nothing if there are none', () => {
	const offer = (suggestions: readonly Proposal[]) => {
		const shown: unknown[] = [];
		const show = (part: unknown) => void shown.push(part);
		offerSuggestions(suggestions, { markdown: show, button: show });
		return shown;
	};
	expect(offer([])).toEqual([]);
	const shown = offer([pin, defer, { ...pin, id: 'c', tool: 'a*b' }, { ...pin, id: 'd' }]);
	const button = { command: ids.takeSuggestion, title: 'Pin files:read', arguments: ['pin files:read'] };
	expect(shown).toContainEqual(button);
	expect(shown.filter((part) => typeof part === 'object')).toHaveLength(3);
	expect(shown.join()).toContain('a\\*b');
});
