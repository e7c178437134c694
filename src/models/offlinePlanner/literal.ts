import { maxJsonAttempts } from './limits.ts';

/** What a stretch of the prompt is by its looks. `text` is a value only because a label stands before it. */
export type LiteralKind = 'quoted' | 'json' | 'url' | 'email' | 'path' | 'glob' | 'date' | 'number' | 'text';

/** A value as it was read at one place; `end` is the index after it. */
export interface ReadValue {
	readonly kind: LiteralKind;
	/** Without quotes or fence. */
	readonly text: string;
	readonly end: number;
}

/** Looks that a whole token may have, the most specific first. */
const tokenKinds: readonly (readonly [LiteralKind, RegExp])[] = [
	['url', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
	['email', /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/],
	['date', /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/],
	['number', /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i],
	['glob', /^(?=.*\*.*)(?=.*[./\w])[^\s"'`]+$/],
	['path', /^[A-Za-z]:[\\/]\S*$/],
	// Unix and relative paths; a lone slash is a path, "and/or" and "2/3" are not.
	['path', /^(?!and\/or$|\d+\/\d+$)(?:~|\.{1,2})?(?:[\\/][^\s\\/"'`]+)*[\\/]?$/],
	['path', /^(?!and\/or$|\d+\/\d+$)[^\s\\/"'`,:;=]+(?:[\\/][^\s\\/"'`]+)+[\\/]?$/],
	['path', /^[\w@-][\w@-]*[\\/]$/],
	// File names; the extension holds a letter, so that 1.2.3 is none, and `e.g`, `i.e` are none.
	['path', /^(?!e\.g$|i\.e$)[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.(?=\w*[A-Za-z])\w{1,10}$/u],
	['path', /^\.[A-Za-z][\w.-]*$/],
];

/** What a token looks like, or `undefined` for a plain word. */
export function kindOf(token: string): LiteralKind | undefined {
	if (token === '') return undefined;
	return tokenKinds.find(([, looks]) => looks.test(token))?.[0];
}

const closingQuotes: ReadonlyMap<string, string> = new Map([
	['"', '"'],
	['“', '”'],
	['„', '“'],
	['«', '»'],
	['`', '`'],
]);

/** Reads literals of one prompt, from left to right; remembers what need not be tried again. */
export class LiteralReader {
	readonly #text: string;
	#jsonAttempts = 0;
	/** Closing quotes that do not occur any more; a prompt is read from left to right. */
	readonly #unclosed = new Set<string>();

	constructor(text: string) {
		this.#text = text;
	}

	/** The literal that begins exactly at `at`, a place where a word could begin. */
	read(at: number): ReadValue | undefined {
		return this.#fence(at) ?? this.#quoted(at) ?? this.#json(at) ?? this.#token(at);
	}

	#fence(at: number): ReadValue | undefined {
		if (!this.#text.startsWith('```', at)) return undefined;
		const close = this.#text.indexOf('```', at + 3);
		if (close < 0) return undefined;
		const inner = this.#text.slice(at + 3, close);
		const text = inner.replace(/^[^\n]*\n/, '').replace(/\n$/, '');
		return { kind: 'quoted', text, end: close + 3 };
	}

	#quoted(at: number): ReadValue | undefined {
		const open = this.#text.charAt(at);
		const close = closingQuotes.get(open);
		if (close) return this.#until(at, close);
		if (open !== "'" && open !== '‘') return undefined;
		// An apostrophe opens a quotation only where another closes it before a word ends: «don't» does not.
		const match = /^(?:'|‘)([^\n]{0,2000}?)(?:'|’)(?![\p{L}\p{N}])/u.exec(this.#text.slice(at, at + 2002));
		return match ? quotation(match[1] ?? '', at + match[0].length) : undefined;
	}

	#until(at: number, close: string): ReadValue | undefined {
		if (this.#unclosed.has(close)) return undefined;
		let end = this.#text.indexOf(close, at + 1);
		while (close === '"' && end > 0 && this.#text[end - 1] === '\\') end = this.#text.indexOf(close, end + 1);
		if (end < 0) {
			this.#unclosed.add(close);
			return undefined;
		}
		return quotation(this.#text.slice(at + 1, end).replaceAll('\\"', '"'), end + 1);
	}

	#json(at: number): ReadValue | undefined {
		const open = this.#text[at];
		if ((open !== '{' && open !== '[') || this.#jsonAttempts >= maxJsonAttempts) return undefined;
		this.#jsonAttempts++;
		const end = closingBracket(this.#text, at);
		if (end === undefined) return undefined;
		const text = this.#text.slice(at, end);
		try {
			JSON.parse(text);
			return { kind: 'json', text, end };
		} catch {
			return undefined;
		}
	}

	#token(at: number): ReadValue | undefined {
		const token = tokenAt(this.#text, at);
		// A full stop behind a word ends the sentence, not the value.
		for (const text of [token.replace(/(?<=\w)[.!?]+$/, ''), token]) {
			const kind = kindOf(text);
			if (kind) return { kind, text, end: at + text.length };
		}
		if (/^#\d+$/.test(token)) return { kind: 'number', text: token.slice(1), end: at + token.length };
		return undefined;
	}
}

/** The run of characters (4,096 at most) up to white space, a bracket or quote, without commas and colons at its end. */
export function tokenAt(text: string, at: number): string {
	const token = /[^\s"`“”«»()<>{}]{0,4096}/y;
	token.lastIndex = at;
	return (token.exec(text)?.[0] ?? '').replace(/[,;:'’]+$/, '');
}

/** A quoted path or address is that first of all; the quotes only keep it together. */
function quotation(text: string, end: number): ReadValue {
	const kind = kindOf(text);
	return { kind: kind === undefined || kind === 'number' || kind === 'date' ? 'quoted' : kind, text, end };
}

function closingBracket(text: string, at: number): number | undefined {
	let depth = 0;
	let inString = false;
	for (let index = at; index < text.length; index++) {
		const char = text[index];
		if (inString) {
			if (char === '\\') index++;
			else if (char === '"') inString = false;
		} else if (char === '"') inString = true;
		else if (char === '{' || char === '[') depth++;
		else if ((char === '}' || char === ']') && --depth === 0) return index + 1;
	}
	return undefined;
}
