import { describe, expect, test } from 'vitest';
import { followHistory, type PastTurn } from '../../../src/chat/chatHistory.ts';
import { type ChatMessage, userText } from '../../../src/discovery/catalog/message.ts';
import type { Loading } from '../../../src/discovery/catalog/policy.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { said, sessionOf } from '../discovery/fixtures.ts';

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

const shown = [
	{ prompt: 'first', answer: 'Here.' },
	{ prompt: 'second', answer: 'Yes.' },
];

describe('a new turn', () => {
	test('knows the calls and results of those before, which the chat itself does not keep', () => {
		expect(ask(talked(), shown, 'third', 'native')).toEqual([
			said('first'),
			...done,
			said('second'),
			plainAnswer('Yes.'),
			said('third'),
		]);
	});

	test('after the user went back and asked otherwise: what came of the old words is forgotten', () => {
		const messages = ask(talked(), shown.slice(0, 1), 'otherwise', 'native');
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
		expect(ask(sessionOf(), shown, 'third', 'append').map((message) => message.role)).toEqual([
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
	const messages = ask(talked(), shown, 'third', 'append');
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	expect(results).toEqual([{ callId: '1', result: textResult('found') }]);
});

test('a search that only brought definitions names them where they are told no more', () => {
	const session = sessionOf();
	const silent = { callId: '1', result: textResult(''), loaded: [definition] };
	ask(session, [], 'first', 'native', plainAnswer('', [call]), { role: 'tool', results: [silent] });
	expect(ask(session, shown.slice(0, 1), 'second', 'append')[2]).toEqual({
		role: 'tool',
		results: [{ callId: '1', result: textResult('Found a__b.') }],
	});
});
