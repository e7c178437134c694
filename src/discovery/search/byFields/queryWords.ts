import { isFiller, isSmallTalk, isStopWord } from '../words/analyzer.ts';
import { hasWords } from '../words/hasWords.ts';
import { tokenize } from '../words/tokenizer.ts';

export interface QueryWord {
	readonly text: string;
	/** `quoted`: a quotation, path, address or number, and so an argument of the request. */
	readonly manner: 'plain' | 'smallTalk' | 'quoted';
	/** Capitalised inside a sentence, so not a misspelling. */
	readonly isName: boolean;
	/** The clause it belongs to; clauses may be separate needs. */
	readonly clause: number;
	/** On the first part of a mixed-case word: the whole word and its number of parts. */
	readonly whole?: { readonly text: string; readonly parts: number };
}

/** The words of a query, and the kinds of things it mentions only by form (`url` for `https://…`). */
export interface QueryText {
	readonly words: readonly QueryWord[];
	readonly kinds: readonly string[];
}

/** Quotations and placeholders. Bounded, so that an unpaired quotation mark costs nothing. */
const quotation =
	/"[^"]{1,200}"|“[^”]{1,200}”|«[^»]{1,200}»|`[^`]{1,200}`|(?<=^|[\s(])'[^']{2,200}'(?=$|[\s.,;:!?)])|<[^<>]{1,60}>/g;

/** A quotation that makes up more than this share of a query is the query. */
const maxShareOfQuery = 0.7;

/** Things recognised by their form, and the word that tools use for them. */
const forms: readonly { readonly form: RegExp; readonly kind: string }[] = [
	{ form: /^(?:https?|ftp):\/\/|^(?:[\w-]+\.)+(?:com|org|net|io|dev|app|edu|gov)$/i, kind: 'url' },
	{ form: /^[^@\s]+@[^@\s]+\.[^@\s]+$/, kind: 'email' },
	{ form: /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?$/, kind: 'ip' },
	{ form: /^-?\d{1,3}\.\d{3,}°?$/, kind: 'coordinates' },
	{ form: /^(?:~|\.{1,2})?\/\S|^[a-z]:[\\/]|^(?:[\w.-]+\/)*[\w-]+\.[a-z]{2,4}$/i, kind: 'file' },
];

