import type { Form, Parameter } from './parameter.ts';

/** One screen of the questions for a tool's arguments. */
export type Step =
	| { readonly kind: 'parameter'; readonly parameter: Parameter }
	/** Which of these to give at all. */
	| { readonly kind: 'optional'; readonly parameters: readonly Parameter[] }
	/** All of them at once, as JSON. */
	| { readonly kind: 'whole' };

/** What was given for a tool; immutable. */
export interface Answers {
	/** By parameter; one that is absent is left out. */
	readonly values: ReadonlyMap<string, unknown>;
	/** Optional parameters that are to be asked for. */
	readonly chosen: ReadonlySet<string>;
}

export const noAnswers: Answers = { values: new Map(), chosen: new Set() };

/** The questions to ask, as far as the answers show by now. */
export function stepsOf({ parameters, open }: Form, { chosen }: Pick<Answers, 'chosen'>): readonly Step[] {
	const required = parameters.filter((parameter) => parameter.required);
	const optional = parameters.filter((parameter) => !parameter.required);
	const asked = optional.filter(({ name }) => chosen.has(name));
	return [
		...required.map(parameterStep),
		...(optional.length > 0 ? [{ kind: 'optional', parameters: optional } as const] : []),
		...asked.map(parameterStep),
		...(open ? [{ kind: 'whole' } as const] : []),
	];
}

function parameterStep(parameter: Parameter): Step {
	return { kind: 'parameter', parameter };
}

/** The answers with one more, or without it where `given` is nothing. */
export function answered(
	answers: Answers,
	name: string,
	given: { readonly value: unknown } | undefined,
): Answers {
	const values = new Map(answers.values);
	if (given) values.set(name, given.value);
	else values.delete(name);
	return { ...answers, values };
}

/** What the tool is called with, in the order of the form. */
export function argumentsOf(form: Form, { values, chosen }: Answers): Record<string, unknown> {
	const given = form.parameters.filter(
		({ name, required }) => values.has(name) && (required || chosen.has(name)),
	);
	return Object.fromEntries(given.map(({ name }) => [name, values.get(name)]));
}

/** What may be kept for the next run: no secrets. */
export function withoutSecrets(form: Form, { values, chosen }: Answers): Answers {
	const secret = new Set(form.parameters.filter((parameter) => parameter.secret).map(({ name }) => name));
	return { values: new Map([...values].filter(([name]) => !secret.has(name))), chosen };
}
