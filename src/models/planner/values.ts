import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { isPlaceWord } from './words.ts';

/**
 * What a value looks like. `name`: an identifier (`C123`, `feature-x`), or the word after "called". `word`: any other word; it can only be a value
 * for a folder to look at. `it` and `result` refer to an earlier call, `here` to the workspace.
 */
export type ValueKind =
	| ('quoted' | 'address' | 'path' | 'number' | 'name' | 'word')
	| ('it' | 'result' | 'here');

/** A value or a word in a request. */
export interface Value {
	readonly kind: ValueKind;
	/** Without quotes. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** The parameter that the user names: `key=value`. */
	readonly key?: string;
	/** The word before it, without articles. */
	readonly label: string;
}

type Form = readonly [ValueKind, RegExp];

/** Patterns for what stands at a place of a request, the most specific first. */
const forms: readonly Form[] = [
	[
		'result',
		/(?:its|their|the|that|this)\s+(?:contents?|results?|output|answer|response)\b(?!\s+(?:of\b|["“„«'‘`]))/iy,
	],
	[
		'here',
		/(?:here|(?:this|my|the\s+(?:current|open))\s+(?:git\s+)?(?:folder|directory|workspace|repository|repo|project)|the workspace)\b/iy,
	],
	[
		'it',
		/(?:it|them|there|(?:that|this|the\s+(?:same|new))\s+(?:file|folder|directory|branch))\b(?!['’=])/iy,
	],
	// The first line of a fence is a language.
	['quoted', /```(?:[^\n`]*\n)?([\s\S]*?)\n?```/y],
	['quoted', /"([^"\\]*(?:\\.[^"\\]*)*)"/sy],
	['quoted', /[“„]([^”“]*)[”“]|«([^«»]*)»|`([^`]*)`/y],
	// An apostrophe opens a quotation only if another one closes it at the end of a word: not in «don't».
	['quoted', /['‘]([^\n]{0,2000}?)['’](?![\p{L}\p{N}])/uy],
	['word', /[^\s"`“”«»()<>{}]{0,4096}/y],
];
/** Patterns for whole words, the most specific first. */
const looks: readonly Form[] = [
	['address', /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$/i],
	['number', /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/],
	// A pattern of names, such as `*.md`.
	['quoted', /^(?=.*\*)(?=.*[./\w])[^\s"'`]+$/],
	['path', /^(?:[A-Za-z]:)?[^\s\\/"'`,:;=]*[\\/][^\s"'`,:;=]*$/],
	// File names, whose extension has a letter; so not 1.2.3.
	['path', /^[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.(?=\w*[A-Za-z])\w{1,10}$/u],
	['path', /^(?:\.{1,2}|~|\.[A-Za-z][\w.-]*)$/],
	['name', /^(?=.*[\d_-])[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u],
];
/** `name=value`, or `--force`, as in a shell: the parameter of that name is true. */
const keyed = /(?:--)?([\p{L}_][\w.-]*)=(?=\S)|--([a-z][\w-]*)(?![^\s,.;!?])/iuy;
const article = /^(?:a|an|the|my|our|your|its|this|that|these|those)$/;

/** Finds the values and words of a request, from left to right. */
export function readValues(text: string): readonly Value[] {
	const values: Value[] = [];
	const start = /[^\s,;:!?()]/g;
	/** The last two words since a value, the latest first. */
	let said: readonly string[] = [];
	for (let found = start.exec(text); found; found = start.exec(text)) {
		const [before, key, flag] = match(keyed, text, found.index) ?? [''];
		const at = found.index + before.length;
		const value =
			flag === undefined
				? valueAt(text, at, key !== undefined)
				: { kind: 'name' as const, text: 'true', end: at };
		start.lastIndex = Math.max(value.end, found.index + 1);
		// A quotation mark or bracket by itself.
		if (value.kind === 'word' && value.text === '') continue;
		const [label = '', previous = ''] = said;
		const isWord = value.kind === 'word' || value.kind === 'number';
		const words = isWord ? tokenize(value.text).filter((word) => !article.test(word)) : [];
		const isNamed =
			/^(?:called|named|titled)$/.test(label) || (previous === 'with' && /^(?:text|content)$/.test(label));
		// Not in "with the text of" or "with the text below".
		const isName = isNamed && words.some((word) => !isPlaceWord(word) && !/^(?:above|below)$/.test(word));
		const kind = isName ? 'name' : value.kind;
		const name = key ?? flag;
		values.push({ ...value, kind, label, start: found.index, ...(name !== undefined && { key: name }) });
		said = kind === 'word' ? [...words.reverse(), ...said].slice(0, 2) : [];
	}
	return values;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}

/** The value at a place. A quoted path or address has that kind; the quotes only keep it together. */
function valueAt(text: string, at: number, isKeyed: boolean): Pick<Value, 'kind' | 'text' | 'end'> {
	for (const [kind, pattern] of forms) {
		const [all, ...groups] = match(pattern, text, at) ?? [];
		if (all === undefined || (isKeyed && /^(?:result|here|it)$/.test(kind))) continue;
		if (kind === 'word') return wordAt(text, at, all);
		const own = groups.find((group) => group !== undefined)?.replaceAll('\\"', '"') ?? all;
		const look = kind === 'quoted' ? kindOf(own) : kind;
		return { text: own, end: at + all.length, kind: look === 'path' || look === 'address' ? look : kind };
	}
	return { kind: 'word', text: '', end: at };
}

/** The kind of a token. */
function kindOf(token: string): ValueKind {
	return looks.find(([, look]) => look.test(token))?.[0] ?? 'word';
}

function wordAt(text: string, at: number, all: string): Pick<Value, 'kind' | 'text' | 'end'> {
	const whole = all.replace(/[,;:'’]+$/, '');
	const end = at + Math.max(1, whole.length);
	// A full stop after a quotation is not the folder `.`.
	if (/^[.!?]+$/.test(whole) && /\S/.test(text.charAt(at - 1))) return { kind: 'word', text: whole, end };
	// A full stop after a word is not part of the value; the value of `#12` is the number.
	const said = whole.replace(/(?<=[\w*])[.!?]+$/, '').replace(/^#(?=\d+$)/, '');
	return { kind: kindOf(said), text: said, end };
}
