import { coerce } from './coerce.ts';
import { fitOf } from './fit.ts';
import type { Parameter } from './parameter.ts';
import type { Literal } from './prompt.ts';

/** An object put together from labelled values, and the literals that went into it. */
export interface Composed {
	readonly value: unknown;
	readonly used: readonly Literal[];
}

/**
 * The object that a parameter asks for, or a list of one, where the prompt labels every required property: `replace "a"
 * with "b"` gives `[{ oldText: "a", newText: "b" }]`. `undefined` as soon as one is missing.
 */
export function composedValue(parameter: Parameter, literals: readonly Literal[]): Composed | undefined {
	const isList = parameter.types.includes('array');
	const properties = (isList ? parameter.items : parameter)?.properties;
	if (!properties?.some(({ required }) => required)) return undefined;
	const used: Literal[] = [];
	const entries: [string, unknown][] = [];
	for (const property of properties) {
		const literal = labelledFor(
			property,
			properties,
			literals.filter((candidate) => !used.includes(candidate)),
		);
		const value = literal && coerce(literal.text, property);
		if (literal && value) {
			used.push(literal);
			entries.push([property.name, value.value]);
		} else if (property.required) return undefined;
	}
	const object = Object.fromEntries(entries);
	return { value: isList ? [object] : object, used };
}

function labelledFor(
	property: Parameter,
	properties: readonly Parameter[],
	literals: readonly Literal[],
): Literal | undefined {
	return literals
		.filter(({ strength }) => strength !== undefined && strength !== 'weak')
		.map((literal) => ({ literal, points: fitOf(literal, property, properties) }))
		.filter(({ points }) => points >= leastLabelled)
		.sort((a, b) => b.points - a.points)[0]?.literal;
}

/** Points from which a fit rests on a label, not on looks. */
const leastLabelled = 41;
