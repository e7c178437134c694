import { isRecord, type JsonRecord } from '../../common/json.ts';
import { type JsonSchema, propertiesOf, requiredOf, typesOf } from '../../common/jsonSchema.ts';
import { cut, folded } from '../../common/text.ts';
import { mergedParts, type ReadingState, type Say, worded } from './bounds.ts';
import { united, withKeywords } from './editing.ts';
import { arrayRule, enumRule } from './rules.ts';

/**
 * Replaces `allOf` by its merged parts, and `oneOf` by `anyOf`. The result is looser if alternatives overlap, which `oneOf` forbids.
 */
export function withPlainUnions(schema: JsonSchema, say: Say): JsonSchema {
	const { allOf, oneOf, ...rest } = schema;
	if (allOf === undefined && oneOf === undefined) return schema;
	// `rest` loses a member `__proto__`, but that is no keyword.
	let whole: JsonSchema = rest;
	if (Array.isArray(oneOf)) whole = united(whole, { anyOf: oneOf });
	const parts: readonly JsonRecord[] = Array.isArray(allOf) ? allOf.filter(isRecord) : [];
	for (const part of parts.slice(0, mergedParts)) {
		whole = united(whole, withPlainUnions(part, say));
	}
	const unmerged = parts.slice(mergedParts);
	if (unmerged.length > 0) say(`And: ${worded(unmerged)}`);
	return whole;
}

/** Keywords about an object that a union next to them narrows. */
const objectKeywords = ['properties', 'required', 'additionalProperties'];

/** Moves keywords that narrow a union into its alternatives. */
export function unionRule(schema: JsonSchema, say: Say, place: ReadingState): JsonSchema {
	const { anyOf, type } = schema;
	if (!Array.isArray(anyOf)) return schema;
	if (objectKeywords.some((keyword) => keyword in schema)) return alternativesAsOne(schema, say);
	if (type === undefined || !anyOf.every(isRecord)) return schema;
	const typed = anyOf.map((alternative) =>
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
		.filter((alternative) => mayBeObject(alternative))
		// Unions within alternatives are not described in words.
		.map((alternative) => alternativesAsOne(withPlainUnions(alternative, unsaid), unsaid));
	const [first] = objects;
	if (!first) return rest;
	if (objects.length === 1) return united(rest, first);
	say(`Takes one of: ${objects.map((object, at) => `(${at + 1}) ${inWords(object, rest)}`).join('; ')}`);
	return united(rest, unionOf(objects));
}

function unsaid(): void {}

function mayBeObject(schema: JsonRecord): boolean {
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
	const united = new Map<string, unknown[]>();
	for (const [name, schema] of objects.flatMap((object) => Object.entries(propertiesOf(object)))) {
		united.set(name, [...(united.get(name) ?? []), schema]);
	}
	return Object.fromEntries([...united].map(([name, schemas]) => [name, unionOfValues(schemas)]));
}

/** Allows what any of the schemas allows. Values that distinguish alternatives become one enumeration. */
function unionOfValues(schemas: readonly unknown[]): unknown {
	const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
	const [first] = distinct;
	if (distinct.length === 1 || !isRecord(first)) return first;
	const values = distinct.map(valuesOf);
	const isOneType = distinct.every((schema) => isRecord(schema) && schema.type === first.type);
	if (!isOneType || values.includes(undefined)) return { anyOf: distinct };
	const { const: _, ...described } = first;
	return { ...described, enum: [...new Set(values.flat())] };
}

/** The values that a schema lists. */
function valuesOf(schema: unknown): readonly unknown[] | undefined {
	if (!isRecord(schema)) return undefined;
	if ('const' in schema) return [schema.const];
	return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** `kind = "circle", radius, optionally colour`. */
function inWords(object: JsonSchema, rest: JsonSchema): string {
	const properties = propertiesOf(object);
	const required = requiredOf(object);
	const shared = propertiesOf(rest);
	const optional = Object.keys(properties).filter(
		(name) => !required.includes(name) && !Object.hasOwn(shared, name),
	);
	const title = typeof object.title === 'string' ? `${cut(folded(object.title), titleCharacters)}: ` : '';
	const needed = required.map((name) => withValue(name, properties));
	const others = optional.map((name) => withValue(name, properties)).join(', ');
	const named = [...needed, ...(others === '' ? [] : [`optionally ${others}`])].join(', ');
	return `${title}${named === '' ? 'nothing else' : named}`;
}

function withValue(name: string, properties: JsonRecord): string {
	const values = Object.hasOwn(properties, name) ? valuesOf(properties[name]) : undefined;
	return values?.length === 1 ? `${folded(name)} = ${worded(JSON.stringify(values[0]))}` : folded(name);
}
