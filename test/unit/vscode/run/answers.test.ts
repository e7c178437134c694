import { describe, expect, test } from 'vitest';
import { answersOf, answersWithoutSecrets, argumentsOf } from '../../../../src/vscode/run/answers.ts';
import { formOf } from '../../../../src/vscode/run/parameters.ts';
import {
	type FormAnswers,
	type FormStep,
	noAnswers,
	stepsOf,
} from '../../../../src/vscode/ui/inputs/formAnswers.ts';

const form = formOf({
	type: 'object',
	properties: { path: { type: 'string' }, head: { type: 'integer' }, api_key: { type: 'string' } },
	required: ['path'],
});

function shown(steps: readonly FormStep[]): string[] {
	return steps.map((step) => (step.kind === 'parameter' ? step.parameter.name : step.kind));
}

const typed = { path: 'a', head: '3' };
const given: FormAnswers = { texts: new Map(Object.entries(typed)), chosen: new Set() };

describe('the input steps for running a tool', () => {
	test('ask for required parameters, then which optional ones to set, then for those', () => {
		expect(shown(stepsOf(form.parameters, noAnswers))).toEqual(['path', 'optional']);
		expect(shown(stepsOf(form.parameters, { chosen: new Set(['head', 'gone']) }))).toEqual([
			'path',
			'optional',
			'head',
		]);
	});

	test('are empty for a tool without parameters', () => {
		expect(stepsOf(formOf({ type: 'object' }).parameters, noAnswers)).toEqual([]);
	});
});

describe('the answers of the user', () => {
	test('become the arguments, without optional ones that are no longer selected', () => {
		expect(argumentsOf(form, given)).toEqual({ path: 'a' });
		expect(argumentsOf(form, { ...given, chosen: new Set(['head']) })).toEqual({ path: 'a', head: 3 });
		expect(argumentsOf(form, { ...given, texts: new Map([['path', '']]) })).toEqual({});
	});

	test('are used as one JSON object if all arguments are entered together', () => {
		const whole = formOf({ additionalProperties: true });
		expect(argumentsOf(whole, answersOf(whole, { any: 1 }))).toEqual({ any: 1 });
	});

	test('are restored from given arguments, and select the optional ones among them', () => {
		const args = { path: 'a', head: 3 };
		expect(argumentsOf(form, answersOf(form, args))).toEqual(args);
		expect([...answersOf(form, { path: 'a' }).chosen]).toEqual([]);
	});

	test('are remembered for the next run, but without secrets', () => {
		const texts = new Map(Object.entries({ ...typed, api_key: 'sk' }));
		expect([...answersWithoutSecrets(form, { ...given, texts }).texts.keys()]).toEqual(['path', 'head']);
	});
});
