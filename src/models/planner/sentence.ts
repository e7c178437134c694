import { isStopWord } from '../../discovery/search/words/analyzer.ts';
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
}

/** The start of a word, a quotation or `key=value`. */
const start = /[^\s,;:!?()]/g;
const keyed = /(?:--)?([\p{L}_][\w.-]*)=(?=\S)/uy;
/** Quotations. An apostrophe closes one only at the end of a word: not in «don't». */
const quotations = [
	/"([^"\\]*(?:\\.[^"\\]*)*)"/sy,
	/[“„]([^”“]*)[”“]|«([^«»]*)»|`([^`]*)`/y,
	/['‘]([^\n]{0,2000}?)['’](?![\p{L}\p{N}])/uy,
];
const bare = /[^\s"`“”«»()<>{}]{1,4096}/y;

/** Values that need no quotes. */
const looks: readonly (readonly [ValueKind, RegExp])[] = [
	['address', /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$/i],
	['number', /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/],
	['path', /^(?:[A-Za-z]:)?[^\s\\/"'`,:;=*]*[\\/][^\s"'`,:;=*]*$/],
	// A file's name, whose extension has a letter; so not 1.2.3.
	['path', /^[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.(?=\w*[A-Za-z])\w{1,10}$/u],
	['path', /^(?:\.{1,2}|~|\.[A-Za-z][\w.-]*)$/],
];

/** What may follow a name without quotes: in "called new folder" it is unclear where the name ends. */
const afterName = /[.!?]*(?:\s*(?:,|$)|\s+(?:with|in|to|and|at)\b)/y;
/** A text without quotes is one word, and the last. */
const afterText = /[\s.!?]*$/y;
/** In "with the text below" nothing says what the text is. */
const pointer =
	/^(?:above|below|following|attached|selected|here|there|it|this|that|these|those|them|mine)$/i;

export function readSentence(request: string): Sentence {
	const values: Value[] = [];
	const words: string[] = [];
	/** The words since the last value, without articles. */
	let before: string[] = [];
	start.lastIndex = 0;
	for (let found = start.exec(request); found; found = start.exec(request)) {
		const [prefix = '', key] = matchAt(keyed, request, found.index) ?? [];
		const at = found.index + prefix.length;
		const [label = '', previous] = before;
		const marker = markerOf(label, previous);
		const quoted = quotedAt(request, at);
		const { text, end } = quoted ?? bareAt(request, at);
		start.lastIndex = Math.max(end, found.index + 1);
		const isPlain = quoted === undefined && key === undefined;
		const kind = isPlain ? plainKind(request, text, end, marker) : (marker ?? quotedKind(text));
		if (kind !== undefined) {
			if (marker !== undefined) words.length -= marker === 'name' ? 1 : 2;
			values.push({ kind, text, label, ...(key !== undefined && { key }) });
			before = [];
			continue;
		}
		const said = tokenize(text).filter((word) => !articles.has(word));
		words.push(...said);
		before = [...said.toReversed(), ...before].slice(0, 2);
	}
	return { values, words };
}

const articles = new Set(['a', 'an', 'the', 'my', 'our', 'your', 'this', 'that']);

/** The kind of value that the words before it announce. */
function markerOf(label: string, previous: string | undefined): 'name' | 'text' | undefined {
	if (/^(?:called|named)$/.test(label)) return 'name';
	return previous === 'with' && /^(?:text|content)$/.test(label) ? 'text' : undefined;
}

function plainKind(request: string, text: string, end: number, marker: 'name' | 'text' | undefined) {
	const kind = lookOf(text);
	if (marker === undefined || (marker === 'name' && kind === 'path')) return kind;
	const ends = matchAt(marker === 'name' ? afterName : afterText, request, end) !== undefined;
	const isValue = marker === 'name' ? tokenize(text).some((word) => !isStopWord(word)) : !pointer.test(text);
	return ends && isValue ? marker : kind;
}

function quotedKind(text: string): ValueKind {
	const kind = lookOf(text);
	return kind === 'path' || kind === 'address' ? kind : 'text';
}

function lookOf(text: string): ValueKind | undefined {
	return looks.find(([, look]) => look.test(text))?.[0];
}

function quotedAt(request: string, at: number): { readonly text: string; readonly end: number } | undefined {
	for (const quotation of quotations) {
		const [all, ...groups] = matchAt(quotation, request, at) ?? [];
		if (all === undefined) continue;
		const text = groups.find((group) => group !== undefined) ?? '';
		return { text: text.replaceAll('\\"', '"'), end: at + all.length };
	}
	return undefined;
}

/** A word without the punctuation behind it. A full stop alone is a folder only if it stands alone. */
function bareAt(request: string, at: number): { readonly text: string; readonly end: number } {
	const [all = ''] = matchAt(bare, request, at) ?? [];
	const whole = all.replace(/[,;:'’]+$/, '');
	const isFullStop = /^[.!?]+$/.test(whole) && /\S/.test(request.charAt(at - 1));
	const text = isFullStop ? '' : whole.replace(/(?<=[\w*])[.!?]+$/, '');
	return { text, end: at + Math.max(1, whole.length - (isFullStop ? 0 : whole.length - text.length)) };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}
