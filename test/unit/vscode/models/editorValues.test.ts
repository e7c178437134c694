import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import { answerSettingsIn, joinedToolResults } from '../../../../src/vscode/models/callerRequest.ts';
import { dataText, promptText } from '../../../../src/vscode/ui/editorValues.ts';

describe('the model options that another extension passes', () => {
	test.each([
		[{ temperature: 0 }, { temperature: 0 }],
		[
			{ top_p: 0.5, max_tokens: 100 },
			{ topP: 0.5, maxOutputTokens: 100 },
		],
		[
			{ topP: 0.5, maxTokens: 100.7 },
			{ topP: 0.5, maxOutputTokens: 100 },
		],
		[{ max_completion_tokens: 7 }, { maxOutputTokens: 7 }],
		[
			{ reasoning_effort: 'low', parallel_tool_calls: false },
			{ reasoningEffort: 'low', parallelToolCalls: false },
		],
		[{ reasoningEffort: 'most' }, undefined],
		[{ temperature: 'hot', top_p: Number.NaN, max_tokens: 0, model: 'x' }, undefined],
		[{}, undefined],
		[undefined, undefined],
	])('%j are read as %j', (options, answers) => {
		expect(answerSettingsIn(options)).toEqual(answers);
	});
});

describe('a data part that is not an image', () => {
	const bytes = Buffer.from('{"city":"Ulm"}');
	test.each([
		['application/json', '{"city":"Ulm"}'],
		['text/plain; charset=utf-8', '{"city":"Ulm"}'],
		['application/problem+json', '{"city":"Ulm"}'],
		['application/pdf', '[data application/pdf, 14 bytes]'],
		['cache_control', undefined],
		['', undefined],
	])('with the type “%s” is sent to the model as %j', (mimeType, text) => {
		expect(dataText(mimeType, bytes)).toBe(text);
	});
});

test('a rendered prompt becomes its texts in order, with its line breaks', () => {
	const text = (text: string, lineBreakBefore = false) => ({ type: 2, text, lineBreakBefore });
	const piece = (...children: object[]) => ({ type: 1, ctor: 2, children });
	const rendered = {
		node: piece(text('Files:'), piece(text('a.md', true), text(' (2 KB)')), text('b.md', true)),
	};
	expect(promptText(rendered)).toBe('Files:\na.md (2 KB)\nb.md');
	expect(promptText(undefined)).toBe('');
});

const user = (text: string): ChatMessage => ({ role: 'user', text });
const calls = (...ids: string[]): ChatMessage =>
	plainAnswer(
		'',
		ids.map((id) => ({ id, name: 'files__read', input: {} })),
	);
const answers = (...ids: string[]): ChatMessage => ({
	role: 'tool',
	results: ids.map((callId) => ({ callId, result: textResult(callId) })),
});

describe('given a conversation from another extension', () => {
	test('when each tool result is its own message, then the results are joined', () => {
		expect(joinedToolResults([user('hi'), calls('a', 'b'), answers('a'), answers('b')])).toEqual([
			user('hi'),
			calls('a', 'b'),
			answers('a', 'b'),
		]);
	});

	test('when text comes between tool results, then the results are moved before the text', () => {
		const messages = [calls('a', 'b'), answers('a'), user('look'), answers('b'), user('go on')];
		expect(joinedToolResults(messages)).toEqual([
			calls('a', 'b'),
			answers('a', 'b'),
			user('look'),
			user('go on'),
		]);
	});

	test('when there are two rounds of calls, then each keeps its own results', () => {
		const messages = [user('hi'), calls('a'), answers('a'), calls('b'), answers('b')];
		expect(joinedToolResults(messages)).toEqual(messages);
	});
});
