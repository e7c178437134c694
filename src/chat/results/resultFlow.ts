import { isRecord } from '../../common/json.ts';
import { cut, folded, visible } from '../../common/text.ts';
import { resultText, type ToolResult } from '../../discovery/catalog/tool.ts';
import { TextMatcher } from './textMatcher.ts';

/** A piece of a call's arguments that stands word for word in a result of another server. */
export interface FlowedText {
	/** The server whose result it was. */
	readonly server: string;
	/** The piece, or the beginning of it; a server's text, on one line. */
	readonly excerpt: string;
	/** Where it stands among the arguments: `files[2].content`. */
	readonly path: string;
}

/** Characters of results that one chat keeps for this, and of one result: of what is longer, the beginning. */
const keptCharacters = 4_000_000;
const keptOfResult = 1_000_000;
/** Characters of the arguments of one call that are looked at, and of an excerpt; and pieces that are told, the longest first. */
const readOfArguments = 256_000;
const excerptCharacters = 80;
const mostFlows = 5;

interface KeptResult {
	readonly server: string;
	/** White space folded. */
	readonly text: string;
}

/**
 * What text of one chat came from which server, so that a call that would carry it on to another server can be seen before it is made.
 * Only what is carried on word for word is noticed: a model that tells it in other words, or encodes it, goes unseen.
 */
export class ResultFlow {
	/** Oldest first. */
	#kept: KeptResult[] = [];
	#characters = 0;

	/** Characters that are kept. */
	get characters(): number {
		return this.#characters;
	}

	/** Keeps what a server answered; the oldest goes when there is too much. */
	keep(server: string, result: ToolResult): void {
		const text = fold(resultText(textOnly(result)).slice(0, keptOfResult));
		if (text === '') return;
		this.#kept.push({ server, text });
		this.#characters += text.length;
		let gone = 0;
		while (this.#characters > keptCharacters) this.#characters -= this.#kept[gone++]?.text.length ?? 0;
		if (gone > 0) this.#kept = this.#kept.slice(gone);
	}

	/** What a call of one of `server`'s tools would carry to it from other servers: one piece for each argument and server. */
	into(server: string, input: Readonly<Record<string, unknown>>): readonly FlowedText[] {
		const others = this.#kept.filter((kept) => kept.server !== server);
		if (others.length === 0) return [];
		const texts = argumentTexts(input);
		const folds = foldedWithin(texts.map(({ text }) => text));
		const matcher = new TextMatcher(folds);
		const longest = new Map<string, FlowedText & { readonly length: number }>();
		for (const { server: from, text } of others) {
			for (const { index, start, length } of matcher.longestIn(text)) {
				const path = texts[index]?.path ?? '';
				const key = JSON.stringify([from, path]);
				if (length <= (longest.get(key)?.length ?? 0)) continue;
				const piece = folds[index]?.slice(start, start + length) ?? '';
				longest.set(key, { server: from, path, length, excerpt: cut(piece.trim(), excerptCharacters) });
			}
		}
		return [...longest.values()]
			.sort((a, b) => b.length - a.length)
			.slice(0, mostFlows)
			.map(({ server: from, excerpt, path }) => ({ server: from, excerpt, path }));
	}
}

/** Placeholders of pictures are our own words. */
function textOnly(result: ToolResult): ToolResult {
	return { ...result, content: result.content.filter(({ type }) => type === 'text') };
}

function foldedWithin(texts: readonly string[]): readonly string[] {
	let left = readOfArguments;
	return texts.map((text) => {
		const read = fold(text.slice(0, left));
		left -= Math.min(left, text.length);
		return read;
	});
}

/** Invisible characters are removed as well: one in the middle of a text must not hide that it is the same. */
function fold(text: string): string {
	return folded(visible(text));
}

/** One text among the arguments of a call. */
export interface ArgumentText {
	/** Where it stands: `files[2].content`. */
	readonly path: string;
	readonly text: string;
}

/** Texts of one call that are looked at; names of arguments are none. */
const mostTexts = 5_000;

/** The texts among the arguments of a call, however deep, in their order. */
export function argumentTexts(input: Readonly<Record<string, unknown>>): readonly ArgumentText[] {
	const texts: ArgumentText[] = [];
	// A list of its own, not the stack: what a model writes may be nested without end.
	const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: input }];
	for (let next = open.pop(); next && texts.length < mostTexts; next = open.pop()) {
		const { path, value } = next;
		if (typeof value === 'string') texts.push({ path, text: value });
		else if (Array.isArray(value)) {
			for (let i = value.length - 1; i >= 0; i--) open.push({ path: `${path}[${i}]`, value: value[i] });
		} else if (isRecord(value)) {
			for (const [name, inner] of Object.entries(value).reverse()) {
				open.push({ path: path === '' ? name : `${path}.${name}`, value: inner });
			}
		}
	}
	return texts;
}
