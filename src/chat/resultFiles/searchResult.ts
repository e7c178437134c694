import type { ResultPages } from './resultPages.ts';

/** Characters of what may be searched for, bytes of the places that are told, and characters on both sides of each. */
const searchedCharacters = 200;
const toldBytes = 7_500;
const shownCharacters = 100;

/** A place where a text was found. */
export interface FoundPlace {
	readonly page: number;
	/** The words around it, on one line. */
	readonly excerpt: string;
}

/** Where a text stands in a result, whatever the case of its letters; places that one excerpt shows count once. */
export function searchResult(
	bytes: Buffer,
	pages: ResultPages,
	searched: string,
): { readonly places: readonly FoundPlace[]; readonly more: boolean } {
	const text = bytes.toString('utf8');
	const words = searched.slice(0, searchedCharacters);
	const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
	const places: FoundPlace[] = [];
	let [at, offset, told] = [0, 0, 0];
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		offset += Buffer.byteLength(text.slice(at, match.index));
		at = match.index;
		const end = match.index + match[0].length + shownCharacters;
		const place = { page: pages.pageAt(offset), excerpt: excerpt(text, match.index - shownCharacters, end) };
		told += Buffer.byteLength(place.excerpt) + 'page 1234: '.length;
		if (told > toldBytes) return { places, more: true };
		places.push(place);
		pattern.lastIndex = end;
	}
	return { places, more: false };
}

/** The lines of the text between two places, as one; halves of characters at its ends are left out. */
function excerpt(text: string, start: number, end: number): string {
	const [from, to] = [Math.max(0, start), Math.min(text.length, end)];
	const shown = text.slice(
		isLowSurrogate(text, from) ? from + 1 : from,
		isLowSurrogate(text, to) ? to - 1 : to,
	);
	return `${from > 0 ? '…' : ''}${shown.replace(/\s+/g, ' ').trim()}${to < text.length ? '…' : ''}`;
}

function isLowSurrogate(text: string, at: number): boolean {
	const unit = text.charCodeAt(at);
	return unit >= 0xdc00 && unit <= 0xdfff;
}
