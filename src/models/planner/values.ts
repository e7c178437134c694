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

type Found = Pick<Value, 'kind' | 'text' | 'end' | 'key'>;
type Form = readonly [ValueKind, RegExp];

const references: readonly Form[] = [
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
		/(?:it|them|there|(?:that|this|the\s+(?:same|new))\s+(?:file|folder|directory|branch|page))\b(?!['’=])/iy,
	],
];
/** The first line of a fence is a language. An apostrophe opens a quotation only if another one closes it at the end of a word: not in «don't». */
const quotations: readonly RegExp[] = [
	/```(?:[^\n`]*\n)?([\s\S]*?)\n?```/y,
	/"([^"\\]*(?:\\.[^"\\]*)*)"/sy,
	/[“„]([^”“]*)[”“]|«([^«»]*)»|`([^`]*)`/y,
	/['‘]([^\n]{0,2000}?)['’](?![\p{L}\p{N}])/uy,
];
/** Patterns for whole tokens, the most specific first. */
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
const key = /(?:--)?([\p{L}_][\w.-]*)=(?=\S)|--([a-z][\w-]*)(?![^\s,.;!?])/iuy;
const token = /[^\s"`“”«»()<>{}]{0,4096}/y;
const article = /^(?:a|an|the|my|our|your|its|this|that|these|those)$/;

/** Finds the values and words of a request, from left to right. */
export function readValues(text: string): readonly Value[] {
	const values: Value[] = [];
	const start = /[^\s,;:!?()]/g;
	/** The last two words since a value, the latest first. */
	let said: readonly string[] = [];
	for (let found = start.exec(text); found; found = start.exec(text)) {
		const value = valueAt(text, found.index);
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
		values.push({ ...value, kind, label, start: found.index });
		said = kind === 'word' ? [...words.reverse(), ...said].slice(0, 2) : [];
	}
	return values;
}

function match(pattern: RegExp, text: string, at: number) {
	pattern.lastIndex = at;
	const found = pattern.exec(text);
	return found && { text: found[0], end: at + found[0].length, groups: found.slice(1) };
}

function valueAt(text: string, at: number): Found {
	const keyed = match(key, text, at);
	const [name, flag] = keyed?.groups ?? [];
	if (keyed && flag !== undefined) return { kind: 'name', text: 'true', end: keyed.end, key: flag };
	if (keyed && name !== undefined)
		return {
			...(quotedAt(text, keyed.end) ?? wordAt(text, keyed.end)),
			key: name,
		};
	for (const [kind, pattern] of references) {
		const found = match(pattern, text, at);
		if (found) return { kind, text: found.text, end: found.end };
	}
	return quotedAt(text, at) ?? wordAt(text, at);
}

/** A quoted path or address has that kind; the quotes only keep it together. */
function quotedAt(text: string, at: number): Found | undefined {
	for (const pattern of quotations) {
		const found = match(pattern, text, at);
		const inner = found?.groups.find((group) => group !== undefined)?.replaceAll('\\"', '"');
		if (!found || inner === undefined) continue;
		const kind = kindOf(inner);
		return { text: inner, end: found.end, kind: kind === 'path' || kind === 'address' ? kind : 'quoted' };
	}
	return undefined;
}

/** The kind of a token; `undefined` for a plain word. */
function kindOf(token: string): ValueKind | undefined {
	return looks.find(([, look]) => look.test(token))?.[0];
}

function wordAt(text: string, at: number): Found {
	const whole = (match(token, text, at)?.text ?? '').replace(/[,;:'’]+$/, '');
	const end = at + Math.max(1, whole.length);
	// A full stop after a quotation is not the folder `.`.
	if (/^[.!?]+$/.test(whole) && /\S/.test(text.charAt(at - 1))) return { kind: 'word', text: whole, end };
	// A full stop after a word is not part of the value; the value of `#12` is the number.
	const said = whole.replace(/(?<=[\w*])[.!?]+$/, '').replace(/^#(?=\d+$)/, '');
	return { kind: kindOf(said) ?? 'word', text: said, end };
}
