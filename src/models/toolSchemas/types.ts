import { isRecord } from '../../discovery/record.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { withKeywords } from './editing.ts';
import { worded } from './jsonValues.ts';
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
export function knownTypes(schema: JsonSchema, { dialect }: Place, say: Say): JsonSchema {
	if (schema.type === undefined) return dialect.explicit ? named(schema) : schema;
	const listed = typesOf(schema);
	const unknown = listed.filter((name) => !typesByName.has(name.toLowerCase()));
	// One unknown among them may be any: none of them holds then.
	if (unknown.length > 0) {
		if (!unknown.includes('any')) say(`type: ${unknown.map(worded).join(', ')}`);
		return withKeywords(schema, { type: undefined });
	}
	const types = [...new Set(listed.map((name) => typesByName.get(name.toLowerCase())))];
	if (types.join() === listed.join()) return schema;
	return withKeywords(schema, { type: types.length === 1 ? types[0] : types });
}

/** The types that a schema names; none: any. */
export function typesOf({ type }: JsonSchema): readonly string[] {
	return Array.isArray(type) ? type : typeof type === 'string' ? [type] : [];
}

/** The type of a value, `integer` where it is one. */
export function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a value is of a type. */
export function isOfType(value: unknown, type: string): boolean {
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
