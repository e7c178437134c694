import { isRecord } from '../../common/json.ts';
import { cut, folded, visible } from '../../common/text.ts';
import { type FlowedText, foldText, gaps, type ResultFlow } from './resultFlow.ts';
import { shortestToken, TextMatcher } from './textMatcher.ts';

/** Characters of the arguments of one call that are looked at, and of an excerpt; and pieces that are told, the longest first. */
const readOfArguments = 1_000_000;
const excerptCharacters = 80;
const mostFlows = 5;

/**
 * What a call of one of `server`'s tools would carry to it from other servers, so that it can be seen before it is made: one piece for each
 * argument and server. Only what is carried on word for word is noticed, whatever its case, punctuation and white space: a model that tells it
 * in other words, or encodes it, goes unseen.
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

/** The short ones first: no padding in one argument is to keep another from being read. */
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

/** What texts are compared by. */
interface FoldedText {
	readonly text: string;
	/** What stands at a place of `text` in the text that it was made from. */
	original(start: number, end: number): string;
}

const leadingGap = new RegExp(`^${gaps.source}`);

/** Invisible characters are removed as well: one in the middle of a text must not hide that it is the same. */
function fold(text: string): FoldedText {
	const seen = visible(text);
	/** Where a stretch without gaps begins, in both texts. */
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

/** One text among the arguments of a call. */
export interface ArgumentText {
	/** Where it stands: `files[2].content`. */
	readonly path: string;
	readonly text: string;
}

/** Texts of one call that are looked at. */
const mostTexts = 5_000;

/** The texts among the arguments of a call, however deep, in their order: values, numbers, and the names of what is nested. */
export function argumentTexts(input: Readonly<Record<string, unknown>>): readonly ArgumentText[] {
	const texts: ArgumentText[] = [];
	// A list of its own, not the stack: what a model writes may be nested without end.
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
