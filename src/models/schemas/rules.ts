import { isRecord, parsedJson, recordOf, recordsIn } from '../../common/json.ts';
import { type JsonSchema, jsonTypes, propertiesOf, requiredOf, typesOf } from '../../common/jsonSchema.ts';
import { cut, folded } from '../../common/text.ts';
import { mergedParts, type ReadingState, type Say, shortJson, united, withKeywords } from './bounds.ts';

/** Keywords that make a type unnecessary. */
const keywordsInPlaceOfType = ['anyOf', 'oneOf', 'allOf', 'not', 'if'];

/** Removes unknown types, and adds a missing one. */
export function typeRule(schema: JsonSchema, say: Say): JsonSchema {
	if (schema.type === undefined) return withInferredType(schema);
	const listed = typesOf(schema);
	const unknown = listed.filter((name) => !jsonTypes.has(name.toLowerCase()));
	// An unknown type may mean anything, so none of the types is kept.
	if (unknown.length > 0) {
		if (!unknown.includes('any')) say(`type: ${unknown.map(shortJson).join(', ')}`);
		return withKeywords(schema, { type: undefined });
	}
	const types = [...new Set(listed.map((name) => name.toLowerCase()))];
	return withKeywords(schema, { type: types.length === 1 ? types[0] : types });
}

