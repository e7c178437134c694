import { isSmallTalk, isStopWord } from '../words/analyzer.ts';
import { tokenize } from '../words/tokenizer.ts';
import { type GeneralKind, meantBy, saysWhatToDo } from './generalTools.ts';

/** A word of a query, in the order in which it was written. */
export interface QueryWord {
	readonly text: string;
	/**
	 * `quoted`: in quotes, of a path, an address or a number, and so the object of the need rather than the need. `about`: what a general tool is
	 * asked about.
	 */
	readonly manner: 'plain' | 'smallTalk' | 'quoted' | 'about';
	/** Written as a name, with a capital inside a sentence: nobody's misspelling. */
	readonly isName: boolean;
	/** Which part of the sentence it stands in; parts may be needs of their own. */
	readonly clause: number;
	/** On the first part of a word in mixed case: the whole word, and how many parts it has. */
	readonly whole?: { readonly text: string; readonly parts: number };
}

/** Words of a query, and what kinds of things it mentions without naming the kind (`url` for `https://…`). */
export interface QueryText {
	readonly words: readonly QueryWord[];
	readonly kinds: readonly string[];
	/** What a request for a general tool means, whether it says so or not. */
	readonly means: readonly string[];
}

/** Quotations, and the placeholders of prompts; of bounded length, so that a lone quotation mark costs nothing. */
const quotation =
	/"[^"]{1,200}"|“[^”]{1,200}”|«[^»]{1,200}»|`[^`]{1,200}`|(?<=^|[\s(])'[^']{2,200}'(?=$|[\s.,;:!?)])|<[^<>]{1,60}>/g;

/** A quotation of more than this share of a query is the query. */
const mostOfQuery = 0.7;

/** Things that are told by their form, and what tools call them. */
const forms: readonly { readonly form: RegExp; readonly kind: string }[] = [
	{ form: /^(?:https?|ftp):\/\/|^(?:[\w-]+\.)+(?:com|org|net|io|dev|app|edu|gov)$/i, kind: 'url' },
	{ form: /^[^@\s]+@[^@\s]+\.[^@\s]+$/, kind: 'email' },
	{ form: /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?$/, kind: 'ip' },
	{ form: /^-?\d{1,3}\.\d{3,}°?$/, kind: 'coordinates' },
	{ form: /^(?:~|\.{1,2})?\/\S|^[a-z]:[\\/]|^(?:[\w.-]+\/)*[\w-]+\.[a-z]{2,4}$/i, kind: 'file' },
];

/** `it's`, `don't`, `we'll`: what follows the word says nothing. */
const contraction = /(?<=\p{L})['’](?:s|t|d|m|ll|re|ve)(?!\p{L})/giu;

/** Announces a value, and words that one has at most. */
const announcesValue = /^(?:called|named|titled|entitled|saying)$/i;
const mostValueWords = 3;

/** Ends a clause, as a mark after a word or as a word. */
const clauseMark = /[,;.!?:]$/;
const clauseWords = new Set(
	'and then also plus additionally furthermore moreover afterwards finally & +'.split(' '),
);

/** Reads a query. Numbers and identifiers say nothing of a tool; they are left out wherever there are words besides. */
export function readQuery(text: string, general?: GeneralKind): QueryText {
	const reader = new QueryReader(general);
	let end = 0;
	for (const { 0: quoted, index } of text.matchAll(quotation)) {
		if (quoted.length > mostOfQuery * text.length) continue;
		reader.plain(text.slice(end, index));
		reader.add(quoted, 'quoted');
		end = index + quoted.length;
	}
	reader.plain(text.slice(end));
	return reader.words.length > 0
		? { words: reader.words, kinds: [...reader.kinds], means: general ? meantBy(general) : [] }
		: {
				words: tokenize(text).map((word) => ({ text: word, manner: 'plain', isName: false, clause: 0 })),
				kinds: [],
				means: [],
			};
}

/** A word like any other, which spares all further looks. */
const letters = /^[A-Za-z]+$/;
const lowerCase = /^[a-z]+$/;
const runs = /[\p{L}\p{M}\p{N}]+/gu;
const capitalised = /^[^\p{L}\p{N}]*\p{Lu}\p{Ll}/u;

class QueryReader {
	readonly words: QueryWord[] = [];
	readonly kinds = new Set<string>();
	readonly #general: GeneralKind | undefined;
	#valueWords = 0;
	#clause = 0;

	constructor(general: GeneralKind | undefined) {
		this.#general = general;
	}

	plain(text: string): void {
		for (const written of text.split(/\s+/)) {
			if (written !== '') this.#chunk(written);
		}
	}

	add(text: string, manner: QueryWord['manner']): void {
		// A capital tells of a name where it does not begin a sentence.
		const isName = this.words.length > 0 && capitalised.test(text);
		for (const run of lowerCase.test(text) ? [text] : (text.match(runs) ?? [])) {
			const mixed: string[] = [];
			const words = tokenize(run, mixed);
			const whole = manner === 'plain' ? mixed[0] : undefined;
			for (const [i, word] of words.entries()) {
				const its = manner === 'plain' && isSmallTalk(word) ? 'smallTalk' : this.#mannerOf(word, manner);
				this.words.push({
					text: word,
					manner: its,
					isName,
					clause: this.#clause,
					...(i === 0 && whole !== undefined && { whole: { text: whole, parts: words.length } }),
				});
			}
		}
	}

	#mannerOf(word: string, manner: QueryWord['manner']): QueryWord['manner'] {
		return this.#general && !saysWhatToDo(this.#general, word) ? 'about' : manner;
	}

	/** Whether a word belongs to a value that was announced (`called release notes`): to its end, or for a few words. */
	#isValue(bare: string, written: string): boolean {
		const isInside = this.#valueWords > 0 && !isStopWord(bare.toLowerCase());
		this.#valueWords = isInside ? this.#valueWords - 1 : 0;
		if (announcesValue.test(bare)) this.#valueWords = mostValueWords;
		if (clauseMark.test(written)) this.#valueWords = 0;
		return isInside;
	}

	#chunk(written: string): void {
		const bare = written.replace(/^[("'[]+|[)"'\],;.!?:]+$/g, '');
		if (clauseWords.has(bare.toLowerCase())) this.#clause++;
		const kind = letters.test(bare) ? undefined : forms.find(({ form }) => form.test(bare))?.kind;
		if (kind) this.kinds.add(kind);
		const isValue = this.#isValue(bare, written);
		const manner = kind || isValue || isNumbered(bare) ? 'quoted' : 'plain';
		if (!isIdentifier(bare)) this.add(written.replace(contraction, ''), manner);
		if (clauseMark.test(written)) this.#clause++;
	}
}

/** A word with digits in it that is no term of the trade, as `ec2`, `k8s`, `3d` and `mp3` are. */
function isNumbered(word: string): boolean {
	return /\d/.test(word) && !/^(?=.*[a-z])[a-z\d]{2,4}$/i.test(word);
}

/** A number, or letters and digits mixed as no word is. */
function isIdentifier(word: string): boolean {
	return /^[\d.,:%$€£°-]+$/.test(word) || (word.length > 8 && /^\w+$/.test(word) && /\d[a-z]+\d/i.test(word));
}
