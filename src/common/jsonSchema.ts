import { isRecord, type JsonRecord, recordOf } from './json.ts';
import { percentDecoded } from './text.ts';

/**
 * A JSON Schema from a server. It may be anything: parts of an unexpected form count as absent, and anything but an object (`true`, or a
 * mistake) allows everything.
 */
export type JsonSchema = JsonRecord;

/** An object's properties by name. The values are schemas unless the server made a mistake. */
export function propertiesOf({ properties }: JsonSchema): JsonRecord {
	return recordOf(properties);
}

export function requiredOf({ required }: JsonSchema): readonly string[] {
	return texts(required);
}

export interface Member {
	readonly name: string;
	readonly schema: JsonSchema;
	readonly required: boolean;
}

/** An object's properties in schema order, followed by names that are only listed as required. */
export function membersOf(schema: JsonSchema): readonly Member[] {
	const properties = propertiesOf(schema);
	const required = new Set(requiredOf(schema));
	return [...new Set([...Object.keys(properties), ...required])].map((name) => ({
		name,
		schema: recordOf(childOf(properties, name)),
		required: required.has(name),
	}));
}

/** The types that JSON Schema has. */
export const jsonTypes: ReadonlySet<string> = new Set(
	'string integer number boolean array object null'.split(' '),
);

/** A schema of draft 4 or OpenAPI 3.0 in the words of today: bounds that `true` excludes, and `nullable`. */
export function modernSchema(schema: JsonSchema): JsonSchema {
	const bounded = withBound(schema, 'minimum', 'exclusiveMinimum');
	return withNull(withBound(bounded, 'maximum', 'exclusiveMaximum'));
}

function withBound(schema: JsonSchema, inclusive: string, exclusive: string): JsonSchema {
	const { [inclusive]: bound, [exclusive]: isExcluded, ...rest } = schema;
	return typeof isExcluded === 'boolean' ? { ...rest, [isExcluded ? exclusive : inclusive]: bound } : schema;
}

function withNull(schema: JsonSchema): JsonSchema {
	const { nullable, ...rest } = schema;
	if (nullable !== true) return schema;
	const { type, enum: values, description, ...others } = rest;
	const union = ['anyOf', 'oneOf'].find((keyword) => Array.isArray(rest[keyword]));
	if (union !== undefined) return { ...rest, [union]: [rest[union], { type: 'null' }].flat() };
	if ('$ref' in rest || 'allOf' in rest)
		return { description, anyOf: [{ type, enum: values, ...others }, { type: 'null' }] };
	return {
		...rest,
		...(type !== undefined && { type: [...typesOf(rest), 'null'] }),
		...(Array.isArray(values) && { enum: [...values, null] }),
	};
}

/** The allowed types; empty: any. */
export function typesOf({ type }: JsonSchema): readonly string[] {
	return typeof type === 'string' ? [type] : texts(type);
}

/** The alternatives in a schema: a value must satisfy one of them. */
export function alternativesOf({ anyOf, oneOf }: JsonSchema): readonly unknown[] {
	return [anyOf, oneOf].find(Array.isArray) ?? [];
}

/** References followed in a chain. A longer chain or a cycle ends with what was read so far. */
const maxHops = 8;

/**
 * Resolves a `$ref` within the same document and an `allOf` with one member. The schema's own keywords win. Unresolvable references are ignored; other
 * documents are not fetched.
 */
export function resolved(schema: unknown, root: JsonSchema): JsonSchema {
	let at = recordOf(schema);
	for (let hop = 0; hop < maxHops; hop++) {
		const { $ref, allOf } = at;
		const [only, ...more] = Array.isArray(allOf) ? allOf : [];
		if (typeof $ref === 'string') at = { ...recordOf(targetOf($ref, root)), ...without(at, '$ref') };
		else if (isRecord(only) && more.length === 0) at = { ...only, ...without(at, 'allOf') };
		else return at;
	}
	return without(at, '$ref');
}

/** Resolves a JSON pointer in a URI fragment (RFC 6901, section 6): `#`, `#/$defs/node`. Anchors (`#node`) are not pointers. */
export function targetOf(reference: string, root: JsonSchema): unknown {
	const [start, ...segments] = reference.split('/');
	if (start !== '#') return undefined;
	return segments
		.map((segment) => percentDecoded(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>(childOf, root);
}

/** An own member only: every object inherits names such as `constructor`. */
function childOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as JsonRecord)[name];
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
	const { [keyword]: _, ...rest } = schema;
	return rest;
}

function texts(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