/** `it's`, `don't`, `we'll`: the part after the apostrophe means nothing. */
const contraction = /(?<=\p{L})['’](?:s|t|d|m|ll|re|ve)(?!\p{L})/giu;

/** Introduces a value, and the most words of a value. */
const announcesValue = /^(?:called|named|titled|entitled|saying)$/i;
const maxValueWords = 3;

/** Ends a clause, as a mark after a word or as a word. */
const clauseMark = /[,;.!?:]$/;
const clauseWords = new Set(
	'and then also plus additionally furthermore moreover afterwards finally & +'.split(' '),
);

/** How people begin a request, or a clause of one. It says nothing about what they want. */
const opening =
	/(?<=^\s*|[,;.!?:]\s+|\b(?:and|then)\s+)(?:(?:hey|hi|hello|please|kindly)\b[\s,!.]*|(?:can|could|will|would) you\s+|(?:i|we)(?:['’]d| would) (?:like|love)(?: you)? to\s+|(?:i|we) (?:want|need)(?: you)? to\s+|help me(?: to)?\s+)+/gi;

/** Reads a query. Numbers and identifiers say nothing about a tool and are left out if there are other words. */
export function readQuery(query: string): QueryText {
	const reader = new QueryReader();
	const wanted = query.replace(opening, '');
	const text = hasWords(wanted) ? wanted : query;
	let end = 0;
	for (const { 0: quoted, index } of text.matchAll(quotation)) {
		if (quoted.length > maxShareOfQuery * text.length) continue;
		reader.plain(text.slice(end, index));
		reader.add(quoted, 'quoted');
		end = index + quoted.length;
	}
	reader.plain(text.slice(end));
	return reader.words.length > 0
		? { words: reader.words, kinds: [...reader.kinds] }
		: {
				words: tokenize(text).map((word) => ({ text: word, manner: 'plain', isName: false, clause: 0 })),
				kinds: [],
			};
}

/** Fast path for plain words. */
const letters = /^[A-Za-z]+$/;
const lowerCase = /^[a-z]+$/;
const runs = /[\p{L}\p{M}\p{N}]+/gu;
const capitalised = /^[^\p{L}\p{N}]*\p{Lu}\p{Ll}/u;

class QueryReader {
	readonly words: QueryWord[] = [];
	readonly kinds = new Set<string>();
	#valueWords = 0;
	#clause = 0;

	plain(text: string): void {
		for (const written of text.split(/\s+/)) {
			if (written !== '') this.#chunk(written);
		}
	}

	add(text: string, manner: QueryWord['manner']): void {
		// A capital that does not start a sentence marks a name.
		const isName = this.words.length > 0 && capitalised.test(text);
		for (const run of text.match(runs) ?? []) {
			const mixed: string[] = [];
			const words = tokenize(run, mixed);
			const whole = manner === 'plain' ? mixed[0] : undefined;
			for (const [i, word] of words.entries()) {
				this.words.push({
					text: word,
					manner: manner === 'plain' && isSmallTalk(word) ? 'smallTalk' : manner,
					isName,
					clause: this.#clause,
					...(i === 0 && whole !== undefined && { whole: { text: whole, parts: words.length } }),
				});
			}
		}
	}

	/** Whether a word belongs to an introduced value (`called release notes`), up to the end of the clause or for a few words. */
	#isValue(bare: string, written: string): boolean {
		if (isFiller(bare.toLowerCase())) return this.#valueWords > 0;
		const isInside = this.#valueWords > 0 && !isStopWord(bare.toLowerCase());
		this.#valueWords = isInside ? this.#valueWords - 1 : 0;
		if (announcesValue.test(bare)) this.#valueWords = maxValueWords;
		if (clauseMark.test(written)) this.#valueWords = 0;
		return isInside;
	}

	#chunk(written: string): void {
		if (lowerCase.test(written)) this.#word(written);
		else this.#other(written);
	}

	/** A word in small letters, as most are. */
	#word(text: string): void {
		if (clauseWords.has(text)) this.#clause++;
		const isValue = this.#isValue(text, text);
		if (isFiller(text)) return;
		const manner = isValue ? 'quoted' : isSmallTalk(text) ? 'smallTalk' : 'plain';
		this.words.push({ text, manner, isName: false, clause: this.#clause });
	}

	#other(written: string): void {
		const bare = written.replace(/^[("'[]+|[)"'\],;.!?:]+$/g, '');
		if (clauseWords.has(bare.toLowerCase())) this.#clause++;
		const kind = letters.test(bare) ? undefined : forms.find(({ form }) => form.test(bare))?.kind;
		if (kind) this.kinds.add(kind);
		const isValue = this.#isValue(bare, written);
		const manner = kind || isValue || isNumbered(bare) ? 'quoted' : 'plain';
		if (!isIdentifier(bare) && !isFiller(bare.toLowerCase()))
			this.add(written.replace(contraction, ''), manner);
		if (clauseMark.test(written)) this.#clause++;
	}
}

/** A word with digits that is not a technical term such as `ec2`, `k8s`, `3d` or `mp3`. */
function isNumbered(word: string): boolean {
	return /\d/.test(word) && !/^(?=.*[a-z])[a-z\d]{2,4}$/i.test(word);
}

/** A number, or a mix of letters and digits that is not a word. */
function isIdentifier(word: string): boolean {
	return /^[\d.,:%$€£°-]+$/.test(word) || (word.length > 8 && /^\w+$/.test(word) && /\d[a-z]+\d/i.test(word));
}
