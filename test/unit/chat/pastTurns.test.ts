import { describe, expect, test } from 'vitest';
import {
	commandOf,
	type HistoryEntry,
	pastTurns,
	thoughtMark,
	withoutThoughts,
} from '../../../src/chat/pastTurns.ts';

const asked = (prompt: string, command?: string): HistoryEntry => ({ kind: 'request', prompt, command });
const answered = (text: string): HistoryEntry => ({ kind: 'answer', text });

describe('a message', () => {
	test.each([
		[{ prompt: 'files', command: 'find' }, 'find'],
		[{ prompt: ' /context ' }, 'context'],
		[{ prompt: '/etc/hosts says what?' }, undefined],
		[{ prompt: 'find it' }, undefined],
	])('%j is the command %s', (message, command) => {
		expect(commandOf(message)?.name).toBe(command);
	});
});

describe('the turns that a model has heard of', () => {
	test('are prompts with what was shown as their answers', () => {
		expect(pastTurns([asked('first'), answered('One.'), asked('second'), answered('Two.')])).toEqual([
			{ prompt: 'first', answer: 'One.' },
			{ prompt: 'second', answer: 'Two.' },
		]);
	});

	test.each([asked('', 'context'), asked('/context')])(
		'%j is none of them, and its answer is not that of the turn before',
		(command) => {
			const history = [asked('first'), answered('One.'), command, answered('MCP active: 0/24')];
			expect(pastTurns(history)).toEqual([{ prompt: 'first', answer: 'One.' }]);
		},
	);

	test('are not those that a greeting has answered', () => {
		const greeting: HistoryEntry = { kind: 'answer', text: 'Say what you want done.', isGreeting: true };
		const history = [asked(''), greeting, asked('first'), answered('One.'), asked('@discovery'), greeting];
		expect(pastTurns(history)).toEqual([{ prompt: 'first', answer: 'One.' }]);
	});

	test('one that was stopped before anything was said has no answer', () => {
		expect(pastTurns([asked('first'), asked('second')])).toEqual([
			{ prompt: 'first', answer: '' },
			{ prompt: 'second', answer: '' },
		]);
	});
});

test('the name of the participant before a message is no part of what was said', () => {
	expect(commandOf({ prompt: '@discovery /context' })).toEqual({ name: 'context', args: '' });
	expect(commandOf({ prompt: '@discovery /find a  tool' })).toEqual({ name: 'find', args: 'a  tool' });
	expect(commandOf({ prompt: '/find is a path' })).toBeUndefined();
	expect(commandOf({ prompt: '@discovery read the file' })).toBeUndefined();
	const turns = pastTurns([{ kind: 'request', prompt: '@discovery read the file of @discovery' }]);
	expect(turns[0]?.prompt).toBe('read the file of @discovery');
});

describe('an answer in which the model’s thoughts are quoted', () => {
	test('is what the model has said, not what it has thought', () => {
		const shown = `${thoughtMark}*Thinking*\n>\n> First\n> \n> second.\n\nYes.\n\n> A quotation.\n\n${thoughtMark}x\n\nNo.`;
		expect(withoutThoughts(shown)).toBe('\nYes.\n\n> A quotation.\n\n\nNo.');
		expect(withoutThoughts('> Only quoted.')).toBe('> Only quoted.');
	});
});
