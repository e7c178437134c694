import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { parseJson } from './parameters.ts';
import { isVerb } from './words.ts';

/**
 * The kind of a value by its look. `name`: an identifier (`C123`, `feature-x`) or the word after "called". `text`: announced by a word such as
 * "saying". `word`: any other word, which is a value only if it says what a reading tool should look at. `result` and `subject` refer to an
 * earlier call, `here` to the workspace.
 */
export type LiteralKind =
	| ('quoted' | 'json' | 'address' | 'path' | 'glob' | 'date' | 'number' | 'name' | 'text' | 'word')
	| ('result' | 'subject' | 'here');

/** A value in a request. */
export interface Literal {
	readonly kind: LiteralKind;
	/** Without quotes. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** The parameter that the user names: `key=value`. */
	readonly key?: string;
	/** The words before it, the nearest first, without articles. */
	readonly before: readonly string[];
}

type Value = Omit<Literal, 'start' | 'before'> & Partial<Literal>;
type Form = readonly [LiteralKind, RegExp];

/** Patterns for whole tokens, the most specific first. */
const looks: readonly Form[] = [
	['address', /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$/i],
	['date', /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/],
	['number', /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i],
	['glob', /^(?=.*\*)(?=.*[./\w])[^\s"'`]+$/],
	// Anything with a slash, except "and/or" and "2/3".
	['path', /^(?!and\/or$|\d+\/\d+$)(?:[A-Za-z]:)?[^\s\\/"'`,:;=]*[\\/][^\s"'`,:;=]*$/],
	// File names, whose extension has a letter; so not 1.2.3, and not `e.g` or `i.e`.
	['path', /^(?!e\.g$|i\.e$)[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]*\.(?=\w*[A-Za-z])\w{1,10}$/u],
	['path', /^(?:\.{1,2}|~|\.[A-Za-z][\w.-]*)$/],
	['name', /^(?=.*[\d_-])(?=.*\p{L})[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u],
];

/** The kind of a token; `undefined` for a plain word. */
function kindOf(token: string): LiteralKind | undefined {
	return looks.find(([, look]) => look.test(token))?.[0];
}

const references: readonly Form[] = [
	[
		'result',
		/(?:its|their|the|that|this)\s+(?:(?:whole|entire|full)\s+)?(?:contents?|results?|output|answer|response)\b/iy,
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
/** The first line of a fence is a language. An apostrophe opens a quotation only if another one closes it at the end of a word: not in «don't». */
const quotations: readonly Form[] = [
	['quoted', /```(?:[^\n`]*\n)?([\s\S]*?)\n?```/y],
	['quoted', /"([^"\\]*(?:\\.[^"\\]*)*)"/sy],
	['quoted', /[“„]([^”“]*)[”“]|«([^«»]*)»|`([^`]*)`/y],
	['quoted', /['‘]([^\n]{0,2000}?)['’](?![\p{L}\p{N}])/uy],
];
const past = /(today|yesterday)\b|(?:the\s+)?(?:last|past)\s+(?:(\d{1,4})\s+)?(day|week|month|year)s?\b/iy;
const daysIn: Record<string, number> = { today: 0, yesterday: 1, day: 1, week: 7, month: 30, year: 365 };
/** Introduces a name of one word. */
const naming = /(?:called|named|titled)\s+(?=\S)/iy;
/** Introduces a text, which is quoted, or, if more than a noun announces it, ends with the request. */
const telling =
	/(with\s+|and\s+)?(?:the\s+)?(?:(text|contents?|message|body)(?:\s+(?:is|of|as|being)|:)?|saying|that says)\s+(?=\S)|(?<=\becho\s+)(?=\S)/iy;
/** `name=value`, or `--force`, as in a shell: the parameter of that name is true. */
const key = /(?:--)?([\p{L}_][\w.-]*)=(?=\S)|--([a-z][\w-]*)(?![^\s,.;!?])/iuy;
const token = /[^\s"`“”«»()<>{}]{0,4096}/y;
/** Longest JSON value in characters; limits the work on pasted brackets. */
const longestJson = 10_000;
const article = /^(?:a|an|the|my|our|your|its|this|that|these|those|all)$/;

/**
 * Ends a step, if the next one follows. A run of blanks is tried only from its first: trying it from each of twenty thousand takes seconds.
 */
const stepEnd =
	/(?<![\s,;.])[\s,;.]+(?:and\s+)?(?:then|after\s+that|afterwards|finally)[,:]?\s+|(?<![\s,;.])[\s,;.]+and\s+|[,;.!]\s+/giu;
/** Begins a condition of the following clause. */
const condition = /^\s*(?:if|unless|when|whenever|once|until|before|after|while|in case)\b/i;

/** Where a text is split into requests: at "then", or at "and" or a comma followed by a verb and more. "find and replace" is one request. */
export function* stepEnds(
	text: string,
	onlyThen = false,
): Generator<{ readonly end: number; readonly next: number }> {
	// Counts the words since the last request began, without reading anything twice.
	let words = 0;
	let begun = 0;
	let counted = 0;
	for (const { 0: found, index: end } of text.matchAll(stepEnd)) {
		const isThen = /then|after|finally/i.test(found);
		words += tokenize(text.slice(counted, end)).length;
		counted = end;
		const next = end + found.length;
		const [first = '', second] = tokenize(
			text.slice(next, next + 200).replace(/^(?:please|finally)\s+/i, ''),
		);
		const isRequest = isVerb(first) ? isThen || second !== undefined : isThen && first === 'git';
		const isFree = isThen || (!onlyThen && words > 1 && !condition.test(text.slice(begun, begun + 20)));
		if (!isRequest || !isFree) continue;
		yield { end, next };
		words = 0;
		begun = next;
		counted = next;
	}
}

/** Finds the values in a request, from left to right. `now`: to turn "last week" into a date. */
export function readLiterals(text: string, now: Date): readonly Literal[] {
	const literals: Literal[] = [];
	const wordStart = /[^\s,;:!?()]/g;
	/** The last words except values and articles, the latest first. */
	let said: readonly string[] = [];
	for (let word = wordStart.exec(text); word; word = wordStart.exec(text)) {
		const start = word.index;
		const value = valueAt(text, start, now);
		literals.push({ before: said, ...value, start });
		const words = value.kind === 'word' ? tokenize(value.text).filter((one) => !article.test(one)) : [];
		said = [...words.reverse(), ...said].slice(0, 3);
		wordStart.lastIndex = Math.max(value.end, start + 1);
	}
	return literals;
}

function valueAt(text: string, at: number, now: Date): Value {
	const keyed = match(key, text, at);
	const [name, flag] = keyed?.groups ?? [];
	if (keyed && flag !== undefined) return { kind: 'name', text: 'true', end: keyed.end, key: flag };
	if (keyed && name !== undefined) return { ...(json(text, keyed.end) ?? plain(text, keyed.end)), key: name };
	return formAt(references, text, at) ?? date(text, at, now) ?? introduced(text, at) ?? plain(text, at);
}

function match(pattern: RegExp, text: string, at: number) {
	pattern.lastIndex = at;
	const found = pattern.exec(text);
	return found ? { text: found[0], end: at + found[0].length, groups: found.slice(1) } : undefined;
}

function formAt(forms: readonly Form[], text: string, at: number): Value | undefined {
	for (const [kind, pattern] of forms) {
		const found = match(pattern, text, at);
		const said = found?.groups.find((group) => group !== undefined) ?? found?.text;
		if (found && said !== undefined) return { kind, text: said, end: found.end };
	}
	return undefined;
}

/** The first day of a period such as "last week", as `2026-03-11`. */
function date(text: string, at: number, now: Date): Value | undefined {
	const found = match(past, text, at);
	if (!found) return undefined;
	const [day, count = '1', unit = day ?? ''] = found.groups;
	const date = new Date(now);
	date.setUTCDate(date.getUTCDate() - (daysIn[unit.toLowerCase()] ?? 0) * Number(count));
	return { kind: 'date', text: date.toISOString().slice(0, 10), end: found.end };
}

function introduced(text: string, at: number): Value | undefined {
	const name = match(naming, text, at);
	if (name) {
		const value = plain(text, name.end);
		return { ...value, kind: value.kind === 'word' ? 'name' : value.kind, before: ['called'] };
	}
	const told = match(telling, text, at);
	if (!told) return undefined;
	const [lead, noun] = told.groups;
	const before = [noun?.toLowerCase() ?? 'text'];
	const value = formAt(quotations, text, told.end);
	if (value) return { ...value, before };
	// In "message of" and "text file", no word introduces a text.
	if ((noun !== undefined && lead === undefined) || formAt(references, text, told.end)) return undefined;
	const rest = text.slice(told.end);
	const free = rest.slice(0, stepEnds(rest, true).next().value?.end).trimEnd();
	return { kind: 'text', text: free, end: told.end + free.length, before };
}

/** A quotation or a word. A quoted path or address has that kind; the quotes only keep it together. */
function plain(text: string, at: number): Value {
	const found = formAt(quotations, text, at);
	if (!found) return word(text, at);
	const inner = found.text.replaceAll('\\"', '"');
	const kind = kindOf(inner) ?? 'quoted';
	return { ...found, text: inner, kind: /^(?:path|address|glob)$/.test(kind) ? kind : 'quoted' };
}

function word(text: string, at: number): Value {
	const whole = (match(token, text, at)?.text ?? '').replace(/[,;:'’]+$/, '');
	const end = at + Math.max(1, whole.length);
	// A full stop after a quotation is not the folder `.`.
	if (/^[.!?]+$/.test(whole) && /\S/.test(text.charAt(at - 1))) return { kind: 'word', text: whole, end };
	// A full stop after a word is not part of the value; the value of `#12` is the number.
	const bare = whole.replace(/(?<=[\w*])[.!?]+$/, '').replace(/^#(?=\d+$)/, '');
	const said = kindOf(bare) === undefined && kindOf(whole) !== undefined ? whole : bare;
	return { kind: kindOf(said) ?? 'word', text: said, end };
}

/** A JSON object or list in the text, up to the first bracket that completes it. */
function json(text: string, at: number): Value | undefined {
	if (!/[[{]/.test(text.charAt(at))) return undefined;
	for (const { index } of text.slice(at, at + longestJson).matchAll(/[\]}]/g)) {
		const found = text.slice(at, at + index + 1);
		if (parseJson(found) !== undefined) return { kind: 'json', text: found, end: at + found.length };
	}
	return undefined;
}
