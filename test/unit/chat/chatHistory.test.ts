import { describe, expect, test } from 'vitest';
import {
	commandOf,
	type HistoryEntry,
	imageMarkdown,
	pastTurns,
	thoughtMark,
	withoutImages,
	withoutThoughts,
} from '../../../src/chat/chatHistory.ts';

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

const dot = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

describe('a picture among the results of a tool', () => {
	test('is shown with its data in the address', () => {
		expect(imageMarkdown(dot)).toBe('![image/png](data:image/png;base64,iVBORw0KGgo=)');
	});

	test.each([
		['text', { type: 'text', text: 'hello' } as const],
		['sound', { ...dot, type: 'audio', mimeType: 'audio/wav' } as const],
		['markup that may run scripts', { ...dot, mimeType: 'image/svg+xml' }],
		['an address of its own', { ...dot, data: ') [x](https://example.com' }],
		['a type that ends the address', { ...dot, mimeType: 'image/png)' }],
		['more than the chat should keep', { ...dot, data: 'A'.repeat(2_000_001) }],
	])('%s is not', (_what, part) => {
		expect(imageMarkdown(part)).toBeUndefined();
	});

	test('is not told to the model in the next turn', () => {
		const answer = `Here:\n\n${imageMarkdown(dot)}\n\nand ![not ours](https://example.com/a.png)`;
		expect(withoutImages(answer)).toBe('Here:\n\n[image]\n\nand ![not ours](https://example.com/a.png)');
	});
});
