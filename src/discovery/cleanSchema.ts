import { visible } from '../common/invisible.ts';
import { isRecord } from './record.ts';
import { cleanText } from './text.ts';
import type { JsonSchema } from './tool.ts';

/** Keywords whose text is only read; all other texts are names and values, which a call has to repeat. */
const prose: readonly string[] = ['description', 'title', '$comment'];

/** Levels that are read. What a server lists is not nested so deep, and nothing deeper can be sent. */
const deepest = 500;

const cleaned = new WeakMap<JsonSchema, JsonSchema>();

/**
 * A server's schema without what is invisible in its texts and names; what only explains is cleaned as {@link cleanText} does it.
 * The very schema where there is nothing to clean.
 */
export function cleanSchema(schema: JsonSchema): JsonSchema {
	let clean = cleaned.get(schema);
	if (!clean) {
		const read = cleanValue(schema, deepest);
		clean = isRecord(read) ? read : schema;
		cleaned.set(schema, clean);
	}
	return clean;
}

/** The value itself where nothing in it changes. */
function cleanValue(value: unknown, levels: number): unknown {
	if (typeof value === 'string') return visible(value);
	if (levels === 0) return value;
	if (Array.isArray(value)) {
		const items = value.map((item) => cleanValue(item, levels - 1));
		return items.some((item, i) => item !== value[i]) ? items : value;
	}
	if (!isRecord(value)) return value;
	const entries = Object.entries(value);
	const clean = entries.map(([key, inner]): [string, unknown] => [
		visible(key),
		typeof inner === 'string' && prose.includes(key) ? cleanText(inner) : cleanValue(inner, levels - 1),
	]);
	const isSame = clean.every(([key, inner], i) => key === entries[i]?.[0] && inner === entries[i]?.[1]);
	return isSame ? value : Object.fromEntries(clean);
}
