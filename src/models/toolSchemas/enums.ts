import { cut } from '../../discovery/text.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { longEnum } from './dialects.ts';
import { withKeywords } from './editing.ts';
import type { Place, Say } from './place.ts';
import { isOfType, typeOf, typesOf } from './types.ts';

/** Characters of a long enumeration's values that stand in the description instead. */
const namedCharacters = 400;

/** Enumerations with each value once, of the type that is named, and no longer than the provider takes. */
export function knownEnums(schema: JsonSchema, place: Place, say: Say): JsonSchema {
	const written = place.dialect.keywords.has('const') ? schema : constAsEnum(schema);
	if (!Array.isArray(written.enum)) return written;
	const values = valuesOfType(distinct(written.enum), typesOf(written));
	// None is left where the type is a mistake: it is the values that the server's author has thought of.
	const isMistyped = values.length === 0;
	const allowed = isMistyped ? distinct(written.enum) : values;
	const listed = allowed.length === written.enum.length ? written.enum : allowed;
	const named = isMistyped || written.type === undefined ? typesOfValues(listed) : written.type;
	if (!fits(listed, place)) {
		say(`One of ${listed.length} values: ${someOf(listed)}`);
		return withKeywords(written, { enum: undefined, type: named });
	}
	const type = place.dialect.explicit || isMistyped ? named : written.type;
	return withKeywords(written, { enum: listed, type });
}

function constAsEnum(schema: JsonSchema): JsonSchema {
	if (!('const' in schema)) return schema;
	return withKeywords(schema, { const: undefined, enum: [schema.const] });
}

function distinct(values: readonly unknown[]): readonly unknown[] {
	return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function valuesOfType(values: readonly unknown[], types: readonly string[]): readonly unknown[] {
	return types.length === 0 ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
}

function typesOfValues(values: readonly unknown[]): string | readonly string[] {
	const [first = 'string', ...others] = new Set(values.map(typeOf));
	return others.length === 0 ? first : [first, ...others];
}

function fits(values: readonly unknown[], { budget, dialect }: Place): boolean {
	if (values.length > longEnum && lengthOf(values) > dialect.longEnumCharacters) return false;
	return budget.takesEnum(values.length);
}

function lengthOf(values: readonly unknown[]): number {
	return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
}

function someOf(values: readonly unknown[]): string {
	let text = '';
	for (const value of values) {
		if (text.length > namedCharacters) break;
		text += `${text === '' ? '' : ', '}${typeof value === 'string' ? value : JSON.stringify(value)}`;
	}
	return cut(text, namedCharacters);
}
