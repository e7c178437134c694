import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/**
 * What a stretch of a request is by its looks. `name`: an identifier (`C123`, `feature-x`) or what stands after "called". `text`: free
 * text that a word such as "saying" announces. `word`: any other word; it is a value only where a noun or preposition says of what.
 * `result` and `subject` refer to what was done before, `here` to the workspace.
 */
export type LiteralKind =
	| 'quoted'
	| 'json'
	| 'url'
	| 'email'
	| 'path'
	| 'glob'
	| 'date'
	| 'number'
	| 'name'
	| 'text'
	| 'word'
	| 'result'
	| 'subject'
	| 'here';

/** A value in a request. */
export interface Literal {
	readonly kind: LiteralKind;
	/** Without quotes. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** The parameter that the user names: `key=value`. */
	readonly key?: string;
	/** Words in front of it, the nearest first, without articles. */
	readonly before: readonly string[];
	/** The word behind it: of `3 commits`, what is counted. */
	readonly after?: string;
}

interface Value {
	readonly kind: LiteralKind;
	readonly text: string;
	readonly end: number;
	/** Where the words begin that only introduce it ("with the text"), if they do not stand in front of `at`. */
	readonly before?: readonly string[];
}

/** Looks that a whole token may have, the most specific first. */
const tokenKinds: readonly (readonly [LiteralKind, RegExp])[] = [
	['url', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
	['email', /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/],
	['date', /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/],
	['number', /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i],
	['glob', /^(?=.*\*)(?=.*[./\w])[^\s"'`]+$/],
	['path', /^[A-Za-z]:[\\/]\S*$/],
	// Unix and relative paths; "and/or" and "2/3" are none.
	['path', /^(?:~|\.{1,2})?(?:[\\/][^\s\\/"'`]+)*[\\/]?$/],
	['path', /^(?!and\/or$|\d+\/\d+$)[^\s\\/"'`,:;=]+(?:[\\/][^\s\\/"'`]+)+[\\/]?$/],
	['path', /^[\w@-][\w@-]*[\\/]$/],
	// File names; the extension holds a letter, so that 1.2.3 is none, and `e.g`, `i.e` are none.
	['path', /^(?!e\.g$|i\.e$|v\d)[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.(?=\w*[A-Za-z])\w{1,10}$/u],
	['path', /^\.[A-Za-z][\w.-]*$/],
	['name', /^(?=.*\d)(?=.*\p{L})[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u],
	['name', /^[\p{L}\p{N}]+_[\p{L}\p{N}_-]+$/u],
];

/** What a token looks like; `undefined` for a plain word. */
export function kindOf(token: string): LiteralKind | undefined {
	return token === '' ? undefined : tokenKinds.find(([, looks]) => looks.test(token))?.[0];
}

const closingQuotes: ReadonlyMap<string, string> = new Map([
	['"', '"'],
	['“', '”'],
	['„', '“'],
	['«', '»'],
	['`', '`'],
]);

const key = /([\p{L}_][\w.-]*)=(?=\S)/uy;
/** Introduces a name of one word. */
const naming = /(?:called|named|titled)\s+(?=\S)/iy;
/** Introduces free text, which goes on to the end. */
const telling =
	/(?:(?:with|and)\s+(?:the\s+)?)?(?:(text|contents?|message|body)|saying|that says)(?:\s+(?:is|of|as|being)|:)?\s+(?=\S)/iy;
const result =
	/(?:its|their|the|that|this|whose)\s+(?:(?:whole|entire|full)\s+)?(?:contents?|results?|output|answer|response)\b/iy;
const subject =
	/(?:it|them|there|(?:that|this|the (?:same|new|created))\s+(?:file|folder|directory|branch|one|page))\b(?!['’=])/iy;
const here =
	/(?:here|(?:this|my|the\s+(?:current|open))\s+(?:(?:current|open|git)\s+)*(?:folder|directory|workspace|repository|repo|project)|the workspace)\b/iy;
const past =
	/(yesterday|today|(?:the\s+)?(?:last|past)\s+(week|month|year)|(?:(?:the\s+)?(?:last|past)\s+)?(\d+)\s+(days?|weeks?|months?)(?:\s+ago)?)\b/iy;
const articles = /^(?:a|an|the|my|our|your|its|this|that|these|those|all)$/i;
/** Brackets that are tried as JSON; bounds the work on a pasted wall of them. */
const maxJsonAttempts = 40;

/** Reads the values of a request, from left to right; `now` turns "last week" into a date. */
export function readLiterals(text: string, now: Date): readonly Literal[] {
	return new Reader(text, now).read();
}

class Reader {
	readonly #text: string;
	readonly #now: Date;
	#jsonAttempts = 0;
	/** Closing quotes that do not occur any more. */
	readonly #unclosed = new Set<string>();
	/** Words read so far that are no values, the latest last. */
	readonly #said: string[] = [];

	constructor(text: string, now: Date) {
		this.#text = text;
		this.#now = now;
	}

	read(): readonly Literal[] {
		const literals: Literal[] = [];
		const wordStart = /[^\s,;:!?()]/g;
		for (let at = 0; ; ) {
			wordStart.lastIndex = at;
			const start = wordStart.exec(this.#text)?.index;
			if (start === undefined) return literals;
			const literal = this.#literal(start);
			literals.push(literal);
			// Punctuation alone is no word, but must be passed.
			at = Math.max(literal.end, start + 1);
		}
	}

	#literal(start: number): Literal {
		const keyed = this.#match(key, start);
		const named = keyed && (this.#closed(keyed.end) ?? this.#token(keyed.end));
		const value = named ?? this.#reference(start) ?? this.#introduced(start) ?? this.#plain(start);
		const before = value.before ?? this.#before();
		const after = /^\s+([\p{L}-]+)/u.exec(this.#text.slice(value.end, value.end + 40))?.[1]?.toLowerCase();
		this.#said.push(...(value.kind === 'word' ? tokenize(value.text) : []));
		return {
			kind: value.kind,
			text: value.text,
			start,
			end: value.end,
			before,
			...(keyed?.groups[0] !== undefined && { key: keyed.groups[0] }),
			...(after !== undefined && { after }),
		};
	}

	#before(): readonly string[] {
		return this.#said
			.slice(-8)
			.filter((word) => !articles.test(word))
			.slice(-3)
			.reverse();
	}

	#reference(at: number): Value | undefined {
		const kinds = [
			['result', result],
			['here', here],
			['subject', subject],
		] as const;
		for (const [kind, pattern] of kinds) {
			const match = this.#match(pattern, at);
			if (match) return { kind, text: this.#text.slice(at, match.end), end: match.end };
		}
		const date = this.#match(past, at);
		if (!date) return undefined;
		return { kind: 'date', text: this.#dayOf(date.groups), end: date.end };
	}

	/** The day, as `2026-03-11`, on which a time that the user names begins. */
	#dayOf([word = '', unit, count, units]: readonly (string | undefined)[]): string {
		const step = (unit ?? units ?? 'day').toLowerCase();
		const many = /^today$/i.test(word) ? 0 : Number(count ?? 1);
		const day = new Date(this.#now);
		if (step.startsWith('year')) day.setUTCFullYear(day.getUTCFullYear() - many);
		else if (step.startsWith('month')) day.setUTCMonth(day.getUTCMonth() - many);
		else day.setUTCDate(day.getUTCDate() - many * (step.startsWith('week') ? 7 : 1));
		return day.toISOString().slice(0, 10);
	}

	#introduced(at: number): Value | undefined {
		const name = this.#match(naming, at);
		if (name) {
			const value = this.#closed(name.end) ?? this.#token(name.end);
			const kind = value.kind === 'word' ? 'name' : value.kind;
			return { ...value, kind, before: ['called', ...this.#before()] };
		}
		const text = this.#match(telling, at);
		if (!text) return undefined;
		const label = text.groups[0]?.toLowerCase() ?? 'text';
		const value = this.#closed(text.end);
		if (value?.kind === 'quoted') return { ...value, before: [label] };
		// "message of", "text file": without a word that introduces it, a noun is only a noun.
		if (!/^(?:with|and|saying|that)\b/i.test(this.#text.slice(at, text.end))) return undefined;
		if (this.#match(result, text.end) ?? this.#match(subject, text.end)) return undefined;
		const rest = this.#text.slice(text.end).trimEnd();
		return { kind: 'text', text: rest, end: text.end + rest.length, before: [label] };
	}

	#plain(at: number): Value {
		return this.#closed(at) ?? this.#token(at);
	}

	/** A value that says itself where it ends. */
	#closed(at: number): Value | undefined {
		return this.#fence(at) ?? this.#quoted(at) ?? this.#json(at);
	}

	#fence(at: number): Value | undefined {
		if (!this.#text.startsWith('```', at)) return undefined;
		const close = this.#text.indexOf('```', at + 3);
		if (close < 0) return undefined;
		const inner = this.#text.slice(at + 3, close);
		return { kind: 'quoted', text: inner.replace(/^[^\n]*\n/, '').replace(/\n$/, ''), end: close + 3 };
	}

	#quoted(at: number): Value | undefined {
		const open = this.#text.charAt(at);
		const close = closingQuotes.get(open);
		if (close === undefined) {
			if (open !== "'" && open !== '‘') return undefined;
			// An apostrophe opens a quotation only where another closes it before a word ends: «don't» does not.
			const match = /^(?:'|‘)([^\n]{0,2000}?)(?:'|’)(?![\p{L}\p{N}])/u.exec(this.#text.slice(at, at + 2002));
			return match ? quotation(match[1] ?? '', at + match[0].length) : undefined;
		}
		if (this.#unclosed.has(close)) return undefined;
		let end = this.#text.indexOf(close, at + 1);
		while (close === '"' && end > 0 && this.#text[end - 1] === '\\') end = this.#text.indexOf(close, end + 1);
		if (end < 0) {
			this.#unclosed.add(close);
			return undefined;
		}
		return quotation(this.#text.slice(at + 1, end).replaceAll('\\"', '"'), end + 1);
	}

	#json(at: number): Value | undefined {
		if (!/[{[]/.test(this.#text.charAt(at)) || this.#jsonAttempts++ >= maxJsonAttempts) return undefined;
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

	#token(at: number): Value {
		const pattern = /[^\s"`“”«»()<>{}]{0,4096}/y;
		const token = (this.#match(pattern, at)?.text ?? '').replace(/[,;:'’]+$/, '');
		// A full stop behind a word ends the sentence, not the value.
		for (const text of [token.replace(/(?<=[\w*])[.!?]+$/, ''), token]) {
			const kind = kindOf(text);
			if (kind) return { kind, text, end: at + text.length };
		}
		if (/^#\d+$/.test(token)) return { kind: 'number', text: token.slice(1), end: at + token.length };
		const word = token.replace(/[.!?]+$/, '');
		return { kind: 'word', text: word, end: at + Math.max(1, token.length) };
	}

	#match(
		pattern: RegExp,
		at: number,
	): { text: string; end: number; groups: (string | undefined)[] } | undefined {
		if (at > 0 && /[\p{L}\p{N}]/u.test(this.#text.charAt(at - 1))) return undefined;
		pattern.lastIndex = at;
		const match = pattern.exec(this.#text);
		return match ? { text: match[0], end: at + match[0].length, groups: match.slice(1) } : undefined;
	}
}

/** A quoted path or address is that first of all; the quotes only keep it together. */
function quotation(text: string, end: number): Value {
	const kind = kindOf(text);
	const isPlace = kind === 'path' || kind === 'url' || kind === 'email' || kind === 'glob';
	return { kind: isPlace ? kind : 'quoted', text, end };
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
