import { expect, test } from 'vitest';
import { requestTokens } from '../../../src/chat/requestSize.ts';
import { type ChatMessage, userText } from '../../../src/discovery/catalog/message.ts';

const message: ChatMessage & { role: 'user' } = {
	role: 'user',
	text: 'What is the weather?',
	news: '- New servers: sky (2 tools)',
};
const sent = 'What is the weather?\n\n[Note, not by the user:\n- New servers: sky (2 tools)]';

test('news follows the user’s text, marked as not written by the user', () => {
	expect(userText(message)).toBe(sent);
	expect(userText({ ...message, text: '' })).toBe(sent.slice(sent.indexOf('[')));
	expect(userText({ role: 'user', text: 'Hello.' })).toBe('Hello.');
});

test('news counts towards the size of a request', () => {
	const sizeOf = (one: ChatMessage) => requestTokens({ system: '', tools: [], messages: [one] });
	expect(sizeOf(message)).toBeGreaterThan(sizeOf({ role: 'user', text: message.text }));
});
