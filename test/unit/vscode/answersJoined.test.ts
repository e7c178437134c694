import { describe, expect, test } from 'vitest';
import { textResult } from '../../../src/discovery/toolResult.ts';
import type { ChatMessage } from '../../../src/models/chatModel.ts';
import { answersJoined } from '../../../src/vscode/models/answersJoined.ts';

const user = (text: string): ChatMessage => ({ role: 'user', text });
const calls = (...ids: string[]): ChatMessage => ({
	role: 'assistant',
	text: '',
	toolCalls: ids.map((id) => ({ id, name: 'files__read', input: {} })),
});
const answers = (...ids: string[]): ChatMessage => ({
	role: 'tool',
	results: ids.map((callId) => ({ callId, result: textResult(callId) })),
});

describe('given a conversation from another extension', () => {
	test('when each answer is a message of its own, then they become one', () => {
		expect(answersJoined([user('hi'), calls('a', 'b'), answers('a'), answers('b')])).toEqual([
			user('hi'),
			calls('a', 'b'),
			answers('a', 'b'),
		]);
	});

	test('when words stand between the answers, then these come first', () => {
		const messages = [calls('a', 'b'), answers('a'), user('look'), answers('b'), user('go on')];
		expect(answersJoined(messages)).toEqual([
			calls('a', 'b'),
			answers('a', 'b'),
			user('look'),
			user('go on'),
		]);
	});

	test('when two rounds follow one another, then each keeps its own answers', () => {
		const messages = [user('hi'), calls('a'), answers('a'), calls('b'), answers('b')];
		expect(answersJoined(messages)).toEqual(messages);
	});
});
