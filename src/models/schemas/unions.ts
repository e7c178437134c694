import { isRecord, recordOf } from '../../common/json.ts';
import { type JsonSchema, propertiesOf, requiredOf, typesOf } from '../../common/jsonSchema.ts';
import { cut, folded } from '../../common/text.ts';
import { mergedParts, type ReadingState, type Say, worded } from './bounds.ts';
import { united, withKeywords } from './editing.ts';
import { anyOf, arrayRule, distinct, enumRule } from './rules.ts';

/**
 * Replaces `allOf` by its merged parts, and `oneOf` by `anyOf`. The result is looser if alternatives overlap, which `oneOf` forbids.
 */
export function withPlainUnions(schema: JsonSchema): JsonSchema {
	const { allOf, oneOf } = schema;
	if (allOf === undefined && oneOf === undefined) return schema;
	const rest = withKeywords(schema, { allOf: undefined, oneOf: undefined });
	const parts = Array.isArray(allOf) ? allOf.filter(isRecord) : [];
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
	const [needed, others] = [required, optional].map((names) =>
		names
			.map((name) => {
				const [value, ...more] = valuesOf(Object.hasOwn(properties, name) && properties[name]) ?? [];
				const isFixed = value !== undefined && more.length === 0;
				return `${folded(name)}${isFixed ? ` = ${worded(JSON.stringify(value))}` : ''}`;
			})
			.join(', '),
	);
	return `${title}${[needed, others && `optionally ${others}`].filter(Boolean).join(', ') || 'nothing else'}`;
}
