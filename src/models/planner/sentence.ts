import { isStopWord } from '../../discovery/search/words/analyzer.ts';
import { hasWords } from '../../discovery/search/words/hasWords.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/** `name`: what stands behind "called" or "named". */
export type ValueKind = 'text' | 'name' | 'path' | 'address' | 'number';

export interface Value {
	readonly kind: ValueKind;
	/** Without quotes. */
	readonly text: string;
	/** The parameter that the user names: `key=value`. */
	readonly key?: string;
	/** The word before it. */
	readonly label: string;
}

/** A request: the values that it gives, and its other words. */
export interface Sentence {
	readonly values: readonly Value[];
	readonly words: readonly string[];
	/** What to search for: the request, with what its values are instead of them. */
	readonly query: string;
	/** It is about the folder that is open. */
	readonly isHere: boolean;
}

/** A quotation or a word, each perhaps behind `key=`. An apostrophe closes a quotation only at the end of a word: not in «don't». */
const piece =
	/(?:(?:--)?(?<key>[\p{L}_][\w.-]*)=(?=\S))?(?:(?<quoted>"[^"\\]*(?:\\.[^"\\]*)*"|[“„][^”“]*[”“]|«[^«»]*»|`[^`]*`|['‘][^\n]{0,2000}?['’](?![\p{L}\p{N}]))|(?<bare>[^\s"`“”«»()<>{},;:!?][^\s"`“”«»()<>{}]{0,4095}))/gsu;
/** What ends a word and is no part of it. A full stop alone is a folder, unless it follows a quotation. */
const punctuation = /(?:(?<=[\w*])[.!?]+)?[,;:'’]*$/;

/** Values that need no quotes. */
const kindsByLook: readonly (readonly [ValueKind, RegExp])[] = [
	['address', /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$/i],
	['number', /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/],
	['path', /^(?:[A-Za-z]:)?[^\s\\/"'`,:;=*]*[\\/][^\s"'`,:;=*]*$/],
	// A file's name, whose extension has a letter; so not 1.2.3.
	['path', /^[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.(?=\w*[A-Za-z])\w{1,10}$/u],
	['path', /^(?:\.{1,2}|~|\.[A-Za-z][\w.-]*)$/],
];

/** What may follow a name without quotes: in "called new folder" it is unclear where it ends. A text without quotes is one word, and the last. */
const endOfValue = { name: /^[,;:.!?]*(?:\s*(?:,|$)|\s+(?:with|in|to|and|at)\b)/, text: /^[\s.!?]*$/ };
/** In "with the text below" nothing says what the text is. */
const pointer =
	/^(?:above|below|following|attached|selected|here|there|it|this|that|these|those|them|mine)$/i;
const articles = new Set(['a', 'an', 'the', 'my', 'our', 'your', 'this', 'that']);
/** The folder that is open. */
const openFolder =
	/\b(?:this|(?:this|the) (?:current|root|working|whole|entire)) (?:folder|directory)\b|\b(?:this|the|my|our) (?:current )?(project|workspace)\b/i;

export function readSentence(request: string): Sentence {
	const values: Value[] = [];
	const words: string[] = [];
	/** The words since the last value, without articles, the last one first. */
	let precedingWords: readonly string[] = [];
	/** The query in pieces, and up to where the request is read. */
	const query: string[] = [];
	let read = 0;
	for (const { 0: all, index, groups = {} } of request.matchAll(piece)) {
		const { key, quoted, bare = '' } = groups;
		const text = quoted?.slice(1, -1).replaceAll('\\"', '"') ?? bare.replace(punctuation, '');
		if (/^[.!?]+$/.test(text) && /\S/.test(request.charAt(index - 1))) continue;
		query.push(request.slice(read, index));
		read = index + all.length;
		const [label = '', previous] = precedingWords;
		const look = kindsByLook.find(([, pattern]) => pattern.test(text))?.[0];
		const marker = markerOf(label, previous);
		const isClear = quoted !== undefined || key !== undefined;
		const rest = request.slice(index + all.length - (isClear ? 0 : bare.length - text.length));
		const isMarked = isClear || isAnnounced(marker, text, rest);
		const usual = isClear && look !== 'path' && look !== 'address' ? 'text' : look;
		const kind = (isMarked ? marker : undefined) ?? usual;
		if (kind === undefined) {
			const newWords = tokenize(text).filter((word) => !articles.has(word));
			words.push(...newWords);
			precedingWords = [...newWords.toReversed(), ...precedingWords].slice(0, 2);
			query.push(all);
			continue;
		}
		query.push(all.replace(quoted ?? text, () => wordsFor(kind, text)).replace('=', ' '));
		// A search for "called" would find phone calls. The text between it and the value is a piece as well.
		if (marker === 'name') query.splice(-3, 1);
		if (marker !== undefined) words.length -= marker === 'name' ? 1 : 2;
		values.push({ kind, text, label, ...(key !== undefined && { key }) });
		precedingWords = [];
	}
	const said = [...query, request.slice(read)].join('').replace(/\s+/g, ' ').trim();
	const [, openProject] = openFolder.exec(said) ?? [];
	return {
		values,
		words: words.filter((word) => word !== openProject?.toLowerCase()),
		query: hasWords(said) ? said : values.map(({ text }) => text).join(' '),
		isHere: openFolder.test(said),
	};
}

/** What a value is, in words that tools are found by: "read" alone finds anything. Its own words would find what they are about. */
function wordsFor(kind: ValueKind, text: string): string {
	if (kind === 'path') return /\.\w+$/.test(text) ? 'file' : 'folder';
	if (kind === 'address') return text.includes('://') ? 'url' : 'email';
	return '';
}

/** The kind of value that the words before it announce. */
function markerOf(label: string, previous: string | undefined): 'name' | 'text' | undefined {
	if (/^(?:called|named)$/.test(label)) return 'name';
	return previous === 'with' && /^(?:text|content)$/.test(label) ? 'text' : undefined;
}

/** Whether a word without quotes is what a marker announces, and all of it. */
function isAnnounced(marker: 'name' | 'text' | undefined, text: string, rest: string): boolean {
	if (marker === undefined || !endOfValue[marker].test(rest)) return false;
	return marker === 'name' ? tokenize(text).some((word) => !isStopWord(word)) : !pointer.test(text);
}
