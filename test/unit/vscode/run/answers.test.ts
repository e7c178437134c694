import { describe, expect, test } from 'vitest';
import {
	answered,
	argumentsOf,
	noAnswers,
	type Step,
	stepsOf,
	typedText,
	typedValue,
	withoutSecrets,
} from '../../../../src/vscode/run/answers.ts';
import { formOf } from '../../../../src/vscode/run/form.ts';

const text = { kind: 'text' } as const;
const number = { kind: 'number' } as const;
const texts = { kind: 'list', of: 'text' } as const;
const numbers = { kind: 'list', of: 'number' } as const;
const object = { kind: 'json', type: 'object' } as const;

describe('what a person types means', () => {
	test.each([
		['a text as it is', text, ' a "b" ', ' a "b" '],
		['two quotation marks the empty text', text, '""', ''],
		['blanks themselves, in a text', text, '  ', '  '],
		['a number', number, ' -1.5e3 ', -1500],
		['texts, parted by commas', texts, 'a b , c,', ['a b', 'c']],
		['texts with commas, as JSON', texts, '["a, b", ""]', ['a, b', '']],
		['numbers, parted by commas', numbers, '1, 2.5', [1, 2.5]],
		['JSON', object, '{"a": [null]}', { a: [null] }],
	])('%s', (_, asking, typed, value) => {
		expect(typedValue(typed, asking)).toEqual({ kind: 'value', value });
	});

	test.each([text, number, texts, object])('nothing, where nothing is typed for %o', (asking) => {
		expect(typedValue('', asking)).toEqual({ kind: 'nothing' });
	});

	test.each([
		['twelve', number, 'Enter a number, such as 12 or 0.5.'],
		['0x10', number, 'Enter a number, such as 12 or 0.5.'],
		['1e999', number, 'This number is too large.'],
		['9007199254740993', number, 'This number has more digits than can be sent exactly.'],
		['1, two', numbers, '“two” is no number. Separate numbers with commas.'],
		['{"a": ', object, 'This is no JSON yet: check quotation marks, commas and brackets.'],
		['[1]', object, 'Enter a JSON object: { … }.'],
		['[1', texts, 'This is no JSON yet: check quotation marks, commas and brackets.'],
	])('no value, and says why: %s', (typed, asking, fault) => {
		expect(typedValue(typed, asking)).toEqual({ kind: 'fault', fault });
	});
});

describe('a value is shown as a person would have typed it', () => {
	test.each([
		[text, 'a b', 'a b'],
		[text, '', '""'],
		[number, 1.5, '1.5'],
		[texts, ['a b', 'c'], 'a b, c'],
		[texts, ['a, b'], '["a, b"]'],
		[texts, [], '[]'],
		[object, { a: 1 }, '{"a":1}'],
	])('%o: %j', (asking, value, typed) => {
		expect(typedText(value, asking)).toBe(typed);
	});

	test('and not at all where one line cannot hold it, or it is of another kind', () => {
		expect(typedText('two\nlines', text)).toBe('');
		expect(typedText(7, text)).toBe('');
		expect(typedText('seven', number)).toBe('');
	});
});

const form = formOf({
	type: 'object',
	properties: { path: { type: 'string' }, head: { type: 'integer' }, api_key: { type: 'string' } },
	required: ['path'],
});

function shown(steps: readonly Step[]): string[] {
	return steps.map((step) => (step.kind === 'parameter' ? step.parameter.name : step.kind));
}

const given = answered(answered(noAnswers, 'path', { value: 'a' }), 'head', { value: 3 });

describe('the questions for the arguments of a tool', () => {
	test('are those for what is required, then which of the others to give, then those', () => {
		expect(shown(stepsOf(form, noAnswers))).toEqual(['path', 'optional']);
		expect(shown(stepsOf(form, { chosen: new Set(['head', 'gone']) }))).toEqual(['path', 'optional', 'head']);
	});

	test('end with one for all at once where the schema does not list them', () => {
		expect(shown(stepsOf(formOf({ additionalProperties: true }), noAnswers))).toEqual(['whole']);
	});

	test('are none for a tool without parameters', () => {
		expect(stepsOf(formOf({ type: 'object' }), noAnswers)).toEqual([]);
	});
});

describe('the answers', () => {
	test('are the arguments, but for optional ones that are not chosen any more', () => {
		expect(argumentsOf(form, given)).toEqual({ path: 'a' });
		expect(argumentsOf(form, { ...given, chosen: new Set(['head']) })).toEqual({ path: 'a', head: 3 });
		expect(argumentsOf(form, answered(given, 'path', undefined))).toEqual({});
	});

	test('are kept for the next run without what is secret', () => {
		const secret = answered(given, 'api_key', { value: 'sk' });
		expect([...withoutSecrets(form, secret).values.keys()]).toEqual(['path', 'head']);
	});
});
