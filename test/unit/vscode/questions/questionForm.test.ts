import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../src/common/secrets/redactor.ts';
import { answerTo, type Question, readQuestion } from '../../../../src/mcp/connection/questions.ts';
import { checkValue } from '../../../../src/sandbox/checkValue.ts';
import {
	addressLines,
	FilledForm,
	parameterOf,
	questionTitle,
	schemaOf,
} from '../../../../src/vscode/questions/questionForm.ts';
import { parseInput, placeholderOf, promptOf } from '../../../../src/vscode/ui/inputs/parameter.ts';

/** A question as a server sends it. */
function formOf(properties: object, required: readonly string[] = []) {
	const question = readQuestion(
		{ message: 'Please', requestedSchema: { type: 'object', properties, required } },
		new Redactor([]),
	);
	if (typeof question === 'string' || question.kind !== 'form') throw new Error('it is no form');
	return question;
}

function fieldOf(schema: object, required = true) {
	const [field] = formOf({ it: schema }, required ? ['it'] : []).fields;
	if (!field) throw new Error('there is no field');
	return field;
}

/** What is wrong with what a person types into a field. */
function faults(schema: object, typed: string): readonly string[] {
	const field = fieldOf(schema);
	const reading = parseInput(typed, parameterOf(field).input);
	if (reading.kind !== 'value') return [reading.kind];
	const outcome = checkValue(schemaOf(field.input), reading.value);
	return outcome.kind === 'invalid' ? outcome.faults : [];
}

test('the title of a question names the server, the call, and the agent that made the call', () => {
	const asked = { server: 'shop', call: 'Tool "pay"', question: formOf({}) };
	expect(questionTitle(asked)).toMatchSnapshot();
	expect(questionTitle({ ...asked, agent: 'buyer' })).toMatchSnapshot();
});

