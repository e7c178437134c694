import { type Parameter, parseInput } from './parameter.ts';

/** One screen of the questions for several parameters. */
export type FormStep =
	| { readonly kind: 'parameter'; readonly parameter: Parameter }
	/** Which optional parameters to set. */
	| { readonly kind: 'optional'; readonly parameters: readonly Parameter[] };

/** What was typed, also before Back. Immutable; values are read from the texts when needed. */
export interface FormAnswers {
	/** By parameter, as {@link textOf} writes values. */
	readonly texts: ReadonlyMap<string, string>;
	/** Optional parameters to ask for. */
	readonly chosen: ReadonlySet<string>;
}

export const noAnswers: FormAnswers = { texts: new Map(), chosen: new Set() };

/** The questions that follow from the answers so far. */
export function stepsOf(
	parameters: readonly Parameter[],
	{ chosen }: Pick<FormAnswers, 'chosen'>,
): readonly FormStep[] {
	const step = (parameter: Parameter): FormStep => ({ kind: 'parameter', parameter });
	const optional = parameters.filter(({ required }) => !required);
	return [
		...parameters.filter(({ required }) => required).map(step),
		...(optional.length > 0 ? [{ kind: 'optional', parameters: optional } as const] : []),
		...optional.filter(({ name }) => chosen.has(name)).map(step),
	];
}

/** The values that were given, in the order of the parameters. */
export function valuesOf(
	parameters: readonly Parameter[],
	{ texts, chosen }: FormAnswers,
): readonly (readonly [name: string, value: unknown])[] {
	const included = parameters.filter(({ name, required }) => required || chosen.has(name));
	return included.flatMap(({ name, input }) => {
		const reading = parseInput(texts.get(name) ?? '', input);
		return reading.kind === 'value' ? [[name, reading.value] as const] : [];
	});
}
