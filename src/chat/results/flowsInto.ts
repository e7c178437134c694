import { isRecord } from '../../common/json.ts';
import { cut, folded, visible } from '../../common/text.ts';
import { type FlowedText, foldText, gaps, type ResultFlow, unescaped } from './resultFlow.ts';
import { shortestToken, TextMatcher } from './textMatcher.ts';

/** Characters of a call's arguments that are checked, characters of an excerpt, and maximum pieces reported. */
const readOfArguments = 1_000_000;
const excerptCharacters = 80;
const mostFlows = 5;

/**
 * Finds text of other servers in a call of one of `server`'s tools, so that the user sees it before the call: one piece per argument and server,
 * the longest first. Only literal copies are found, ignoring case, punctuation and white space: a model that paraphrases or encodes text goes
 * unnoticed.
 */
export function flowsInto(
	flow: ResultFlow,
	server: string,
	input: Readonly<Record<string, unknown>>,
): readonly FlowedText[] {
	const others = flow.kept.filter((kept) => kept.server !== server);
	if (others.length === 0) return [];
	const texts = argumentTexts(input);
	const folds = foldedWithin(texts.map(({ text }) => text));
	const matcher = new TextMatcher(folds.map(({ text }) => text));
	const longest = new Map<string, FlowedText & { readonly length: number }>();
	for (const other of others) {
		const from = other.server;
		for (const { index, start, length } of matcher.longestIn(other.text)) {
			const path = texts[index]?.path ?? '';
			const key = JSON.stringify([from, path]);
			if (length <= (longest.get(key)?.length ?? 0)) continue;
			const piece = folds[index]?.original(start, start + length) ?? '';
			longest.set(key, {
				server: from,
				path,
				length,
				excerpt: cut(folded(piece.replace(leadingGap, '')), excerptCharacters),
			});
		}
	}
	return [...longest.values()]
		.sort((a, b) => b.length - a.length)
		.slice(0, mostFlows)
		.map(({ server: from, excerpt, path }) => ({ server: from, excerpt, path }));
}

/** Reads short texts first, so that padding in one argument cannot use up the budget of another. */
function foldedWithin(texts: readonly string[]): readonly FoldedText[] {
	const shares = new Map<number, number>();
	const order = texts.map(({ length }, index) => ({ length, index })).sort((a, b) => a.length - b.length);
	let left = readOfArguments;
	for (const { length, index } of order) {
		shares.set(index, Math.min(length, left));
		left -= Math.min(length, left);
	}
	return texts.map((text, index) => fold(text.slice(0, shares.get(index))));
}

/** A text in its normalised form. */
interface FoldedText {
	readonly text: string;
	/** The original text for a range of `text`. */
	original(start: number, end: number): string;
}

const leadingGap = new RegExp(`^${gaps.source}`);

/** Also removes invisible characters: they must not hide a copy. */
function fold(text: string): FoldedText {
	const seen = visible(unescaped(text));
	/** Where each stretch without gaps begins, in both texts. */
	const places: { readonly folded: number; readonly seen: number }[] = [{ folded: 0, seen: 0 }];
	const measure = () => {
		let shorter = 0;
		for (const { 0: gap, index } of seen.matchAll(gaps)) {
			shorter += gap.length - 1;
			places.push({ folded: index + gap.length - shorter, seen: index + gap.length });
		}
	};
	const at = (place: number) => {
		if (places.length === 1) measure();
		const next = places.findIndex(({ folded: begins }) => begins > place);
		const { folded: begins = 0, seen: where = 0 } = places.at(next === -1 ? -1 : next - 1) ?? {};
		return where + place - begins;
	};
	return {
		text: foldText(seen),
		original: (start, end) => seen.slice(at(start), at(end)),
	};
}

/** A text in the arguments of a call. */
export interface ArgumentText {
	/** Its place: `files[2].content`. */
	readonly path: string;
	readonly text: string;
}

/** Maximum texts of one call. */
const mostTexts = 5_000;

/** All texts in the arguments of a call, in their order: strings, numbers, and long names of members. */
export function argumentTexts(input: Readonly<Record<string, unknown>>): readonly ArgumentText[] {
	const texts: ArgumentText[] = [];
	// Without recursion: a model's arguments may be nested deeply.
	const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: input }];
	for (let next = open.pop(); next && texts.length < mostTexts; next = open.pop()) {
		const { path, value } = next;
		if (typeof value === 'string') texts.push({ path, text: value });
		else if (typeof value === 'number') texts.push({ path, text: String(value) });
		else if (Array.isArray(value)) {
			for (let i = value.length - 1; i >= 0; i--) open.push({ path: `${path}[${i}]`, value: value[i] });
		} else if (isRecord(value)) {
			for (const [name, inner] of Object.entries(value).reverse()) {
				const isLong = name.length >= shortestToken;
				if (isLong) texts.push({ path: path === '' ? name : `${path}.${name}`, text: name });
				open.push({ path: path === '' ? name : `${path}.${name}`, value: inner });
			}
		}
	}
	return texts;
}
