import { describe, expect, test } from 'vitest';
import {
	commandOf,
	followHistory,
	type HistoryEntry,
	imageMarkdown,
	modelText,
	type PastTurn,
	pastTurns,
} from '../../../src/chat/chatHistory.ts';
import { type ChatMessage, userText } from '../../../src/discovery/catalog/message.ts';
import type { Loading } from '../../../src/discovery/catalog/policy.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { said, sessionOf } from '../discovery/fixtures.ts';

const asked = (prompt: string, command?: string): HistoryEntry => ({ kind: 'request', prompt, command });
const answered = (text: string): HistoryEntry => ({ kind: 'answer', text });

test.each([
	[
		{ prompt: 'files', command: 'find' },
		{ name: 'find', args: 'files' },
	],
	[{ prompt: ' /context ' }, { name: 'context', args: '' }],
	[{ prompt: '@discovery /context' }, { name: 'context', args: '' }],
	[{ prompt: '@discovery /find a  tool' }, { name: 'find', args: 'a  tool' }],
	[{ prompt: '/find is a path' }, undefined],
	[{ prompt: '/etc/hosts says what?' }, undefined],
	[{ prompt: '@discovery read the file' }, undefined],
	[{ prompt: 'find it' }, undefined],
])('when the user’s message is %j, then its command is %j', (message, command) => {
	expect(commandOf(message)).toEqual(command);
});

describe('the turns that the model knows', () => {
	test('consist of prompts and the answers shown to them', () => {
		expect(pastTurns([asked('first'), answered('One.'), asked('second'), answered('Two.')])).toEqual([
			{ prompt: 'first', answer: 'One.' },
			{ prompt: 'second', answer: 'Two.' },
		]);
	});

	test.each([asked('', 'context'), asked('/context')])(
		'leave out %j, and its answer does not join the turn before',
		(command) => {
			const history = [asked('first'), answered('One.'), command, answered('MCP active: 0/24')];
			expect(pastTurns(history)).toEqual([{ prompt: 'first', answer: 'One.' }]);
		},
	);

	test('leave out those answered by the greeting', () => {
		const greeting: HistoryEntry = { kind: 'answer', text: 'Say what you want done.', isGreeting: true };
		const history = [asked(''), greeting, asked('first'), answered('One.'), asked('@discovery'), greeting];
		expect(pastTurns(history)).toEqual([{ prompt: 'first', answer: 'One.' }]);
	});

	test('do not begin with the participant’s name', () => {
		const [turn] = pastTurns([asked('@discovery read the file of @discovery')]);
		expect(turn?.prompt).toBe('read the file of @discovery');
	});

	test('have an empty answer when stopped before any text', () => {
		expect(pastTurns([asked('first'), asked('second')])).toEqual([
			{ prompt: 'first', answer: '' },
			{ prompt: 'second', answer: '' },
		]);
	});
});

const dot = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

describe('an image in a tool result', () => {
	test('is shown as a data URL', () => {
		expect(imageMarkdown(dot)).toBe('![image/png](data:image/png;base64,iVBORw0KGgo=)');
	});

	test.each([
		['text', { type: 'text', text: 'hello' } as const],
		['sound', { ...dot, type: 'audio', mimeType: 'audio/wav' } as const],
		['markup that may run scripts', { ...dot, mimeType: 'image/svg+xml' }],
		['an address of its own', { ...dot, data: ') [x](https://example.com' }],
		['a type that ends the address', { ...dot, mimeType: 'image/png)' }],
		['more than the chat should keep', { ...dot, data: 'A'.repeat(2_000_001) }],
	])('does not include %s', (_what, part) => {
		expect(imageMarkdown(part)).toBeUndefined();
	});

	test('is not sent to the model in the next turn', () => {
		const answer = `Here:\n\n${imageMarkdown(dot)}\n\nand ![not ours](https://example.com/a.png)`;
		expect(modelText(answer)).toBe('Here:\n\n[image]\n\nand ![not ours](https://example.com/a.png)');
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
	test('has the calls and results of earlier turns, which the chat history does not store', () => {
		expect(ask(talked(), two, 'third', 'native')).toEqual([
			said('first'),
			...done,
			said('second'),
			plainAnswer('Yes.'),
			said('third'),
		]);
	});

	test('drops the old turns when the user goes back and asks something else', () => {
		const messages = ask(talked(), two.slice(0, 1), 'otherwise', 'native');
		expect(messages).toEqual([said('first'), ...done, said('otherwise')]);
	});

	test('uses the chat’s history when the first turn was changed', () => {
		const history = [{ prompt: 'changed', answer: 'New.' }];
		expect(ask(talked(), history, 'next', 'native')).toEqual([
			said('changed'),
			plainAnswer('New.'),
			said('next'),
		]);
	});

	test('follows the previous prompt directly when that turn was stopped before any text', () => {
		const session = sessionOf();
		ask(session, [], 'first', 'append');
		expect(ask(session, [{ prompt: 'first', answer: '' }], 'second', 'append')).toEqual([
			said('first'),
			said('second'),
		]);
	});

	test.each([
		['the model reads what was shown of it', [], [plainAnswer('Partly')]],
		['what is already in the log is not repeated', done, done],
	])('when the window closed during the last answer, then %s', (_what, logged, read) => {
		const session = sessionOf();
		ask(session, [], 'first', 'append', ...logged);
		followHistory(session, [{ prompt: 'first', answer: 'Partly' }], { isInterrupted: true });
		expect(session.log.messages).toEqual([said('first'), ...read]);
	});

	test('has the attachments of earlier turns', () => {
		const session = sessionOf();
		const attached = 'File "a.ts":\n```ts\nlet a;\n```';
		session.beginTurn({ model: 'm', loading: 'append' }, { ...said('what is this?'), attached });
		const [message] = ask(session, [{ prompt: 'what is this?', answer: '' }], 'and?', 'append');
		expect(message).toEqual({ ...said('what is this?'), attached });
		expect(message?.role === 'user' && userText({ ...message, news: 'More.' })).toBe(
			`${attached}\n\nwhat is this?\n\n[Note, not by the user:\nMore.]`,
		);
	});

	test('comes after the messages of a prompt, which are dropped when the user goes back past them', () => {
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

test('when the loading method changes, then earlier results no longer count as loading a tool', () => {
	const messages = ask(talked(), two, 'third', 'append');
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	expect(results).toEqual([{ callId: '1', result: textResult('found') }]);
});

test('when a search returned only definitions and they are dropped, then its result names the tools', () => {
	const session = sessionOf();
	const silent = { callId: '1', result: textResult(''), loaded: [definition] };
	ask(session, [], 'first', 'native', plainAnswer('', [call]), { role: 'tool', results: [silent] });
	expect(ask(session, two.slice(0, 1), 'second', 'append')[2]).toEqual({
		role: 'tool',
		results: [{ callId: '1', result: textResult('Found a__b.') }],
	});
});
