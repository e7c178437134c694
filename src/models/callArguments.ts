import { isRecord, parsedJson } from '../common/json.ts';
import {
	alternativesOf,
	type JsonSchema,
	propertiesOf,
	requiredOf,
	resolved,
	typesOf,
} from '../common/jsonSchema.ts';
import { isOfType } from './schemas/rules.ts';

/** How often JSON may be encoded again. */
const encodings = 3;

/**
 * The value that written arguments mean: JSON, JSON that was encoded as a text again or repeated, or the only object in a text, such as one in a fence.
 * `undefined` if nothing is clear.
 */
export function meantArguments(written: unknown): unknown {
	let value = written;
	for (let level = 0; level <= encodings && typeof value === 'string'; level++)
		value = parsedJson(value) ?? repeatedObjectIn(value) ?? onlyObjectIn(value);
	return typeof value === 'string' ? undefined : value;
}

/** How often a gateway may repeat the arguments of a call. */
const repetitions = [2, 3, 4];

/** The object that a text consists of several times: some gateways send the arguments in pieces, and then again as a whole. */
function repeatedObjectIn(text: string): unknown {
	const units = repetitions.map((times) => [times, text.slice(0, text.length / times)] as const);
	const [, unit = ''] = units.find(([times, one]) => one.repeat(times) === text) ?? [];
	const value = parsedJson(unit);
	return isRecord(value) ? value : undefined;
}

/** The object in a text that has no other brackets: with others, arguments of two calls may have been joined, or a part may be missing. */
function onlyObjectIn(text: string): unknown {
	const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
	if (start < 0 || end < start) return undefined;
	const around = text.slice(0, start) + text.slice(end + 1);
	const value = /[[\]{}"]/.test(around) ? undefined : parsedJson(text.slice(start, end + 1));
	return isRecord(value) ? value : undefined;
}

/** Levels of values that are compared with a schema. */
const deepest = 8;

/**
 * Arguments as the schema asks for them: where it allows no text, a text with the JSON of what it does allow is that value (`"[1, 2]"` for a list,
 * `"5"` for a number), and an optional value that is `null` or an empty text is none.
 */
export function fittingArguments<Value>(value: Value, schema: unknown, whole: JsonSchema, level = 0): Value {
	if (level > deepest) return value;
	const asked = resolved(schema, whole);
	const types = typesOf(asked);
	const read =
		typeof value === 'string' && types.length > 0 && !types.includes('string') && parsedJson(value);
	const meant: unknown = types.some((type) => isOfType(read, type)) ? read : value;
	if (Array.isArray(meant))
		return meant.map((item: unknown) => fittingArguments(item, asked.items, whole, level + 1)) as Value;
	if (!isRecord(meant)) return meant as Value;
	const properties = propertiesOf(asked);
	const required = requiredOf(asked);
	const members = Object.entries(meant).flatMap(([name, member]) => {
		const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
		if (own === undefined) return [[name, member]];
		const isUnset = (member === null || member === '') && !required.includes(name);
		if (isUnset && !allows(own, member, whole)) return [];
		return [[name, fittingArguments(member, own, whole, level + 1)]];
	});
	return Object.fromEntries(members) as Value;
}

/** Whether a schema allows `null`, or an empty text, by its types. */
function allows(schema: unknown, value: unknown, whole: JsonSchema): boolean {
	const asked = resolved(schema, whole);
	const types = typesOf(asked);
	const others = alternativesOf(asked);
	if (others.length > 0) return others.some((one) => allows(one, value, whole));
	return types.length === 0 || asked.nullable === true || types.some((type) => isOfType(value, type));
}