describe('the value of a form field', () => {
	test.each([
		[{ type: 'string', minLength: 2, maxLength: 3 }, 'abc', 'a'],
		[{ type: 'string', pattern: '^[A-Z]+$' }, 'ABC', 'abc'],
		[{ type: 'string', format: 'email' }, 'ada@example.com', 'ada'],
		[{ type: 'string', format: 'uri' }, 'https://example.com/', 'example'],
		[{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-30'],
		[{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00Z', '2026-02-28'],
		[{ type: 'number', minimum: 0.5, maximum: 2 }, '1.5', '2.5'],
		[{ type: 'integer', minimum: 1 }, '2', '1.5'],
		[{ type: 'boolean' }, 'true', '"true"'],
		[{ type: 'string', enum: ['a', 'b'] }, 'a', undefined],
		[{ type: 'array', maxItems: 1, items: { enum: ['a', 'b'] } }, '["a"]', '["a","b"]'],
		[{ type: 'array', minItems: 1, items: { anyOf: [{ const: 'a', title: 'A' }] } }, '["a"]', '[]'],
	])('is validated against the schema: %j', (schema, right, wrong) => {
		const typed = 'enum' in schema ? JSON.stringify(right) : right;
		expect(faults(schema, typed)).toEqual([]);
		if (wrong !== undefined) expect(faults(schema, wrong)).toHaveLength(1);
	});

	test('is prompted for with the title of the field and an example of its format', () => {
		const field = parameterOf(fieldOf({ type: 'string', format: 'date', title: 'Arrival' }));
		expect(placeholderOf(field)).toMatchSnapshot();
		expect(promptOf(field)).toMatchSnapshot();
	});

	test('is rejected with a hint on the expected format', () => {
		expect(faults({ type: 'string', format: 'date' }, '31.01.2026')).toEqual([
			'must be a date, written YYYY-MM-DD, such as 2026-01-31',
		]);
	});

	test('is shown as Yes or No instead of true or false', () => {
		const field = fieldOf({ type: 'boolean', default: true });
		const form = new FilledForm([field]);
		expect([form.stateOf(field), form.withText(field, 'false').stateOf(field)]).toEqual(['Yes', 'No']);
	});

	test('is hidden if the field looks like a password', () => {
		const [field] = formOf({ password: { type: 'string' } }).fields;
		expect(field && parameterOf(field)).toMatchObject({ secret: true });
	});

	test('is selected by title, with the raw value next to it', () => {
		const { input } = parameterOf(fieldOf({ type: 'string', enum: ['y', 'n'], enumNames: ['Yes', 'n'] }));
		expect(input).toEqual({
			kind: 'choice',
			options: [
				{ value: 'y', label: 'Yes', description: 'y' },
				{ value: 'n', label: 'n' },
			],
		});
	});
});

describe('a form that a server asks the user to fill in', () => {
	const question = formOf(
		{
			city: { type: 'string', title: 'City' },
			nights: { type: 'integer', default: 2 },
			meals: { type: 'array', items: { anyOf: [{ const: 'b', title: 'Breakfast' }] }, default: ['b'] },
			note: { type: 'string' },
			api_key: { type: 'string' },
		},
		['city'],
	);
	const [city, nights, meals, note, key] = question.fields as Required<typeof question>['fields'];
	const sent = (form: FilledForm, asked: Question = question) =>
		answerTo(asked, { action: 'accept', content: form.content });
	if (!city || !nights || !meals || !note || !key) throw new Error('a field is lost');

	test('starts with its defaults, and lists the required fields that are missing', () => {
		const form = new FilledForm(question.fields);
		expect(form.missing.map(({ name }) => name)).toEqual(['city']);
		expect(question.fields.map((field) => form.stateOf(field))).toMatchSnapshot();
	});

	test('sends entered values and defaults, and omits fields that were cleared', () => {
		const form = new FilledForm(question.fields).withText(city, 'Ulm');
		expect(form.missing).toEqual([]);
		expect(sent(form)).toEqual({ action: 'accept', content: { city: 'Ulm', nights: 2, meals: ['b'] } });
		expect(sent(form.withText(nights, '').withText(meals, ''))).toEqual({
			action: 'accept',
			content: { city: 'Ulm' },
		});
		expect(sent(form.withText(note, '""'))).toMatchObject({ content: { note: '' } });
	});

	test('hides the value of a field that looks like a key', () => {
		expect(new FilledForm(question.fields).withText(key, 'sk-1').stateOf(key)).toMatchSnapshot();
	});

	test('truncates a long value', () => {
		const state = new FilledForm(question.fields).withText(note, 'x'.repeat(1_000_000)).stateOf(note);
		expect(state.length).toBeLessThan(120);
	});

	test('shows hidden characters in a value as escapes', () => {
		const state = new FilledForm(question.fields).withText(note, 'all well\u{e0041}  ').stateOf(note);
		expect(state).toBe('all well\\u{E0041} \\u{20}');
	});

	test('keeps a field whatever its name, even `__proto__`', () => {
		const odd = formOf({ ['__proto__']: { type: 'string' } }, ['__proto__']);
		const [field] = odd.fields;
		if (!field) throw new Error('the field is lost');
		const { content } = sent(new FilledForm(odd.fields).withText(field, 'x'), odd) as { content: object };
		expect(Object.entries(content)).toEqual([['__proto__', 'x']]);
	});
});

describe('the facts shown before a URL opens', () => {
	test('are the host and the full URL', () => {
		const url = `https://pay.example:8443/${'a/'.repeat(500)}?x=1#y`;
		expect(addressLines(url)).toEqual(['Host: pay.example:8443', `URL: ${url}`]);
	});

	test('warn about look-alike letters and missing encryption', () => {
		const url = new URL('http://ex\u0430mple.com/').href;
		expect(addressLines(url)).toMatchSnapshot();
	});

	test('show hidden characters as escapes', () => {
		const url = new URL('https://a.example/\u202e\u200bx\u00a0y').href;
		expect(addressLines(url).at(-1)).toBe('URL: https://a.example/%E2%80%AE%E2%80%8Bx%C2%A0y');
	});
});
