import type { JsonSchema } from '../../discovery/tool.ts';
import { withKeywords } from './editing.ts';
import { worded } from './jsonValues.ts';
import type { Place, Say } from './place.ts';
import { typesOf } from './types.ts';

/** Arrays that say what their items are, all alike where the provider knows no list of places. */
export function knownArrays(schema: JsonSchema, { dialect }: Place, say: Say): JsonSchema {
	const uniform =
		dialect.keywords.has('prefixItems') || !Array.isArray(schema.prefixItems)
			? schema
			: withUniformItems(schema, schema.prefixItems, say);
	if (uniform.items === false && uniform.prefixItems === undefined) {
		return withKeywords(uniform, { items: {}, maxItems: 0 });
	}
	const isUnsaid = dialect.explicit && uniform.items === undefined && typesOf(uniform).includes('array');
	return isUnsaid || uniform.items === true ? withKeywords(uniform, { items: {} }) : uniform;
}

/**
 * Items that each may be what some place asks for; the places go into words. Exact where all places are alike and nothing else may
 * follow, else the schema allows an order that the server does not.
 */
function withUniformItems(schema: JsonSchema, places: readonly unknown[], say: Say): JsonSchema {
	const kinds = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
	if (kinds.length > 1) say(`In this order: ${places.map(worded).join(', ')}`);
	const isClosed = schema.items === false;
	// What may follow is left out unless it is named: its absence would let each item be anything.
	const rest = typeof schema.items === 'object' ? [schema.items] : [];
	const items = kinds.length + rest.length === 1 ? kinds[0] : { anyOf: [...kinds, ...rest] };
	return withKeywords(schema, {
		prefixItems: undefined,
		items,
		...(isClosed && schema.maxItems === undefined && { maxItems: places.length }),
	});
}
