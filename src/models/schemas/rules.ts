import { isRecord } from '../../common/json.ts';
import { type JsonSchema, propertiesOf, typesOf } from '../../common/jsonSchema.ts';
import { cut } from '../../common/text.ts';
import { worded } from './bounds.ts';
import { longEnum } from './dialects.ts';
import { withKeywords } from './editing.ts';
import type { Place, Say } from './place.ts';

/** The types of JSON Schema by what generators of other languages call them, in lower case. */
const typesByName: ReadonlyMap<string, string> = new Map(
	Object.entries({
		string: 'string str text',
		integer: 'integer int int32 int64 long',
		number: 'number float double decimal',
		boolean: 'boolean bool',
		array: 'array list tuple',
		object: 'object dict map',
		null: 'null none',
	}).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);

/** Keywords that stand in for a type. */
const otherwiseTyped = ['anyOf', 'oneOf', 'allOf', 'not', 'if'];

/** Types by the names that JSON Schema has for them, and named where the provider asks for that. */
export function typeRule(schema: JsonSchema, { dialect }: Place, say: Say): JsonSchema {
	if (schema.type === undefined) return dialect.explicit ? named(schema) : schema;
	const listed = typesOf(schema);
	const unknown = listed.filter((name) => !typesByName.has(name.toLowerCase()));
	// An unknown type may stand for any, so none of the types is kept.
	if (unknown.length > 0) {
		if (!unknown.includes('any')) say(`type: ${unknown.map(worded).join(', ')}`);
		return withKeywords(schema, { type: undefined });
	}
	const types = [...new Set(listed.map((name) => typesByName.get(name.toLowerCase())))];
	if (types.join() === listed.join()) return schema;
	return withKeywords(schema, { type: types.length === 1 ? types[0] : types });
}

/** The type of a value, `integer` where it is one. */
export function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a value is of a type. */
function isOfType(value: unknown, type: string): boolean {
	const own = typeOf(value);
	return own === type || (type === 'number' && own === 'integer');
}

/** The schema with the type that its other keywords are about. */
function named(schema: JsonSchema): JsonSchema {
	if (otherwiseTyped.some((keyword) => keyword in schema)) return schema;
	if (isRecord(schema.properties) || Array.isArray(schema.required)) {
		return withKeywords(schema, { type: 'object' });
	}
	if (schema.items !== undefined || schema.prefixItems !== undefined) {
		return withKeywords(schema, { type: 'array' });
	}
	return schema;
}

/** Characters of a long enumeration's values that stand in the description instead. */
const namedCharacters = 400;

/** Enumerations with each value once, of the type that is named, and no longer than the provider takes. */
export function enumRule(schema: JsonSchema, place: Place, say: Say): JsonSchema {
	const written = place.dialect.keywords.has('const') ? schema : constAsEnum(schema);
	if (!Array.isArray(written.enum)) return written;
	const values = valuesOfType(distinct(written.enum), typesOf(written));
	// Where no value has the type, the type is the mistake: the server's author has thought of the values.
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

/** Arrays that say what their items are, all alike where the provider knows no list of places. */
export function arrayRule(schema: JsonSchema, { dialect }: Place, say: Say): JsonSchema {
	const uniform =
		dialect.keywords.has('prefixItems') || !Array.isArray(schema.prefixItems)
			? schema
			: withUniformItems(schema, schema.prefixItems, say);
	if (uniform.items === false && uniform.prefixItems === undefined) {
		return withKeywords(uniform, { items: {}, maxItems: 0 });
	}
	const isUnsaid = dialect.explicit && uniform.items === undefined && typesOf(uniform).includes('array');
	return isUnsaid || uniform.items === true ? withKeywords(uniform, { items: {} }) : uniform;
}

/**
 * Items that each may be what some place asks for; the places go into words. Exact where all places are alike and nothing else may
 * follow, else the schema allows an order that the server does not.
 */
function withUniformItems(schema: JsonSchema, places: readonly unknown[], say: Say): JsonSchema {
	const kinds = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
	if (kinds.length > 1) say(`In this order: ${places.map(worded).join(', ')}`);
	const isClosed = schema.items === false;
	// What may follow is left out unless it is named: its absence would let each item be anything.
	const rest = typeof schema.items === 'object' ? [schema.items] : [];
	const items = kinds.length + rest.length === 1 ? kinds[0] : { anyOf: [...kinds, ...rest] };
	return withKeywords(schema, {
		prefixItems: undefined,
		items,
		...(isClosed && schema.maxItems === undefined && { maxItems: places.length }),
	});
}

/** Objects whose `required` is a list of names, each once, and of names that `properties` knows where the provider asks for that. */
export function objectRule(schema: JsonSchema, { dialect }: Place): JsonSchema {
	if (!Array.isArray(schema.required)) return schema;
	const names = [...new Set<string>(schema.required)];
	const listed = names.length === schema.required.length ? schema.required : names;
	if (!dialect.explicit) return withKeywords(schema, { required: listed });
	return withRequired(schema, listed);
}

/** A name that is required but not known becomes known: its value may be anything, where there may be others than the known. */
function withRequired(schema: JsonSchema, required: readonly string[]): JsonSchema {
	const properties = propertiesOf(schema);
	const unknown = required.filter((name) => !Object.hasOwn(properties, name));
	const known = unknown.length === 0 ? required : required.filter((name) => Object.hasOwn(properties, name));
	const { additionalProperties: others } = schema;
	const kept = others === false ? known : required;
	return withKeywords(schema, {
		// Groq refuses a list, were it empty, where there are no properties.
		required: kept.length > 0 || isRecord(schema.properties) ? kept : undefined,
		...(others !== false &&
			unknown.length > 0 && {
				properties: Object.fromEntries([
					...Object.entries(properties),
					...unknown.map((name) => [name, isRecord(others) ? others : {}]),
				]),
			}),
	});
}
