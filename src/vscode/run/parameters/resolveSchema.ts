import { isRecord, type JsonRecord } from '../../../discovery/record.ts';

/** References that are followed, one leading to the next. */
const mostHops = 8;

/**
 * A schema with what it refers to (`$ref` within the same schema, or the only member of an `allOf`) put in its place; its own keywords
 * win. What is no object, and what leads nowhere, is the schema that allows anything.
 */
export function resolvedSchema(schema: unknown, root: JsonRecord): JsonRecord {
	let at: JsonRecord = isRecord(schema) ? schema : {};
	for (let hop = 0; hop < mostHops; hop++) {
		const { $ref, allOf, ...own } = at;
		if (typeof $ref === 'string') {
			at = { ...(allOf !== undefined && { allOf }), ...targetOf($ref, root), ...own };
		} else if (Array.isArray(allOf) && allOf.length === 1 && isRecord(allOf[0])) {
			at = { ...allOf[0], ...own };
		} else {
			return at;
		}
	}
	return {};
}

/** Follows a JSON pointer; addresses of other documents are not fetched. */
function targetOf(ref: string, root: JsonRecord): JsonRecord {
	if (!ref.startsWith('#')) return {};
	const target = ref
		.slice(1)
		.split('/')
		.slice(1)
		.reduce<unknown>((at, segment) => childOf(at, segment), root);
	return isRecord(target) ? target : {};
}

function childOf(value: unknown, segment: string): unknown {
	const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
	return (value as JsonRecord)[key];
}
