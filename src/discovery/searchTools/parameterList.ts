import { isRecord } from '../record.ts';
import { oneLine } from '../text.ts';
import type { JsonSchema } from '../tool.ts';

/** Parameters, alternatives of a type and levels of nesting that are shown; the whole is in the schema. */
const shownParameters = 40;
const shownAlternatives = 8;
const shownDepth = 4;

/** `a (string, required), b (string)`: the parameters of a tool as its schema names them. */
export function parameterList(schema: JsonSchema): string {
	return listed(propertiesOf(schema), shownParameters);
}

/** The required ones of {@link parameterList}, at most `limit`, and how many others there are. */
export function requiredParameters(schema: JsonSchema, limit: number): string {
	const all = propertiesOf(schema);
	const required = all.filter((property) => property.required);
	return listed(required, limit, all.length);
}

interface Property {
	readonly name: string;
	readonly schema: unknown;
	readonly required: boolean;
}

function propertiesOf(schema: JsonSchema): Property[] {
	const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
	const required = Array.isArray(schema.required) ? schema.required : [];
	return properties.map(([name, property]) => ({
		name,
		schema: property,
		required: required.includes(name),
	}));
}

function listed(properties: readonly Property[], limit: number, count: number = properties.length): string {
	const shown = properties.slice(0, limit).map(({ name, schema, required }) => {
		const type = typeName(schema, shownDepth);
		return `${oneLine(name, 80)} (${required ? `${type}, required` : type})`;
	});
	const rest = count - shown.length;
	if (rest === 0) return shown.join(', ') || 'none';
	return shown.length === 0 ? `${rest} optional` : [...shown, `... and ${rest} more`].join(', ');
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
