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
	/** The words in front of it, where others than those that stand there tell what it is. */
	readonly before?: readonly string[];
}

/** Looks that a whole token may have, the most specific first. */
const tokenKinds: readonly (readonly [LiteralKind, RegExp])[] = [
	['url', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
	['email', /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/],
	['date', /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/],
	['number', /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i],
	['glob', /^(?=.*\*)(?=.*[./\w])[^\s"'`]+$/],
	// Whatever has a slash; "and/or" and "2/3" are none.
	['path', /^(?!and\/or$|\d+\/\d+$)(?:[A-Za-z]:)?[^\s\\/"'`,:;=]*[\\/][^\s"'`,:;=]*$/],
	// File names; the extension holds a letter, so that 1.2.3 is none, and `e.g`, `i.e` are none.
	['path', /^(?!e\.g$|i\.e$)[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.(?=\w*[A-Za-z])\w{1,10}$/u],
	['path', /^(?:\.{1,2}|~|\.[A-Za-z][\w.-]*)$/],
	['name', /^(?=.*[\d_])(?=.*\p{L})[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u],
];

/** What a token looks like; `undefined` for a plain word. */
export function kindOf(token: string): LiteralKind | undefined {
	return token === '' ? undefined : tokenKinds.find(([, looks]) => looks.test(token))?.[0];
}

const closingQuotes: ReadonlyMap<string, string> = new Map([
	['```', '```'],
	['"', '"'],
	['“', '”'],
	['„', '“'],
	['«', '»'],
	['`', '`'],
]);

const key = /([\p{L}_][\w.-]*)=(?=\S)/uy;
/** Introduces a name of one word. */
const naming = /(?:called|named|titled)\s+(?=\S)/iy;
/** Introduces a text, which goes on to the end unless it is quoted. */
const telling =
	/(?:(?:with|and)\s+(?:the\s+)?)?(?:(text|contents?|message|body)|saying|that says)(?:\s+(?:is|of|as|being)|:)?\s+(?=\S)/iy;
const references: readonly (readonly [LiteralKind, RegExp])[] = [
	[
		'result',
		/(?:its|their|the|that|this|whose)\s+(?:(?:whole|entire|full)\s+)?(?:contents?|results?|output|answer|response)\b/iy,
	],
	[
		'here',
		/(?:here|(?:this|my|the\s+(?:current|open))\s+(?:(?:current|open|git)\s+)*(?:folder|directory|workspace|repository|repo|project)|the workspace)\b/iy,
	],
	[
		'subject',
		/(?:it|them|there|(?:that|this|the (?:same|new|created))\s+(?:file|folder|directory|branch|one|page))\b(?!['’=])/iy,
	],
];
const past =
	/(?:(today|yesterday)|(?:the\s+)?(?:last|past)\s+(?:(\d+)\s+)?(day|week|month|year)s?|(\d+)\s+(day|week|month|year)s?\s+ago)\b/iy;
const daysIn: Readonly<Record<string, number>> = {
	today: 0,
	day: 1,
	yesterday: 1,
	week: 7,
	month: 30,
	year: 365,
};
const articles: ReadonlySet<string> = new Set(
	'a an the my our your its this that these those all'.split(' '),
);
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
	/** The last three words that are no values and no articles, the latest first. */
	#said: readonly string[] = [];

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
		const value = keyed
			? this.#plain(keyed.end)
			: (this.#reference(start) ?? this.#date(start) ?? this.#introduced(start) ?? this.#plain(start));
		const before = value.before ?? this.#said;
		const after = /^\s+([\p{L}-]+)/u.exec(this.#text.slice(value.end, value.end + 40))?.[1]?.toLowerCase();
		const words = value.kind === 'word' ? tokenize(value.text).filter((word) => !articles.has(word)) : [];
		this.#said = [...words.reverse(), ...this.#said].slice(0, 3);
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

	#reference(at: number): Value | undefined {
		for (const [kind, pattern] of references) {
			const match = this.#match(pattern, at);
			if (match) return { kind, text: match.text, end: match.end };
		}
		return undefined;
	}

	/** The day, as `2026-03-11`, on which a time that the user names begins. */
	#date(at: number): Value | undefined {
		const match = this.#match(past, at);
		if (!match) return undefined;
		const [day, lastCount, lastUnit, agoCount, agoUnit] = match.groups;
		const unit = (day ?? lastUnit ?? agoUnit ?? '').toLowerCase();
		const days = (daysIn[unit] ?? 0) * Number(lastCount ?? agoCount ?? 1);
		const date = new Date(this.#now);
		date.setUTCDate(date.getUTCDate() - days);
		// A count beyond all calendars is no date.
		if (Number.isNaN(date.getTime())) return undefined;
		return { kind: 'date', text: date.toISOString().slice(0, 10), end: match.end };
	}

	#introduced(at: number): Value | undefined {
		const name = this.#match(naming, at);
		if (name) {
			const value = this.#plain(name.end);
			return { ...value, kind: value.kind === 'word' ? 'name' : value.kind, before: ['called'] };
		}
		const text = this.#match(telling, at);
		if (!text) return undefined;
		const before = [text.groups[0]?.toLowerCase() ?? 'text'];
		const value = this.#closed(text.end);
		if (value?.kind === 'quoted') return { ...value, before };
		// "message of", "text file": without a word that introduces it, a noun is only a noun.
		if (!/^(?:with|and|saying|that)\b/i.test(text.text) || this.#reference(text.end)) return undefined;
		const rest = this.#text.slice(text.end).trimEnd();
		return { kind: 'text', text: rest, end: text.end + rest.length, before };
	}

	#plain(at: number): Value {
		return this.#closed(at) ?? this.#token(at);
	}

	/** A value that says itself where it ends. */
	#closed(at: number): Value | undefined {
		return this.#quoted(at) ?? this.#json(at);
	}

	#quoted(at: number): Value | undefined {
		const fence = '```';
		const open = this.#text.startsWith(fence, at) ? fence : this.#text.charAt(at);
		const close = closingQuotes.get(open);
		if (close === undefined) {
			if (open !== "'" && open !== '‘') return undefined;
			// An apostrophe opens a quotation only where another closes it before a word ends: «don't» does not.
			const match = /^(?:'|‘)([^\n]{0,2000}?)(?:'|’)(?![\p{L}\p{N}])/u.exec(this.#text.slice(at, at + 2002));
			return match ? quotation(match[1] ?? '', at + match[0].length) : undefined;
		}
		let end = this.#text.indexOf(close, at + open.length);
		while (close === '"' && end > 0 && this.#text[end - 1] === '\\') end = this.#text.indexOf(close, end + 1);
		if (end < 0) return undefined;
		const inner = this.#text.slice(at + open.length, end);
		// The first line of a fence names a language.
		if (open === fence)
			return { kind: 'quoted', text: inner.replace(/^[^\n]*\n|\n$/g, ''), end: end + close.length };
		return quotation(inner.replaceAll('\\"', '"'), end + close.length);
	}

	#json(at: number): Value | undefined {
		if (!/[{[]/.test(this.#text.charAt(at)) || this.#jsonAttempts++ >= maxJsonAttempts) return undefined;
		const end = closingBracket(this.#text, at);
		const text = this.#text.slice(at, end);
		return end === undefined || parseJson(text) === undefined ? undefined : { kind: 'json', text, end };
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
	const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
	token.lastIndex = at;
	let depth = 0;
	for (let match = token.exec(text); match; match = token.exec(text)) {
		if (/[{[]/.test(match[0][0] ?? '')) depth++;
		else if (/[}\]]/.test(match[0][0] ?? '') && --depth === 0) return match.index + 1;
	}
	return undefined;
}

/** A JSON object or list in a text; `undefined` where it is none. */
export function parseJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
