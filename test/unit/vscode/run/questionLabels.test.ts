import { describe, expect, test } from 'vitest';
import { formOf } from '../../../../src/vscode/run/form.ts';
import { choicePromptOf, placeholderOf, promptOf } from '../../../../src/vscode/run/questionLabels.ts';

function parameter(schema: unknown, required = true) {
	const [only] = formOf({
		type: 'object',
		properties: { it: schema },
		...(required && { required: ['it'] }),
	}).parameters;
	if (!only) throw new Error('nothing is asked for');
	return only;
}

function prompt(schema: unknown, required?: boolean): string {
	const asked = parameter(schema, required);
	return promptOf(asked, asked.asking);
}

describe('the question for a parameter', () => {
	test.each([
		[
			'its type and that it is required',
			{ type: 'string', description: 'Where' },
			'it (text, required): Where.',
		],
		['what is known of one without words', { type: 'boolean' }, 'it: true or false, required.'],
		[
			'what its values must be',
			{ type: 'integer', minimum: 1, maximum: 9, description: 'How many?' },
			'it (number, required): How many? Whole number, 1 to 9.',
		],
		[
			'how several are typed',
			{ type: 'array', items: { type: 'string' }, maxItems: 1 },
			'it: list of texts, required. At most 1 item, separated by commas.',
		],
		['the shortest text', { type: 'string', minLength: 2 }, 'it: text, required. At least 2 characters.'],
		['that it is JSON', { type: 'object' }, 'it: JSON object, required.'],
		['all kinds', { type: ['string', 'number', 'object'] }, 'it: text or number or JSON object, required.'],
	])('says %s', (_, schema, words) => {
		expect(prompt(schema)).toBe(words);
	});

	test('says that it may be left out, and how', () => {
		const schema = { type: 'number', default: 5, description: 'Depth', examples: [7] };
		expect(prompt(schema, false)).toBe('it (number, optional): Depth.');
		expect(placeholderOf(parameter(schema, false))).toBe(
			'Leave empty to leave out · default: 5 · for example 7',
		);
		expect(choicePromptOf(parameter({ enum: ['a', 'b'] }, false))).toBe('it: optional');
		expect(choicePromptOf(parameter({ enum: ['a'], description: 'Which' }))).toBe('it (required): Which');
	});
});
