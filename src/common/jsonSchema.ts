import { isRecord, type JsonRecord } from './json.ts';

/**
 * A JSON Schema as a server supplied it. It may be anything: what is read of it here has the form that it should have, and whatever has
 * another form counts as not said.
 */
export type JsonSchema = JsonRecord;

/** A value that stands where a schema is expected. What is no object (`true`, or a mistake) says nothing, so it allows anything. */
export function asSchema(value: unknown): JsonSchema {
	return isRecord(value) ? value : {};
}

/** What an object's properties are, by name. The values are schemas, if the server made no mistake. */
export function propertiesOf({ properties }: JsonSchema): JsonRecord {
	return asSchema(properties);
}

/** The names of the properties that an object must have. */
export function requiredOf({ required }: JsonSchema): readonly string[] {
	return texts(required);
}

/** One property of an object. */
export interface Member {
	readonly name: string;
	readonly schema: JsonSchema;
	readonly required: boolean;
}

/** The properties of an object as the schema orders them; those that it only requires, and says nothing else of, stand behind. */
export function membersOf(schema: JsonSchema): readonly Member[] {
	const properties = propertiesOf(schema);
	const required = new Set(requiredOf(schema));
	return [...new Set([...Object.keys(properties), ...required])].map((name) => ({
		name,
		schema: asSchema(childOf(properties, name)),
		required: required.has(name),
	}));
}

/** The types that a schema names; none means any. */
export function typesOf({ type }: JsonSchema): readonly string[] {
	return typeof type === 'string' ? [type] : texts(type);
}

/** The schemas of which a value has to satisfy one. */
export function alternativesOf({ anyOf, oneOf }: JsonSchema): readonly unknown[] {
	return [anyOf, oneOf].find(Array.isArray) ?? [];
}

/** References that are followed, one leading to the next. A longer chain, or a circle, ends with what has been read by then. */
const mostHops = 8;

/**
 * A schema with what it refers to put in its place: the target of a `$ref` within the same whole, and the only member of an `allOf`. Its
 * own keywords win over those of the target. A reference that leads nowhere says nothing; other documents are not fetched.
 */
export function resolved(schema: unknown, whole: JsonSchema): JsonSchema {
	let at = asSchema(schema);
	for (let hop = 0; hop < mostHops; hop++) {
		const { $ref, allOf } = at;
		const [only, ...more] = Array.isArray(allOf) ? allOf : [];
		if (typeof $ref === 'string') at = { ...asSchema(targetOf($ref, whole)), ...without(at, '$ref') };
		else if (isRecord(only) && more.length === 0) at = { ...only, ...without(at, 'allOf') };
		else return at;
	}
	return without(at, '$ref');
}

/** What a JSON pointer in a URI fragment (RFC 6901, section 6) leads to: `#`, `#/$defs/node`. Anchors (`#node`) are no pointers. */
export function targetOf(reference: string, whole: JsonSchema): unknown {
	const [start, ...segments] = reference.split('/');
	if (start !== '#') return undefined;
	return segments.map(decoded).reduce<unknown>(childOf, whole);
}

function decoded(segment: string): string {
	return percentDecoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}

function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** A member of the value itself: a name such as `constructor` is inherited by every object, and means nothing in a schema. */
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
