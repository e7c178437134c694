import { describe, expect, test } from 'vitest';
import {
	commandOf,
	followHistory,
	type HistoryEntry,
	imageMarkdown,
	type PastTurn,
	pastTurns,
	thoughtMark,
	withoutImages,
	withoutThoughts,
} from '../../../src/chat/chatHistory.ts';
import { type ChatMessage, userText } from '../../../src/discovery/catalog/message.ts';
import type { Loading } from '../../../src/discovery/catalog/policy.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { said, sessionOf } from '../discovery/fixtures.ts';

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

const definition = { name: 'a__b', description: '', inputSchema: {} };
const call = { id: '1', name: 'search_tools', input: {} };
const done: readonly ChatMessage[] = [
	plainAnswer('', [call]),
	{ role: 'tool', results: [{ callId: '1', result: textResult('found'), loaded: [definition] }] },
	plainAnswer('Here.'),
];

/** The user says something in a chat whose history is this; returns the conversation, and adds what comes of it. */
function ask(
	session: DiscoverySession,
	history: readonly PastTurn[],
	prompt: string,
	loading: Loading,
	...answers: readonly ChatMessage[]
): readonly ChatMessage[] {
	followHistory(session, history);
	session.beginTurn({ model: 'm', loading }, said(prompt));
	const messages = [...session.log.messages];
	for (const message of answers) session.log.append({ kind: 'message', message });
	return messages;
}

/** A chat of two turns, of which the first searched. */
function talked(): DiscoverySession {
	const session = sessionOf();
	ask(session, [], 'first', 'native', ...done);
	ask(session, [{ prompt: 'first', answer: 'Here.' }], 'second', 'native', plainAnswer('Yes.'));
	return session;
}

const two = [
	{ prompt: 'first', answer: 'Here.' },
	{ prompt: 'second', answer: 'Yes.' },
];

describe('a new turn', () => {
	test('knows the calls and results of those before, which the chat itself does not keep', () => {
		expect(ask(talked(), two, 'third', 'native')).toEqual([
			said('first'),
			...done,
			said('second'),
			plainAnswer('Yes.'),
			said('third'),
		]);
	});

	test('after the user went back and asked otherwise: what came of the old words is forgotten', () => {
		const messages = ask(talked(), two.slice(0, 1), 'otherwise', 'native');
		expect(messages).toEqual([said('first'), ...done, said('otherwise')]);
	});

	test('after the first turn was changed: the history counts from there', () => {
		const history = [{ prompt: 'changed', answer: 'New.' }];
		expect(ask(talked(), history, 'next', 'native')).toEqual([
			said('changed'),
			plainAnswer('New.'),
			said('next'),
		]);
	});

	test('of a chat whose log is not kept: what the chat shows is all there is', () => {
		expect(ask(sessionOf(), two, 'third', 'append').map((message) => message.role)).toEqual([
			'user',
			'assistant',
			'user',
			'assistant',
			'user',
		]);
	});

	test('whose predecessor was stopped before it said anything: two prompts follow each other', () => {
		const session = sessionOf();
		ask(session, [], 'first', 'append');
		expect(ask(session, [{ prompt: 'first', answer: '' }], 'second', 'append')).toEqual([
			said('first'),
			said('second'),
		]);
	});

	test('has what was attached to earlier ones', () => {
		const session = sessionOf();
		const attached = 'File "a.ts":\n```ts\nlet a;\n```';
		session.beginTurn({ model: 'm', loading: 'append' }, { ...said('what is this?'), attached });
		const [message] = ask(session, [{ prompt: 'what is this?', answer: '' }], 'and?', 'append');
		expect(message).toEqual({ ...said('what is this?'), attached });
		expect(message?.role === 'user' && userText({ ...message, news: 'More.' })).toBe(
			`${attached}\n\nwhat is this?\n\n[Note, not by the user:\nMore.]`,
		);
	});

	test('comes after what a prompt has put, which goes where the user goes back to before it', () => {
		const session = sessionOf();
		ask(session, [], 'first', 'append');
		session.log.append({ kind: 'message', message: said('Weather in Ulm?') });
		const history = [{ prompt: 'first', answer: '' }];
		expect(ask(session, history, 'Tell me.', 'append')).toEqual(
			['first', 'Weather in Ulm?', 'Tell me.'].map(said),
		);
		expect(ask(session, [], 'Something else', 'append')).toEqual([said('Something else')]);
	});
});

test('for another way of loading, no result counts as having told of a tool', () => {
	const messages = ask(talked(), two, 'third', 'append');
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	expect(results).toEqual([{ callId: '1', result: textResult('found') }]);
});

test('a search that only brought definitions names them where they are told no more', () => {
	const session = sessionOf();
	const silent = { callId: '1', result: textResult(''), loaded: [definition] };
	ask(session, [], 'first', 'native', plainAnswer('', [call]), { role: 'tool', results: [silent] });
	expect(ask(session, two.slice(0, 1), 'second', 'append')[2]).toEqual({
		role: 'tool',
		results: [{ callId: '1', result: textResult('Found a__b.') }],
	});
});
