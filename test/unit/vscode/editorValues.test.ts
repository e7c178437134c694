import { describe, expect, test } from 'vitest';
import { dataText, promptText } from '../../../src/vscode/models/editorValues.ts';
import { answersIn } from '../../../src/vscode/models/modelOptions.ts';

describe('what a caller of VS Code’s models passes as options', () => {
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
	])('%j is %j', (options, answers) => {
		expect(answersIn(options)).toEqual(answers);
	});
});

describe('data of the editor that is no picture', () => {
	const bytes = Buffer.from('{"city":"Ulm"}');
	test.each([
		['application/json', '{"city":"Ulm"}'],
		['text/plain; charset=utf-8', '{"city":"Ulm"}'],
		['application/problem+json', '{"city":"Ulm"}'],
		['application/pdf', '[data application/pdf, 14 bytes]'],
		['cache_control', undefined],
		['', undefined],
	])('of type “%s” is %j to a model', (mimeType, text) => {
		expect(dataText(mimeType, bytes)).toBe(text);
	});
});

test('a rendered prompt is its texts, in order, on their lines', () => {
	const text = (text: string, lineBreakBefore = false) => ({ type: 2, text, lineBreakBefore });
	const piece = (...children: object[]) => ({ type: 1, ctor: 2, children });
	const rendered = {
		node: piece(text('Files:'), piece(text('a.md', true), text(' (2 KB)')), text('b.md', true)),
	};
	expect(promptText(rendered)).toBe('Files:\na.md (2 KB)\nb.md');
	expect(promptText(undefined)).toBe('');
});
