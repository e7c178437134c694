import { describe, expect, test } from 'vitest';
import { Transcript } from '../../../src/chat/transcript.ts';
import { type ChatMessage, userText } from '../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';

const definition = { name: 'a__b', description: '', inputSchema: {} };
const call = { id: '1', name: 'search_tools', input: {} };
const done: readonly ChatMessage[] = [
	plainAnswer('', [call]),
	{ role: 'tool', results: [{ callId: '1', result: textResult('found'), loaded: [definition] }] },
	plainAnswer('Here.'),
];

/** A chat of two turns, of which the first searched. */
function talked(): Transcript {
	const transcript = new Transcript();
	transcript.begin([], 'first', 'native').push(...done);
	transcript.begin([{ prompt: 'first', answer: 'Here.' }], 'second', 'native').push(plainAnswer('Yes.'));
	return transcript;
}

const shown = [
	{ prompt: 'first', answer: 'Here.' },
	{ prompt: 'second', answer: 'Yes.' },
];

describe('a new turn', () => {
	test('knows the calls and results of those before, which the chat itself does not keep', () => {
		const messages = talked().begin(shown, 'third', 'native');
		expect(messages).toEqual([
			{ role: 'user', text: 'first' },
			...done,
			{ role: 'user', text: 'second' },
			plainAnswer('Yes.'),
			{ role: 'user', text: 'third' },
		]);
	});

	test('after the user went back and asked otherwise: what came of the old words is forgotten', () => {
		const messages = talked().begin(shown.slice(0, 1), 'otherwise', 'native');
		expect(messages).toEqual([{ role: 'user', text: 'first' }, ...done, { role: 'user', text: 'otherwise' }]);
	});

	test('after the first turn was changed: the history counts from there', () => {
		const history = [{ prompt: 'changed', answer: 'New.' }];
		expect(talked().begin(history, 'next', 'native')).toEqual([
			{ role: 'user', text: 'changed' },
			plainAnswer('New.'),
			{ role: 'user', text: 'next' },
		]);
	});

	test('after the window was reloaded: what the chat shows is all there is', () => {
		expect(new Transcript().begin(shown, 'third', 'append').map((message) => message.role)).toEqual([
			'user',
			'assistant',
			'user',
			'assistant',
			'user',
		]);
	});

	test('whose predecessor was stopped before it said anything: two prompts follow each other', () => {
		const transcript = new Transcript();
		transcript.begin([], 'first', 'append');
		expect(transcript.begin([{ prompt: 'first', answer: '' }], 'second', 'append')).toEqual([
			{ role: 'user', text: 'first' },
			{ role: 'user', text: 'second' },
		]);
	});

	test('has the texts that were attached, which later turns still have', () => {
		const transcript = new Transcript();
		const attached = 'File "a.ts":\n```ts\nlet a;\n```';
		transcript.begin([], 'what is this?', 'append', { text: attached });
		const [message] = transcript.begin([{ prompt: 'what is this?', answer: '' }], 'and?', 'append');
		expect(message).toEqual({ role: 'user', text: 'what is this?', attached });
		expect(message?.role === 'user' && userText({ ...message, news: 'More.' })).toBe(
			`${attached}\n\nwhat is this?\n\n[Note, not by the user:\nMore.]`,
		);
	});

	test('has the pictures of its prompt', () => {
		const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
		expect(new Transcript().begin([], 'what is this?', 'append', { images: [image] })).toEqual([
			{ role: 'user', text: 'what is this?', images: [image] },
		]);
	});
});

test('for another way of loading, no result counts as having told of a tool', () => {
	const transcript = talked();
	const messages = transcript.begin(shown, 'third', 'append');
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	expect(results).toEqual([{ callId: '1', result: textResult('found') }]);
});

test('a search that only brought definitions names them where they are told no more', () => {
	const transcript = new Transcript();
	const silent = { callId: '1', result: textResult(''), loaded: [definition] };
	transcript.begin([], 'first', 'native').push(plainAnswer('', [call]), { role: 'tool', results: [silent] });
	const messages = transcript.begin(shown.slice(0, 1), 'second', 'append');
	expect(messages[2]).toEqual({
		role: 'tool',
		results: [{ callId: '1', result: textResult('Found a__b.') }],
	});
});

describe('what agents did', () => {
	test('is kept with the chat, apart from what models read, and never without end', () => {
		const transcript = talked();
		transcript.keepAgent(done);
		const restored = new Transcript();
		restored.restore(transcript.kept, () => undefined);
		expect(restored.kept.ofAgents).toEqual(done);
		expect(restored.begin(shown, 'third', 'native')).toHaveLength(7);
		for (let i = 0; i < 100; i++) transcript.keepAgent([plainAnswer('x'.repeat(100_000))]);
		expect(transcript.characters).toBeLessThan(600_000);
	});
});
