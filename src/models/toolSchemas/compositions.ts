import { isRecord, type JsonRecord } from '../../discovery/record.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { worded } from './jsonValues.ts';
import { mergedParts } from './limits.ts';
import { intersection } from './merging.ts';
import type { Place, Say } from './place.ts';

/** `allOf` and `oneOf` in other words, unless the provider takes them. */
export function knownCompositions(schema: JsonSchema, { dialect }: Place, say: Say): JsonSchema {
	return dialect.keywords.has('oneOf') ? schema : withPlainUnions(schema, say);
}

/**
 * The schema without `allOf` and `oneOf`: the parts of the one merged, the alternatives of the other as `anyOf`. Looser where alternatives
 * overlap, which `oneOf` forbids.
 */
export function withPlainUnions(schema: JsonSchema, say: Say): JsonSchema {
	const { allOf, oneOf, ...rest } = schema;
	if (allOf === undefined && oneOf === undefined) return schema;
	// Of `rest`, a member `__proto__` would be gone, but it is no keyword.
	let whole: JsonSchema = rest;
	if (Array.isArray(oneOf)) whole = intersection(whole, { anyOf: oneOf });
	const parts: readonly JsonRecord[] = Array.isArray(allOf) ? allOf.filter(isRecord) : [];
	for (const part of parts.slice(0, mergedParts)) {
		whole = intersection(whole, withPlainUnions(part, say));
	}
	const unmerged = parts.slice(mergedParts);
	if (unmerged.length > 0) say(`And: ${worded(unmerged)}`);
	return whole;
}
