import { isRecord } from '../../discovery/record.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { withKeywords } from './editing.ts';
import type { Place } from './place.ts';

/** Objects whose `required` is a list of names, each once, and of names that `properties` knows where the provider asks for that. */
export function knownObjects(schema: JsonSchema, { dialect }: Place): JsonSchema {
	if (!Array.isArray(schema.required)) return schema;
	const names = [...new Set<string>(schema.required)];
	const listed = names.length === schema.required.length ? schema.required : names;
	if (!dialect.explicit) return withKeywords(schema, { required: listed });
	return withRequired(schema, listed);
}

/** A name that is required but not known becomes known: its value may be anything, where there may be others than the known. */
function withRequired(schema: JsonSchema, required: readonly string[]): JsonSchema {
	const properties = isRecord(schema.properties) ? schema.properties : {};
	const unknown = required.filter((name) => !Object.hasOwn(properties, name));
	const known = unknown.length === 0 ? required : required.filter((name) => Object.hasOwn(properties, name));
	const { additionalProperties: others } = schema;
	const kept = others === false ? known : required;
	return withKeywords(schema, {
		// Groq refuses a list, were it empty, where there are no properties.
		required: kept.length > 0 || isRecord(schema.properties) ? kept : undefined,
		...(others !== false &&
			unknown.length > 0 && {
				properties: Object.fromEntries([
					...Object.entries(properties),
					...unknown.map((name) => [name, isRecord(others) ? others : {}]),
				]),
			}),
	});
}
