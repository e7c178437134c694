import type { JsonSchema } from '../../discovery/tool.ts';

/**
 * A schema with some keywords set, or taken away where they are `undefined`; the same object where nothing changes. Built of entries, so
 * that a member called `__proto__` stays a member.
 */
export function withKeywords(schema: JsonSchema, changes: JsonSchema): JsonSchema {
	const changed = Object.keys(changes).filter((keyword) => changes[keyword] !== schema[keyword]);
	if (changed.length === 0) return schema;
	const members = new Map(Object.entries(schema));
	for (const keyword of changed) {
		if (changes[keyword] === undefined) members.delete(keyword);
		else members.set(keyword, changes[keyword]);
	}
	return Object.fromEntries(members);
}

/** The object with each member replaced, or left out for `undefined`; the same object where nothing changes. */
export function mapMembers(
	object: JsonSchema,
	replacement: (value: unknown, name: string) => unknown,
): JsonSchema {
	const entries = Object.entries(object);
	const replaced = entries
		.map(([name, value]) => [name, replacement(value, name)] as const)
		.filter(([, value]) => value !== undefined);
	const isSame =
		replaced.length === entries.length && replaced.every(([, value], at) => value === entries[at]?.[1]);
	return isSame ? object : Object.fromEntries(replaced);
}

/** The list with each item replaced, or left out for `undefined`; the same list where nothing changes. */
export function mapItems(
	list: readonly unknown[],
	replacement: (value: unknown) => unknown,
): readonly unknown[] {
	const replaced = list.map(replacement).filter((value) => value !== undefined);
	const isSame = replaced.length === list.length && replaced.every((value, at) => value === list[at]);
	return isSame ? list : replaced;
}
