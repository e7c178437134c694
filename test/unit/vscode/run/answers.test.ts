import { describe, expect, test } from 'vitest';
import {
	answered,
	argumentsOf,
	noAnswers,
	type Step,
	stepsOf,
	withoutSecrets,
} from '../../../../src/vscode/run/parameters/answers.ts';
import { formOf } from '../../../../src/vscode/run/parameters/form.ts';

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
