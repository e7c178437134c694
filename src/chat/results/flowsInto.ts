import { isRecord } from '../../common/json.ts';
import { cut, folded, visible } from '../../common/text.ts';
import { type FlowedText, foldText, gaps, type ResultFlow, unescaped } from './resultFlow.ts';
import { shortestToken, type TextMatch, TextMatcher } from './textMatcher.ts';

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
	const seen = seenWithin(texts.map(({ text }) => text));
	const matcher = new TextMatcher(seen.map(foldText));
	const longest = new Map<string, TextMatch & Pick<FlowedText, 'server' | 'path'>>();
	for (const other of others) {
		for (const match of matcher.longestIn(other.text)) {
			const path = texts[match.index]?.path ?? '';
			const key = JSON.stringify([other.server, path]);
			if (match.length <= (longest.get(key)?.length ?? 0)) continue;
			longest.set(key, { ...match, server: other.server, path });
		}
	}
	return [...longest.values()]
		.sort((a, b) => b.length - a.length)
		.slice(0, mostFlows)
		.map(({ server: from, path, index, start, length }) => {
			const text = seen[index] ?? '';
			const piece = text.slice(unfolded(text, start), unfolded(text, start + length));
			const excerpt = cut(folded(piece.replace(leadingGap, '')), excerptCharacters);
			return { server: from, excerpt, path };
		});
}

const leadingGap = new RegExp(`^${gaps.source}`);

/**
 * Reads short texts first, so that padding in one argument cannot use up the budget of another. Removes invisible characters: they must not hide a
 * copy.
 */
function seenWithin(texts: readonly string[]): readonly string[] {
	const shares = new Map<number, number>();
	const order = texts.map(({ length }, index) => ({ length, index })).sort((a, b) => a.length - b.length);
	let left = readOfArguments;
	for (const { length, index } of order) {
		shares.set(index, Math.min(length, left));
		left -= Math.min(length, left);
	}
	return texts.map((text, index) => visible(unescaped(text.slice(0, shares.get(index)))));
}

/** Where a place of a folded text is in the text itself. */
function unfolded(text: string, place: number): number {
	let shorter = 0;
	for (const { 0: gap, index } of text.matchAll(gaps)) {
		if (index + 1 - shorter > place) break;
		shorter += gap.length - 1;
	}
	return place + shorter;
}

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
