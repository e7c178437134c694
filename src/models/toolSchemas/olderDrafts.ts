import { isRecord } from '../../discovery/record.ts';
import type { JsonSchema } from '../../discovery/tool.ts';
import { withKeywords } from './editing.ts';

/** A schema of an older draft in the words of JSON Schema 2020-12, meaning the same. Looks at its own keywords only. */
export function inCurrentDraft(schema: JsonSchema): JsonSchema {
	return tuple(dependencies(exclusiveBounds(schema)));
}

/** Draft 4: `"exclusiveMinimum": true` beside the minimum that it is about. */
function exclusiveBounds(schema: JsonSchema): JsonSchema {
	let current = schema;
	for (const [bound, exclusive] of [
		['minimum', 'exclusiveMinimum'],
		['maximum', 'exclusiveMaximum'],
	] as const) {
		if (typeof current[exclusive] !== 'boolean') continue;
		const changes = current[exclusive]
			? { [bound]: undefined, [exclusive]: current[bound] }
			: { [exclusive]: undefined };
		current = withKeywords(current, changes);
	}
	return current;
}

/** Draft 7: `dependencies` on names and on schemas under one keyword. */
function dependencies(schema: JsonSchema): JsonSchema {
	if (!isRecord(schema.dependencies)) return schema;
	const entries = Object.entries(schema.dependencies);
	const names = entries.filter(([, value]) => Array.isArray(value));
	const schemas = entries.filter(([, value]) => isRecord(value));
	return withKeywords(schema, {
		dependencies: undefined,
		...(names.length > 0 && { dependentRequired: Object.fromEntries(names) }),
		...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
	});
}

/** Draft 7: a list of `items`, one for each place, and `additionalItems` for the rest. */
function tuple(schema: JsonSchema): JsonSchema {
	if (!Array.isArray(schema.items)) return schema;
	return withKeywords(schema, {
		prefixItems: schema.items,
		items: schema.additionalItems,
		additionalItems: undefined,
	});
}
