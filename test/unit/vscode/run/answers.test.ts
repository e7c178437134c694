import { describe, expect, test } from 'vitest';
import {
	type Answers,
	argumentsOf,
	noAnswers,
	readText,
	type Step,
	stepsOf,
	textOf,
	withoutSecrets,
} from '../../../../src/vscode/run/answers.ts';
import { formOf } from '../../../../src/vscode/run/parameters.ts';

const text = { kind: 'text' } as const;
const number = { kind: 'number' } as const;
const object = { kind: 'json', of: 'object' } as const;
const list = { kind: 'json', of: 'array' } as const;
const anything = { kind: 'json', of: 'any' } as const;

describe('what a person types means', () => {
	test.each([
		['a text as it is', text, ' a "b" ', ' a "b" '],
		['two quotation marks the empty text', text, '""', ''],
		['blanks themselves, in a text', text, '  ', '  '],
		['a number', number, ' -1.5e3 ', -1500],
		['a JSON object', object, '{"a": [null]}', { a: [null] }],
		['a JSON list', list, '["a, b", ""]', ['a, b', '']],
		['true', { kind: 'boolean' } as const, 'true', true],
		['a text, where it is no JSON', anything, 'abc def', 'abc def'],
		['a number, where it is one', anything, '12', 12],
		['a text, where it is one in JSON', anything, '"12"', '12'],
	])('%s', (_, input, typed, value) => {
		expect(readText(typed, input)).toEqual({ kind: 'value', value });
	});

	test.each([text, number, object, anything])('nothing, where nothing is typed for %o', (input) => {
		expect(readText('', input)).toEqual({ kind: 'nothing' });
	});

	test.each([
		['twelve', number, 'Enter a number, such as 12 or 0.5.'],
		['0x10', number, 'Enter a number, such as 12 or 0.5.'],
		['1e999', number, 'This number is too large.'],
		['9007199254740993', number, 'This number has more digits than can be sent exactly.'],
		['{"a": ', object, 'This is no JSON yet: check quotation marks, commas and brackets.'],
		['abc', object, 'This is no JSON yet: check quotation marks, commas and brackets.'],
		['{"a"', anything, 'This is no JSON yet: check quotation marks, commas and brackets.'],
		['[1]', object, 'Enter a JSON object: { … }.'],
		['{}', list, 'Enter a JSON list: [ … ].'],
	])('no value, and says why: %s', (typed, input, fault) => {
		expect(readText(typed, input)).toEqual({ kind: 'fault', fault });
	});
});

test.each([
	[text, 'two\nlines', 'two\nlines'],
	[text, '', '""'],
	[number, 1.5, '1.5'],
	[list, ['a, b'], '["a, b"]'],
	[object, { a: 1 }, '{"a":1}'],
	[anything, '12', '"12"'],
])('a value is shown as a person would have typed it: %o, %j', (input, value, typed) => {
	expect(textOf(value, input)).toBe(typed);
	expect(readText(typed, input)).toEqual({ kind: 'value', value });
});

const form = formOf({
	type: 'object',
	properties: { path: { type: 'string' }, head: { type: 'integer' }, api_key: { type: 'string' } },
	required: ['path'],
});

function shown(steps: readonly Step[]): string[] {
	return steps.map((step) => (step.kind === 'parameter' ? step.parameter.name : step.kind));
}

const typed = { path: 'a', head: '3' };
const given: Answers = { texts: new Map(Object.entries(typed)), chosen: new Set() };

describe('the questions for the arguments of a tool', () => {
	test('are those for what is required, then which of the others to give, then those', () => {
		expect(shown(stepsOf(form, noAnswers))).toEqual(['path', 'optional']);
		expect(shown(stepsOf(form, { chosen: new Set(['head', 'gone']) }))).toEqual(['path', 'optional', 'head']);
	});

	test('are none for a tool without parameters', () => {
		expect(stepsOf(formOf({ type: 'object' }), noAnswers)).toEqual([]);
	});
});

describe('the answers', () => {
	test('are the arguments, but for optional ones that are not chosen any more', () => {
		expect(argumentsOf(form, given)).toEqual({ path: 'a' });
		expect(argumentsOf(form, { ...given, chosen: new Set(['head']) })).toEqual({ path: 'a', head: 3 });
		expect(argumentsOf(form, { ...given, texts: new Map([['path', '']]) })).toEqual({});
	});

	test('are the JSON object itself where all arguments are asked for as one', () => {
		const whole = formOf({ additionalProperties: true });
		const texts = new Map([[whole.parameters[0]?.name ?? '', '{"any": 1}']]);
		expect(argumentsOf(whole, { ...noAnswers, texts })).toEqual({ any: 1 });
	});

	test('are kept for the next run without what is secret', () => {
		const texts = new Map(Object.entries({ ...typed, api_key: 'sk' }));
		expect([...withoutSecrets(form, { ...given, texts }).texts.keys()]).toEqual(['path', 'head']);
	});
});