/** Keywords that say something about values of one type only. */
const keywordsOfType: readonly (readonly [types: readonly string[], keywords: readonly string[]])[] = [
	[['object'], ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
	[['array'], ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
	[['string'], ['minLength', 'maxLength', 'pattern']],
	[
		['number', 'integer'],
		['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
	],
];

/**
 * Leaves out what is about values of another type, which has no effect: "only allowed for OBJECT type" (Gemini). The parts of a text go into
 * words, because an author who lists some means that the text contains them.
 */
export function ownKeywordsRule(schema: JsonSchema, say: Say): JsonSchema {
	const types = typesOf(schema);
	if (types.length === 0) return schema;
	const foreign = keywordsOfType
		.filter(([own]) => !own.some((type) => types.includes(type)))
		.flatMap(([, keywords]) => keywords.filter((keyword) => keyword in schema));
	for (const keyword of foreign)
		if (isRecord(schema[keyword])) say(`${keyword}: ${shortJson(schema[keyword])}`);
	return foreign.length === 0
		? schema
		: withKeywords(schema, Object.fromEntries(foreign.map((keyword) => [keyword, undefined])));
}

/** The most specific type of a value. */
function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) || JSON.isRawJSON(value) ? 'integer' : typeof value;
}

/** Whether a value is of a type. */
export function isOfType(value: unknown, type: string): boolean {
	const own = typeOf(value);
	return own === type || (type === 'number' && own === 'integer');
}

/** Adds the type that the other keywords belong to. */
function withInferredType(schema: JsonSchema): JsonSchema {
	if (keywordsInPlaceOfType.some((keyword) => keyword in schema)) return schema;
	if (isRecord(schema.properties) || Array.isArray(schema.required)) {
		return withKeywords(schema, { type: 'object' });
	}
	if (schema.items !== undefined || schema.prefixItems !== undefined) {
		return withKeywords(schema, { type: 'array' });
	}
	return schema;
}

/** Characters of an enumeration's values in the description. */
const listedValuesCharacters = 400;

/**
 * Enumerations with unique values of the schema's type, and no longer than the provider accepts. If type and values contradict each other, the type
 * stays: a server refuses every value of another type. An array's values are its items', and others are read as the type, or go into words.
 */
export function enumRule(schema: JsonSchema, say: Say, { budget }: ReadingState): JsonSchema {
	const withEnum = constAsEnum(schema);
	if (!Array.isArray(withEnum.enum)) return withEnum;
	const all = distinct(withEnum.enum);
	const types = typesOf(withEnum);
	const listed = isContradicted(all, types) ? readAs(all, types) : valuesOfType(all, types);
	const type = withEnum.type ?? typesOfValues(listed);
	if (listed.length > 0 && listed.length <= budget.enumValues) {
		budget.enumValues -= listed.length;
		return withKeywords(withEnum, { enum: listed, type });
	}
	const values = listed.length > 0 ? listed : all;
	say(`One of ${values.length} values: ${cut(values.map(shortJson).join(', '), listedValuesCharacters)}`);
	return withKeywords(withEnum, { enum: undefined, type });
}

/** Moves the values of an array's enumeration to its items, where its author meant them to be. */
export function withItemEnum(schema: JsonSchema): JsonSchema {
	const written = constAsEnum(schema);
	const { enum: values, items, prefixItems } = written;
	const types = typesOf(written).map((name) => name.toLowerCase());
	if (!Array.isArray(values) || !types.includes('array') || !isContradicted(values, types)) return schema;
	const own = isRecord(items) ? items : {};
	const meant = values.filter((value) => value !== null);
	const moved = { type: typesOfValues(meant), ...own, enum: own.enum ?? meant };
	return withKeywords(written, { enum: undefined, items: prefixItems === undefined ? moved : items });
}

/** Whether values are listed, and none of them has one of the types. That `null` is allowed, too, says nothing about the others. */
function isContradicted(values: readonly unknown[], types: readonly string[]): boolean {
	const meant = values.filter((value) => value !== null);
	const others = types.filter((type) => type !== 'null');
	return meant.length > 0 && others.length > 0 && valuesOfType(meant, others).length === 0;
}

/** Numbers as texts, and texts as the numbers and truth values that they spell, as the types ask; empty if one cannot be read so. */
function readAs(values: readonly unknown[], types: readonly string[]): readonly unknown[] {
	const read = values.map((value) => {
		if (value === null || typeof value === 'object') return value;
		return types.includes('string') ? String(value) : parsedJson(String(value));
	});
	return valuesOfType(read, types).length === read.length ? read : [];
}

function constAsEnum(schema: JsonSchema): JsonSchema {
	if (!('const' in schema)) return schema;
	return withKeywords(schema, { const: undefined, enum: [schema.const] });
}

export function distinct(values: readonly unknown[]): readonly unknown[] {
	return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Allows what any of the schemas allows. */
export function anyOf(schemas: readonly unknown[]): unknown {
	return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

function valuesOfType(values: readonly unknown[], types: readonly string[]): readonly unknown[] {
	return types.length === 0 ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
}

function typesOfValues(values: readonly unknown[]): string | readonly string[] {
	const [first = 'string', ...others] = new Set(values.map(typeOf));
	return others.length === 0 ? first : [first, ...others];
}

/** Arrays say what their items are, the same for all of them. */
export function arrayRule(original: JsonSchema, say: Say): JsonSchema {
	const schema = withUniformItems(original, say);
	if (schema.items === false) return withKeywords(schema, { items: {}, maxItems: 0 });
	const isMissing = schema.items === undefined && typesOf(schema).includes('array');
	return isMissing || schema.items === true ? withKeywords(schema, { items: {} }) : schema;
}

/** Replaces a tuple by an array of all its kinds of items; words say their order. */
function withUniformItems(schema: JsonSchema, say: Say): JsonSchema {
	const { prefixItems: places, items: rest, maxItems } = schema;
	if (!Array.isArray(places)) return schema;
	const kinds = distinct([...places, ...(isRecord(rest) ? [rest] : [])]);
	if (distinct(places).length > 1) say(`In this order: ${places.map(shortJson).join(', ')}`);
	return withKeywords(schema, {
		prefixItems: undefined,
		items: anyOf(kinds),
		...(rest === false && { maxItems: maxItems ?? places.length }),
	});
}

/** `required` lists each name once. A name that `properties` lacks is added there, with any value, unless others are forbidden. */
export function objectRule(schema: JsonSchema): JsonSchema {
	const { required, additionalProperties: others } = schema;
	if (!Array.isArray(required)) return schema;
	const properties = propertiesOf(schema);
	const names = [...new Set<string>(required)];
	const unknown = names.filter((name) => !Object.hasOwn(properties, name));
	const allowed = others === false ? names.filter((name) => Object.hasOwn(properties, name)) : names;
	return withKeywords(schema, {
		// Groq refuses even an empty list without properties.
		required: allowed.length > 0 || isRecord(schema.properties) ? allowed : undefined,
		...(others !== false &&
			unknown.length > 0 && {
				properties: Object.fromEntries([
					...Object.entries(properties),
					...unknown.map((name) => [name, isRecord(others) ? others : {}]),
				]),
			}),
	});
}

/**
 * Replaces `allOf` by its merged parts, and `oneOf` by `anyOf`. The result is looser if alternatives overlap, which `oneOf` forbids.
 */
export function withPlainUnions(schema: JsonSchema): JsonSchema {
	const { allOf, oneOf } = schema;
	if (allOf === undefined && oneOf === undefined) return schema;
	const rest = withKeywords(schema, { allOf: undefined, oneOf: undefined });
	const parts = recordsIn(allOf);
	return [...(Array.isArray(oneOf) ? [{ anyOf: oneOf }] : []), ...parts.slice(0, mergedParts)].reduce(
		united,
		rest,
	);
}

/** Keywords about an object that a union next to them narrows. */
const objectKeywords = ['properties', 'required', 'additionalProperties'];

/** Moves keywords that narrow a union into its alternatives. */
export function unionRule(schema: JsonSchema, say: Say, place: ReadingState): JsonSchema {
	const { anyOf: alternatives, type } = schema;
	if (!Array.isArray(alternatives)) return schema;
	const [only, ...others] = alternatives;
	if (isRecord(only) && others.length === 0) return united(withKeywords(schema, { anyOf: undefined }), only);
	if (objectKeywords.some((keyword) => keyword in schema)) return alternativesAsOne(schema, say);
	if (type === undefined || !alternatives.every(isRecord)) return schema;
	const typed = alternatives.map((alternative) =>
		arrayRule(enumRule(united(alternative, { type }), say, place), say),
	);
	return withKeywords(schema, { type: undefined, anyOf: typed });
}

/** Characters of an alternative's title. */
const titleCharacters = 60;

/**
 * Replaces a union of objects by one object with the properties of all of them, which requires what all of them require. Words say which
 * properties belong together. Alternatives that are no objects are left out. The result is looser than the union: it allows properties of
 * different alternatives together.
 */
export function alternativesAsOne(schema: JsonSchema, say: Say): JsonSchema {
	if (!Array.isArray(schema.anyOf)) return schema;
	const rest = withKeywords(schema, { anyOf: undefined });
	const objects: readonly JsonSchema[] = schema.anyOf
		.filter(isRecord)
		.filter(mayBeObject)
		// Unions within alternatives are not described in words.
		.map((alternative) => alternativesAsOne(alternative, () => undefined));
	const [first] = objects;
	if (!first) return rest;
	if (objects.length === 1) return united(rest, first);
	say(`Takes one of: ${objects.map((object, at) => `(${at + 1}) ${inWords(object, rest)}`).join('; ')}`);
	return united(rest, unionOf(objects));
}

export function mayBeObject(schema: JsonSchema): boolean {
	const types = typesOf(schema);
	return types.length === 0 || types.includes('object');
}

function unionOf(objects: readonly JsonSchema[]): JsonSchema {
	const required = objects.map(requiredOf);
	const common = (required[0] ?? []).filter((name) => required.every((names) => names.includes(name)));
	const isClosed = objects.every(({ additionalProperties }) => additionalProperties === false);
	return {
		type: 'object',
		properties: unitedProperties(objects),
		...(common.length > 0 && { required: common }),
		...(isClosed && { additionalProperties: false }),
	};
}

function unitedProperties(objects: readonly JsonSchema[]): JsonSchema {
	const entries = objects.flatMap((object) => Object.entries(propertiesOf(object)));
	const byName = Map.groupBy(entries, ([name]) => name);
	return Object.fromEntries(
		[...byName].map(([name, same]) => [name, unionOfValues(distinct(same.map(([, schema]) => schema)))]),
	);
}

/** Allows what any of the schemas allows. Values that distinguish alternatives become one enumeration. */
function unionOfValues(schemas: readonly unknown[]): unknown {
	const [first] = schemas;
	const values = schemas.map(valuesOf);
	const isOneType = schemas.every((schema) => recordOf(schema).type === recordOf(first).type);
	if (schemas.length === 1 || !isOneType || values.includes(undefined)) return anyOf(schemas);
	return { ...recordOf(first), enum: distinct(values.flat()) };
}

/** The values that a schema lists. */
function valuesOf(schema: unknown): readonly unknown[] | undefined {
	const { enum: values } = recordOf(schema);
	return Array.isArray(values) ? values : undefined;
}

/** `kind = "circle", radius, optionally colour`. */
function inWords(object: JsonSchema, rest: JsonSchema): string {
	const properties = propertiesOf(object);
	const required = requiredOf(object);
	const shared = [...required, ...Object.keys(propertiesOf(rest))];
	const optional = Object.keys(properties).filter((name) => !shared.includes(name));
	const title = typeof object.title === 'string' ? `${cut(folded(object.title), titleCharacters)}: ` : '';
	const [requiredText, optionalText] = [required, optional].map((names) =>
		names
			.map((name) => {
				const [value, ...more] = valuesOf(Object.hasOwn(properties, name) && properties[name]) ?? [];
				const isFixed = value !== undefined && more.length === 0;
				return `${folded(name)}${isFixed ? ` = ${shortJson(JSON.stringify(value))}` : ''}`;
			})
			.join(', '),
	);
	return `${title}${[requiredText, optionalText && `optionally ${optionalText}`].filter(Boolean).join(', ') || 'nothing else'}`;
}
