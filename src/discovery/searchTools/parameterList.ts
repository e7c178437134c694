import { isRecord } from '../record.ts';
import { oneLine } from '../text.ts';
import type { JsonSchema } from '../tool.ts';

/** Parameters, alternatives of a type and levels of nesting that are shown; the whole is in the schema. */
const shownParameters = 40;
const shownAlternatives = 8;
const shownDepth = 4;

/** `a (string, required), b (string)`: the parameters of a tool as its schema names them. */
export function parameterList(schema: JsonSchema): string {
	const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
	const required = Array.isArray(schema.required) ? schema.required : [];
	const listed = properties.slice(0, shownParameters).map(([name, property]) => {
		const type = typeName(property, shownDepth);
		return `${oneLine(name, 80)} (${required.includes(name) ? `${type}, required` : type})`;
	});
	const rest = properties.length - listed.length;
	return (rest > 0 ? [...listed, `... and ${rest} more`] : listed).join(', ') || 'none';
}

/** A schema may be nested without end: below `depth` levels a type is `any`. */
function typeName(schema: unknown, depth: number): string {
	if (!isRecord(schema) || depth === 0) return 'any';
	const { type, items, anyOf, oneOf, enum: values } = schema;
	if (type === 'array') return isRecord(items) ? arrayOf(typeName(items, depth - 1)) : 'array';
	if (typeof type === 'string') return oneLine(type, 40);
	if (Array.isArray(type))
		return union(type.map((one) => (typeof one === 'string' ? oneLine(one, 40) : 'any')));
	const alternatives = [anyOf, oneOf].find(Array.isArray);
	if (alternatives)
		return union(alternatives.slice(0, shownAlternatives).map((one) => typeName(one, depth - 1)));
	return Array.isArray(values)
		? union(values.slice(0, shownAlternatives).map((value) => typeof value))
		: 'any';
}

function arrayOf(type: string): string {
	return type.includes(' | ') ? `(${type})[]` : `${type}[]`;
}

function union(types: readonly string[]): string {
	return [...new Set(types)].slice(0, shownAlternatives).join(' | ') || 'any';
}
