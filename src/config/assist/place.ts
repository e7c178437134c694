import { getLocation } from 'jsonc-parser';
import type { Path } from '../place.ts';

/** A stretch of the text, from and to in UTF-16 units. */
export interface Stretch {
	readonly start: number;
	readonly end: number;
}

/** Where a position of the file is: in a name or in a value. */
export interface FilePlace {
	/** Keys to what stands there, its own name last; where a name is being written, that may be unfinished or empty. */
	readonly path: Path;
	readonly isName: boolean;
	/** The text in quotes that the position is in, quotes included; empty, where it is in none. */
	readonly stretch: Stretch;
	/** What stands in those quotes. */
	readonly written: string;
}

/** Where a position of the file is. Works on files that are just being written, as far as they can be followed. */
export function placeAt(text: string, offset: number): FilePlace {
	const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
	const isInside =
		(previousNode?.type === 'string' || previousNode?.type === 'property') &&
		previousNode.offset < offset &&
		offset <= previousNode.offset + previousNode.length;
	const stretch = isInside
		? { start: previousNode.offset, end: previousNode.offset + previousNode.length }
		: { start: offset, end: offset };
	const written = isInside ? String(previousNode.value) : '';
	return { path, isName: isAtPropertyKey, stretch, written };
}
