import { describe, expect, test } from 'vitest';
import { formatResult } from '../../../src/chat/resultFormat.ts';
import { errorResult, type ResultContent, textResult } from '../../../src/discovery/toolResult.ts';

const call = { name: 'files__read_file', input: { path: 'a.txt', lines: [1, 2] } };
const image: ResultContent = { type: 'image', data: 'AA==', mimeType: 'image/png' };

describe('a tool’s result', () => {
	test('is told as it is by default', () => {
		const result = textResult('Hello');
		expect(formatResult(result, call, 'result')).toBe(result);
	});

	test.each([
		['function_result', 'Result of files__read_file:\nHello'],
		['function_args_result', 'Result of files__read_file({"path":"a.txt","lines":[1,2]}):\nHello'],
	] as const)('in the form %s begins with its call', (format, text) => {
		expect(formatResult(textResult('Hello'), call, format)).toEqual(textResult(text));
	});

	test('that failed is still a failure', () => {
		const result = formatResult(errorResult('Error: gone'), call, 'function_result');
		expect(result).toEqual(errorResult('Result of files__read_file:\nError: gone'));
	});

	test('of pictures keeps them, behind the line', () => {
		const content = [image, { type: 'text', text: 'A cat' }] as const;
		expect(formatResult({ content, isError: false }, call, 'function_result').content).toEqual([
			{ type: 'text', text: 'Result of files__read_file:' },
			image,
			{ type: 'text', text: 'A cat' },
		]);
	});

	test('of nothing at all has the line', () => {
		const result = formatResult({ content: [], isError: false }, call, 'function_result');
		expect(result).toEqual(textResult('Result of files__read_file:'));
	});

	test('repeats at most 500 characters of arguments', () => {
		const long = { name: 'write', input: { text: 'a'.repeat(10_000) } };
		const [first] = formatResult(textResult('ok'), long, 'function_args_result').content;
		expect(first).toEqual({ type: 'text', text: `Result of write({"text":"${'a'.repeat(488)}...):\nok` });
	});
});
