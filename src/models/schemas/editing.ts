import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { JsonSchema } from '../../common/jsonSchema.ts';
import { mergedParts } from './bounds.ts';

/**
 * Sets keywords, or removes those that are `undefined`. Made from entries, like everything here, so that a member called `__proto__` stays a
 * member.
 */
export function withKeywords(schema: JsonSchema, changes: JsonSchema): JsonSchema {
	return mapMembers(
		Object.fromEntries([...Object.entries(schema), ...Object.entries(changes)]),
		(value) => value,
	);
}

/** Replaces each member, or removes it for `undefined`. */
export function mapMembers(
	object: JsonSchema,
	replacement: (value: unknown, name: string) => unknown,
): JsonSchema {
	const replaced = Object.entries(object).map(([name, value]) => [name, replacement(value, name)] as const);
	return Object.fromEntries(replaced.filter(([, value]) => value !== undefined));
}

/** Merges two values of a keyword; `undefined` if that is impossible: then the first value is kept. */
type Merging = (first: unknown, second: unknown) => unknown;

const larger: Merging = (first, second) => Math.max(Number(first), Number(second));
const smaller: Merging = (first, second) => Math.min(Number(first), Number(second));

const mergings: ReadonlyMap<string, Merging> = new Map<string, Merging>([
	['type', commonTypes],
	['enum', commonValues],
	['required', allNames],
	['properties', allProperties],
	['items', both],
	['additionalProperties', both],
	['anyOf', pairs],
	...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
		(keyword) => [keyword, larger] as const,
	),
	...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
		(keyword) => [keyword, smaller] as const,
	),
]);

/**
 * One schema for what both schemas allow. If they contradict each other, or a keyword cannot express both, the first value is kept; the same
 * for descriptions. Properties are united even if one schema allows no others: an `allOf` of two closed objects means their union, although it
 * strictly allows nothing.
 */
export function intersection(first: JsonSchema, second: JsonSchema): JsonSchema {
	const shared = Object.keys(second).filter((keyword) => keyword in first);
	const merged = shared.map((keyword) => [keyword, mergedKeyword(keyword, first, second)]);
	const added = Object.entries(second).filter(([keyword]) => !(keyword in first));
	return withKeywords(first, Object.fromEntries([...added, ...merged]));
}

function mergedKeyword(keyword: string, first: JsonSchema, second: JsonSchema): unknown {
	if (first[keyword] === second[keyword]) return first[keyword];
	return mergings.get(keyword)?.(first[keyword], second[keyword]) ?? first[keyword];
}

function commonTypes(first: unknown, second: unknown): unknown {
	const one = [first].flat();
	const two = [second].flat();
	const common = one.flatMap((type) => {
		if (two.includes(type)) return [type];
		if (type === 'number' && two.includes('integer')) return ['integer'];
		return type === 'integer' && two.includes('number') ? ['integer'] : [];
	});
	return common.length > 1 ? common : common[0];
}

function commonValues(first: unknown, second: unknown): unknown {
	if (!Array.isArray(first) || !Array.isArray(second)) return undefined;
	const allowed = new Set(second.map((value) => JSON.stringify(value)));
	const common = first.filter((value) => allowed.has(JSON.stringify(value)));
	return common.length > 0 ? common : undefined;
}

function allNames(first: unknown, second: unknown): unknown {
	return [...new Set([first, second].flat())];
}

function allProperties(first: unknown, second: unknown): unknown {
	if (!isRecord(first) || !isRecord(second)) return undefined;
	const merged = new Map(Object.entries(first));
	for (const [name, schema] of Object.entries(second)) {
		merged.set(name, merged.has(name) ? both(merged.get(name), schema) : schema);
	}
	return Object.fromEntries(merged);
}

/** Merges schemas, which can also be `true` or `false`. */
function both(first: unknown, second: unknown): unknown {
	if (first === false || second === true) return first;
	if (second === false || first === true) return second;
	return isRecord(first) && isRecord(second) ? intersection(first, second) : first;
}

/** Combines every alternative of one with every alternative of the other, unless these are too many. */
function pairs(first: unknown, second: unknown): unknown {
	if (!isList(first) || !isList(second) || first.length * second.length > mergedParts) return undefined;
	return first.flatMap((one) => second.map((two) => intersection(one, two)));
}

function isList(value: unknown): value is readonly JsonRecord[] {
	return Array.isArray(value) && value.every(isRecord);
}
