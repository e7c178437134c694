import type { LabelledQuery } from './querySet.ts';

/**
 * Whether weights may be tuned on a query: about half of every set. The other half shows what tuning is worth on unseen queries.
 * The side depends on the query's id alone, so that it does not change when queries are added. Queries of one task (`task#2`,
 * `task#7`) are on the same side in every set, because they ask for the same tools in similar words.
 */
export function inTuningPart({ id }: Pick<LabelledQuery, 'id'>): boolean {
	const task = id.replace(/#.*$/, '');
	return mix(fnv1a(task)) < 2 ** 31;
}

/** 32-bit FNV-1a of a text's UTF-8 bytes (Fowler, Noll, Vo; RFC 9923). */
export function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
	return hash >>> 0;
}

/**
 * Spreads each bit over all others (MurmurHash3's last step; Austin Appleby, public domain). Without it, consecutive ids (`q061`,
 * `q062`), which are often of one kind, would be on the same side.
 */
function mix(hash: number): number {
	let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}
