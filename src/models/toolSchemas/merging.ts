import { isRecord, type JsonRecord } from '../../discovery/record.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { withKeywords } from './editing.ts';
import { mergedParts } from './limits.ts';

/** Merges the values that two schemas have for one keyword; `undefined`: the first one's holds. */
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
 * A schema for what two schemas both allow, in one object. Where they contradict, or a keyword cannot hold both, the first one's value
 * stands; so it does for what describes. Properties are united although one of the two may allow no others: whoever writes
 * `allOf` of two closed objects means their union, and by the letter nothing would be allowed.
 */
export function intersection(first: JsonSchema, second: JsonSchema): JsonSchema {
	const shared = Object.keys(second).filter((keyword) => keyword in first);
	const merged = shared.map((keyword) => [keyword, mergedKeyword(keyword, first, second)]);
	const added = Object.entries(second).filter(([keyword]) => !(keyword in first));
	if (Object.keys(first).length === 0) return second;
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
	if (common.length === 0 || common.join() === one.join()) return undefined;
	return common.length === 1 ? common[0] : common;
}

function commonValues(first: unknown, second: unknown): unknown {
	if (!Array.isArray(first) || !Array.isArray(second)) return undefined;
	const allowed = new Set(second.map((value) => JSON.stringify(value)));
	const common = first.filter((value) => allowed.has(JSON.stringify(value)));
	return common.length > 0 ? common : undefined;
}

function allNames(first: unknown, second: unknown): unknown {
	const names = new Set([first, second].flat());
	return Array.isArray(first) && names.size === first.length ? first : [...names];
}

function allProperties(first: unknown, second: unknown): unknown {
	if (!isRecord(first) || !isRecord(second)) return undefined;
	const merged = new Map(Object.entries(first));
	for (const [name, schema] of Object.entries(second)) {
		merged.set(name, merged.has(name) ? both(merged.get(name), schema) : schema);
	}
	return Object.fromEntries(merged);
}

/** Schemas, `true` and `false` too. */
function both(first: unknown, second: unknown): unknown {
	if (first === false || second === true) return first;
	if (second === false || first === true) return second;
	return isRecord(first) && isRecord(second) ? intersection(first, second) : first;
}

/** Every alternative of one with every one of the other, if these are not too many. */
function pairs(first: unknown, second: unknown): unknown {
	if (!isList(first) || !isList(second) || first.length * second.length > mergedParts) return undefined;
	return first.flatMap((one) => second.map((two) => intersection(one, two)));
}

function isList(value: unknown): value is readonly JsonRecord[] {
	return Array.isArray(value) && value.every(isRecord);
}
