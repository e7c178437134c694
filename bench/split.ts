import type { LabelledQuery } from './querySet.ts';

/**
 * Whether weights may be tuned on a query; about half of every set. Figures over the others tell what tuning is worth on
 * queries that it has not seen.
 *
 * The side follows from the query's id alone, so that a query never changes it when others are added. Several queries of one
 * task (`task#2`, `task#7`) are on the same side, in every set that has them: they ask for the same tools in much the same words.
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
 * Spreads each bit over all others (MurmurHash3's last step; Austin Appleby, public domain). Without it, ids that follow one
 * another (`q061`, `q062`), which are often of one kind, would be on the same side.
 */
function mix(hash: number): number {
	let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}
