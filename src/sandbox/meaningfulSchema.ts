import { isRecord } from '../common/json.ts';

const types: ReadonlySet<unknown> = new Set('string integer number boolean array object null'.split(' '));
/** Keywords whose values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/**
 * A schema without what means nothing, and asks for nothing: null in place of a keyword's value, which some libraries write for an absent one, and
 * types that JSON does not have, such as `int`.
 */
export function meaningfulSchema(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(meaningfulSchema);
	if (!isRecord(schema)) return schema;
	const kept = Object.entries(schema).flatMap(([keyword, value]) => {
		if (value === null && keyword !== 'const') return [];
		if (keyword === 'type' && !isRecord(value)) return typesIn(value);
		return [[keyword, dataKeywords.has(keyword) ? value : meaningfulSchema(value)] as const];
	});
	return Object.fromEntries(kept);
}

/** An unknown type may mean anything, so none of the types is kept. */
function typesIn(type: unknown): (readonly [string, unknown])[] {
	const names = [type].flat().map((name) => String(name).toLowerCase());
	return names.every((name) => types.has(name)) ? [['type', names.length === 1 ? names[0] : names]] : [];
}
