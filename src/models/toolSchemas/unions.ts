import { isRecord } from '../../discovery/record.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { alternativesAsOne } from './alternatives.ts';
import { knownArrays } from './arrays.ts';
import { withKeywords } from './editing.ts';
import { knownEnums } from './enums.ts';
import { intersection } from './merging.ts';
import type { Place, Say } from './place.ts';

/** Keywords about an object that a union beside them narrows. */
const objectKeywords = ['properties', 'required', 'additionalProperties'];

/** `anyOf` with nothing beside it that narrows it, unless the provider takes that. */
export function knownUnions(schema: JsonSchema, place: Place, say: Say): JsonSchema {
	if (place.dialect.keywords.has('oneOf') || !Array.isArray(schema.anyOf)) return schema;
	return objectKeywords.some((keyword) => keyword in schema)
		? alternativesAsOne(schema, say)
		: withTypeInside(schema, schema.anyOf, place, say);
}

/** The same with `type` in each alternative, and not beside them. */
function withTypeInside(
	schema: JsonSchema,
	alternatives: readonly unknown[],
	place: Place,
	say: Say,
): JsonSchema {
	const { type } = schema;
	if (type === undefined || !alternatives.every(isRecord)) return schema;
	const typed = alternatives.map((alternative) => {
		const narrowed = knownEnums(intersection(alternative, { type }), place, say);
		return knownArrays(narrowed, place, say);
	});
	return withKeywords(schema, { type: undefined, anyOf: typed });
}
