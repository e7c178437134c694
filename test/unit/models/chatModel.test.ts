import { expect, test } from 'vitest';
import { requestTokens } from '../../../src/chat/requestSize.ts';
import { type ChatMessage, userText } from '../../../src/discovery/catalog/message.ts';
import { wireMessages as anthropicMessages } from '../../../src/models/anthropic/messages.ts';
import { wireMessages as ollamaMessages } from '../../../src/models/ollama/chatBody.ts';
import { chatMessages } from '../../../src/models/openai/chatCompletions/messages.ts';
import { responsesInput } from '../../../src/models/openai/responses/input.ts';
import { Thinker } from '../../../src/models/thinker.ts';

const message: ChatMessage & { role: 'user' } = {
	role: 'user',
	text: 'What is the weather?',
	news: '- New servers: sky (2 tools)',
};
const sent = 'What is the weather?\n\n[Note, not by the user:\n- New servers: sky (2 tools)]';

const thinker = new Thinker({ baseUrl: '' }, 'responses', 'gpt');

test('news follows the user’s text, marked as not written by the user', () => {
	expect(userText(message)).toBe(sent);
	expect(userText({ ...message, text: '' })).toBe(sent.slice(sent.indexOf('[')));
	expect(userText({ role: 'user', text: 'Hello.' })).toBe('Hello.');
});

test.each([
	['Anthropic', () => anthropicMessages([message], { images: false, deferred: new Set(), thinker })],
	['Chat Completions', () => chatMessages({ system: '', messages: [message] }, { images: false })],
	[
		'Responses',
		() => responsesInput([message], { images: false, phases: false, searchTool: undefined, thinker }).items,
	],
	['Ollama', () => ollamaMessages('', [message], false)],
])('%s: news is sent with the user’s message', (_, written) => {
	expect(JSON.stringify(written())).toContain(JSON.stringify(sent).slice(1, -1));
});

test('news counts towards the size of a request', () => {
	const sizeOf = (one: ChatMessage) => requestTokens({ system: '', tools: [], messages: [one] });
	expect(sizeOf(message)).toBeGreaterThan(sizeOf({ role: 'user', text: message.text }));
});
