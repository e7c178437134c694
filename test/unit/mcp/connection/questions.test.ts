import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../src/common/secrets/redactor.ts';
import { answerTo, type Question, readQuestion } from '../../../../src/mcp/connection/questions.ts';
import { hostileTexts } from '../../common/hostileText.ts';

const redactor = new Redactor(['a-secret-of-ours']);
const read = (params: unknown) => readQuestion(params, redactor);
const form = (properties: object, required: readonly string[] = []) =>
	read({ message: 'Please', requestedSchema: { type: 'object', properties, required } });

/** How the user is asked for a field with this schema. */
function field(schema: object) {
	const question = form({ field: schema });
	return typeof question === 'string' || question.kind !== 'form' ? question : question.fields[0];
}

describe('a form has every field that the protocol has', () => {
	test.each([
		[{ type: 'string' }, { kind: 'text' }],
		[
			{ type: 'string', format: 'date-time', minLength: 1, maxLength: 9 },
			{ kind: 'text', format: 'date-time', minLength: 1, maxLength: 9 },
		],
		[
			{ type: 'string', pattern: '^a+$' },
			{ kind: 'text', pattern: '^a+$' },
		],
		[
			{ type: 'integer', minimum: 0, maximum: 9 },
			{ kind: 'number', isInteger: true, minimum: 0, maximum: 9 },
		],
		[{ type: 'number' }, { kind: 'number', isInteger: false }],
		[{ type: 'boolean' }, { kind: 'boolean' }],
		[
			{ type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
			{
				kind: 'choice',
				options: [
					{ value: 'a', title: 'A' },
					{ value: 'b', title: 'B' },
				],
			},
		],
		[
			{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
			{ kind: 'choice', options: [{ value: 'a', title: 'A' }] },
		],
		[
			{ type: 'array', minItems: 1, items: { type: 'string', enum: ['a'] } },
			{ kind: 'choices', minItems: 1, options: [{ value: 'a', title: 'a' }] },
		],
		[
			{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
			{ kind: 'choices', options: [{ value: 'a', title: 'A' }] },
		],
	])('%j', (schema, input) => {
		expect(field(schema)).toMatchObject({ input });
	});

	test.each([
		['a definition (PrefectHQ/fastmcp#1632)', { $ref: '#/$defs/Size', title: 'How big?' }, 'choice'],
		['a definition in a list of one', { allOf: [{ $ref: '#/$defs/Size' }], default: 'small' }, 'choice'],
		[
			'what may be null (modelcontextprotocol/python-sdk: tests/server/fastmcp/test_elicitation.py)',
			{ anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
			'text',
		],
		['a definition that may be null', { anyOf: [{ $ref: '#/$defs/Size' }, { type: 'null' }] }, 'choice'],
		['a list of types with null', { type: ['integer', 'null'] }, 'number'],
		['numbers to choose from', { type: 'integer', enum: [1, 5, 10] }, 'number'],
		['any value', { title: 'Which?' }, 'text'],
		['an only choice', { anyOf: [{ const: 'a', title: 'A' }] }, 'choice'],
	])('also as libraries write it: %s', (_, schema, kind) => {
		const $defs = { Size: { type: 'string', enum: ['small', 'big'] } };
		expect(read({ mode: null, requestedSchema: { $defs, properties: { field: schema } } })).toMatchObject({
			fields: [{ input: { kind } }],
		});
	});

	test('with defaults, where they fit', () => {
		expect(field({ type: 'integer', default: 3 })).toMatchObject({ default: 3 });
		expect(field({ type: 'integer', default: '3' })).not.toHaveProperty('default');
		expect(field({ type: 'string', enum: ['a'], default: 'z' })).not.toHaveProperty('default');
	});

	test('without a pattern that is a program of its own', () => {
		expect(field({ type: 'string', pattern: '(a+)+'.repeat(200) })).toMatchObject({
			input: { kind: 'text' },
		});
		expect(field({ type: 'string', pattern: '(a+)+'.repeat(200) })).not.toHaveProperty('input.pattern');
	});

	test('and says which reads like one for a password', () => {
		expect(form({ api_key: { type: 'string' }, city: { type: 'string' } })).toMatchObject({
			fields: [{ isSecret: true }, { isSecret: false }],
		});
		for (const title of ['Your password', 'Password of the account', 'GitHub token', 'Passwort']) {
			expect(field({ type: 'string', title })).toMatchObject({ isSecret: true });
		}
		expect(field({ type: 'integer', title: 'Number of tokens' })).toMatchObject({ isSecret: false });
	});
});

describe('a question is not asked', () => {
	const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field ${i}`, { type: 'string' }]));
	test.each([
		['with 500 fields', { requestedSchema: { properties: many } }],
		['with a field of another form', { requestedSchema: { properties: { a: { type: 'object' } } } }],
		[
			'with a definition of itself',
			{
				requestedSchema: {
					$defs: { A: { $ref: '#/$defs/A' } },
					properties: { a: { $ref: '#/$defs/A' } },
				},
			},
		],
		['of a kind that is not known', { mode: 'telepathy' }],
		['with a script for an address', { mode: 'url', url: 'javascript:alert(1)' }],
		['with a file for an address', { mode: 'url', url: 'file:///etc/passwd' }],
		['with credentials in its address', { mode: 'url', url: 'https://user:pass@example.com/' }],
		['with an address that is too long', { mode: 'url', url: `https://example.com/${'x'.repeat(9_000)}` }],
		['that is none', 'please'],
	])('%s', (_, params) => {
		expect(read(params)).toBeTypeOf('string');
	});
});

test('what a server says in it is clean, bounded and without secrets', () => {
	const question = read({ message: `${hostileTexts.join(' ')} a-secret-of-ours ${'x'.repeat(100_000)}` });
	expect(question).toMatchObject({ kind: 'form' });
	const { message } = question as Question;
	expect(message.length).toBeLessThanOrEqual(4_000);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	expect(message).not.toMatch(/[\u0000-\u0008\u001b\u202e\u200b]/);
	const long = `${hostileTexts.join(' ')} ${'x'.repeat(1_000_000)}`;
	const whole = field({ type: 'string', title: long, description: long, enum: ['a'], enumNames: [long] });
	expect(JSON.stringify(whole).length).toBeLessThan(6_000);
	expect(read({ message: 'say a-secret-of-ours' })).toMatchObject({ message: 'say ***' });
});

describe('an answer', () => {
	const question = form({
		name: { type: 'string' },
		copies: { type: 'integer', default: 2 },
		['__proto__']: { type: 'string' },
	}) as Question;

	test('that is no, or none, says nothing else', () => {
		expect(answerTo(question, { action: 'decline' })).toEqual({ action: 'decline' });
		expect(answerTo(question, { action: 'cancel' })).toEqual({ action: 'cancel' });
	});

	test('has what was asked for, and the defaults of what was left as it is', () => {
		const content = { name: 'Ada', more: 'x' };
		expect(answerTo(question, { action: 'accept', content })).toEqual({
			action: 'accept',
			content: { name: 'Ada', copies: 2 },
		});
	});

	test('does not have the default of what was left out on purpose', () => {
		const content = { name: 'Ada', copies: null };
		expect(answerTo(question, { action: 'accept', content })).toEqual({
			action: 'accept',
			content: { name: 'Ada' },
		});
	});

	test('does not have what is of another kind', () => {
		const content = { name: 7, copies: 2.5 };
		expect(answerTo(question, { action: 'accept', content })).toEqual({
			action: 'accept',
			content: { copies: 2 },
		});
	});

	test('to an address says only that it was opened', () => {
		const address = read({ mode: 'url', message: 'Here', url: 'https://example.com/' }) as Question;
		expect(answerTo(address, { action: 'accept' })).toEqual({ action: 'accept' });
	});
});
