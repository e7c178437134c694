import { describe, expect, test } from 'vitest';
import { inputText, parseInput } from '../../../../../src/vscode/ui/inputs/parameter.ts';

const text = { kind: 'text' } as const;
const number = { kind: 'number' } as const;
const object = { kind: 'json', of: 'object' } as const;
const list = { kind: 'json', of: 'array' } as const;
const anything = { kind: 'json', of: 'any' } as const;
const some = { kind: 'choices', options: [] } as const;

describe('typed text is read as', () => {
	test.each([
		['a text as it is', text, ' a "b" ', ' a "b" '],
		['an empty text for two quotation marks', text, '""', ''],
		['spaces, in a text', text, '  ', '  '],
		['a number', number, ' -1.5e3 ', -1500],
		['a JSON object', object, '{"a": [null]}', { a: [null] }],
		['a JSON list', list, '["a, b", ""]', ['a, b', '']],
		['true', { kind: 'boolean' } as const, 'true', true],
		['a text that is not JSON', anything, 'abc def', 'abc def'],
		['a number, if any JSON is accepted', anything, '12', 12],
		['a text in JSON', anything, '"12"', '12'],
	])('%s', (_, input, typed, value) => {
		expect(parseInput(typed, input)).toEqual({ kind: 'value', value });
	});

	test.each([text, number, object, anything])('no value, if it is empty: %o', (input) => {
		expect(parseInput('', input)).toEqual({ kind: 'nothing' });
	});

	test.each([
		['twelve', number],
		['0x10', number],
		['1e999', number],
		['9007199254740993', number],
		['{"a": ', object],
		['abc', object],
		['{"a"', anything],
		['[1]', object],
		['{}', list],
	])('an error with a reason, if it is invalid: %s', (typed, input) => {
		expect(parseInput(typed, input)).toMatchObject({ kind: 'fault' });
		expect(parseInput(typed, input)).toMatchSnapshot();
	});
});

test.each([
	[text, 'two\nlines', 'two\nlines'],
	[text, '', '""'],
	[number, 1.5, '1.5'],
	[list, ['a, b'], '["a, b"]'],
	[object, { a: 1 }, '{"a":1}'],
	[some, ['a', 'b'], '["a","b"]'],
	[anything, '12', '"12"'],
])('a value is shown as a user would type it: %o, %j', (input, value, typed) => {
	expect(inputText(value, input)).toBe(typed);
	expect(parseInput(typed, input)).toEqual({ kind: 'value', value });
});
