import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import { resolvedSchema } from './resolveSchema.ts';

/** Levels and entries of a skeleton: enough to see what is wanted. */
const deepest = 4;
const mostEntries = 30;

/** The least JSON of a schema's form for a person to fill in: required properties, and one item of a list. */
export function skeletonOf(schema: JsonRecord, root: JsonRecord): string {
	return JSON.stringify(exampleOf(schema, root, 1));
}

function exampleOf(schema: unknown, root: JsonRecord, depth: number): unknown {
	const own = resolvedSchema(schema, root);
	if (Object.hasOwn(own, 'default')) return own.default;
	if (Object.hasOwn(own, 'const')) return own.const;
	if (Array.isArray(own.enum) && own.enum.length > 0) return own.enum[0];
	const type = Array.isArray(own.type) ? own.type[0] : own.type;
	switch (type ?? (isRecord(own.properties) ? 'object' : undefined)) {
		case 'object':
			return depth < deepest ? requiredOf(own, root, depth) : {};
		case 'array':
			return depth < deepest && isRecord(own.items) ? [exampleOf(own.items, root, depth + 1)] : [];
		case 'number':
		case 'integer':
			return typeof own.minimum === 'number' ? own.minimum : 0;
		case 'boolean':
			return false;
		case 'string':
			return '';
		default:
			return null;
	}
}

function requiredOf(schema: JsonRecord, root: JsonRecord, depth: number): JsonRecord {
	const properties = isRecord(schema.properties) ? schema.properties : {};
	const required = Array.isArray(schema.required) ? schema.required : [];
	const names = Object.keys(properties).filter((name) => required.includes(name));
	return Object.fromEntries(
		names.slice(0, mostEntries).map((name) => [name, exampleOf(properties[name], root, depth + 1)]),
	);
}
