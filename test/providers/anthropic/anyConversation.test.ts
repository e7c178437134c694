import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResultContent } from '../../../src/discovery/toolResult.ts';
import { requestBody } from '../../../src/models/anthropic/requestBody.ts';
import type { ChatMessage } from '../../../src/models/chatModel.ts';
import { brokenRules } from './apiRules.ts';
import { picture, tool } from './asking.ts';

const text = fc.constantFrom('', ' ', '\n', 'words', ' words \n', '\u0000', 'half \ud83d');
const id = fc.constantFrom('', 'a', 'b', 'call:1', 'ü', 'x'.repeat(100));
const part: fc.Arbitrary<ResultContent> = fc.oneof(
	text.map((words) => ({ type: 'text' as const, text: words })),
	fc.constantFrom('png' as const, 'bmp' as const).map((kind) => picture(kind)),
	fc.constant({ type: 'audio' as const, data: '', mimeType: '' }),
);
const result = fc.record({
	callId: id,
	result: fc.record({ content: fc.array(part, { maxLength: 3 }), isError: fc.boolean() }),
	loaded: fc.array(fc.constantFrom(tool('loaded'), tool('other'), tool('fixed')), { maxLength: 3 }),
});
const call = fc.record({
	id,
	name: fc.constantFrom('fixed', 'no such tool!', ''),
	input: fc.constantFrom({}, { path: '\udc00' }),
});
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
	fc.record({ role: fc.constant('user' as const), text }),
	fc.record({
		role: fc.constant('assistant' as const),
		text,
		toolCalls: fc.array(call, { maxLength: 3 }),
	}),
	fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 3 }) }),
);

test('whatever a conversation consists of, its request breaks no rule of the API', () => {
	fc.assert(
		fc.property(
			fc.array(message, { maxLength: 8 }),
			fc.boolean(),
			fc
				.array(fc.constantFrom('fixed', 'search_tools'), { maxLength: 2 })
				.map((names) => [...new Set(names)]),
			(before, native, names) => {
				const messages: ChatMessage[] = [...before, { role: 'user', text: 'so?' }];
				const tools = names.map((name) => tool(name));
				const request = { system: '', messages, tools, ...(native && { searchTool: 'search_tools' }) };

				const { body } = requestBody(request, { model: 'm', maxOutputTokens: 1, images: true });

				expect(brokenRules(body)).toEqual([]);
			},
		),
		{ numRuns: 500 },
	);
});
