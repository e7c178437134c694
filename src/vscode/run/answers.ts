import { isRecord } from '../../common/json.ts';
import { type Parameter, readText, textOf } from '../ui/inputs/parameter.ts';
import type { Form } from './parameters.ts';

/** One screen of the questions for a tool's arguments. */
export type Step =
	| { readonly kind: 'parameter'; readonly parameter: Parameter }
	/** Which optional parameters to set. */
	| { readonly kind: 'optional'; readonly parameters: readonly Parameter[] };

/** What was typed for a tool, also before Back. Immutable; values are read from the texts when needed. */
export interface Answers {
	/** By parameter, as {@link textOf} writes values. */
	readonly texts: ReadonlyMap<string, string>;
	/** Optional parameters to ask for. */
	readonly chosen: ReadonlySet<string>;
}

export const noAnswers: Answers = { texts: new Map(), chosen: new Set() };

/** The questions that follow from the answers so far. */
export function stepsOf({ parameters }: Form, { chosen }: Pick<Answers, 'chosen'>): readonly Step[] {
	const step = (parameter: Parameter): Step => ({ kind: 'parameter', parameter });
	const optional = parameters.filter(({ required }) => !required);
	return [
		...parameters.filter(({ required }) => required).map(step),
		...(optional.length > 0 ? [{ kind: 'optional', parameters: optional } as const] : []),
		...optional.filter(({ name }) => chosen.has(name)).map(step),
	];
}

/** The arguments, in the order of the form. */
export function argumentsOf({ kind, parameters }: Form, { texts, chosen }: Answers): Record<string, unknown> {
	const given = parameters.filter(({ name, required }) => required || chosen.has(name));
	const values = given.flatMap(({ name, input }) => {
		const reading = readText(texts.get(name) ?? '', input);
		return reading.kind === 'value' ? [[name, reading.value] as const] : [];
	});
	const whole = kind === 'whole' ? values[0]?.[1] : undefined;
	return isRecord(whole) ? whole : Object.fromEntries(values);
}

/** The answers that lead to these arguments. */
export function answersOf({ kind, parameters }: Form, args: Readonly<Record<string, unknown>>): Answers {
	const given = parameters.flatMap((parameter) => {
		const value = kind === 'whole' ? args : args[parameter.name];
		return Object.hasOwn(args, parameter.name) || kind === 'whole' ? [{ ...parameter, value }] : [];
	});
	return {
		texts: new Map(given.map(({ name, input, value }) => [name, textOf(value, input)])),
		chosen: new Set(given.filter(({ required }) => !required).map(({ name }) => name)),
	};
}

/** What may be kept for the next run. */
export function withoutSecrets({ parameters }: Form, { texts, chosen }: Answers): Answers {
	const secret = new Set(parameters.filter((parameter) => parameter.secret).map(({ name }) => name));
	return { texts: new Map([...texts].filter(([name]) => !secret.has(name))), chosen };
}
