import { isRecord, type JsonRecord, parsedJson } from '../../common/json.ts';
import type { Redactor } from '../../common/secrets/redactor.ts';
import { cleanText, folded, visible } from '../../common/text.ts';

/** Longest text of a server in an error message, in characters. */
const longestQuoted = 300;
/** How much of it is read, in UTF-16 units. */
const longestRead = 10 * longestQuoted;
/** What looks like an HTML tag. */
const markup = /<[!/]?[a-z][^>]*>?/gi;
/** What SDKs put before a message. */
const prefix = /^(MCP error -?\d+: )+/;
/** What pydantic adds to each fault. */
const pydanticNotes = /\s*\[type=[^\n]*input_type=\w+\]|\s*For further information visit \S+/g;
/** Members that say what is wrong, the best first. */
const telling = ['message', 'detail', 'details', 'error_description', 'error', 'reason', 'title', 'msg'];
/** Members for the server's developers. */
const forDevelopers = /^(stack|stack_?trace|trace|traceback|exception)$/i;
/** Members or items of one level of data that are quoted. */
const mostParts = 20;
/** Longest text in which a validator's dump is looked for. */
const longestDump = 65_536;
/** Faults of arguments that are quoted. */
const mostFaults = 5;

/** What a server says, for use in one of our sentences: on one line, bounded, without markup, secrets and invisible characters. */
export function quoted(said: string, redactor: Redactor): string {
	// A long text is cut first, perhaps in the middle of a secret.
	const shown = visible(said.slice(0, longestRead));
	const safe = said.length > longestRead ? redactor.hideCut(shown) : redactor.hide(shown);
	return folded(cleanText(safe.replace(prefix, '').replace(markup, ' ')), longestQuoted);
}

/** A JSON-RPC error in words: its message, and what its data adds. */
export function errorWords({
	message,
	data,
}: {
	readonly message?: unknown;
	readonly data?: unknown;
}): string {
	const words = typeof message === 'string' ? withoutDump(message) : '';
	const more = dataWords(data);
	if (more === '' || words.includes(more)) return words;
	return words === '' ? more : `${words.replace(/[.:\s]+$/, '')}: ${more}`;
}

/** What the body of a refusal says; empty if it says nothing. */
export function bodyWords(type: string, body: string): string {
	if (/[/+]json$/.test(type) || body.trimStart().startsWith('{')) {
		const value = parsedJson(body);
		if (isRecord(value) && isRecord(value.error)) return errorWords(value.error);
		if (value !== undefined) return dataWords(value);
	}
	if (/html/.test(type) || /^\s*</.test(body)) return /<title[^>]*>([^<]*)/i.exec(body)?.[1]?.trim() ?? '';
	return withoutDump(body.trim());
}

/** Additional data of an error in words. */
function dataWords(data: unknown): string {
	if (typeof data === 'string') return withoutDump(data);
	if (Array.isArray(data) && data.some(isFault)) return faultsWords(data);
	if (!isRecord(data)) return data === undefined || data === null ? '' : shortJson(data);
	const lists = Object.values(data).filter((value) => Array.isArray(value) && value.some(isFault));
	const words = telling
		.map((name) => data[name])
		.filter((value) => typeof value === 'string' && value !== '');
	const [faults] = lists;
	if (faults) return [...words.slice(0, 1), faultsWords(faults as unknown[])].join(': ');
	const rest = Object.entries(data).filter(([name]) => !forDevelopers.test(name));
	if (words.length === 1 && rest.length === 1) return withoutDump(String(words[0]));
	return rest.length === 0 ? '' : shortJson(Object.fromEntries(rest));
}

/** The beginning of a value as JSON. */
function shortJson(value: unknown): string {
	const begin = (_: string, part: unknown) => {
		if (typeof part === 'string') return part.slice(0, longestQuoted);
		if (Array.isArray(part)) return part.slice(0, mostParts);
		return isRecord(part) ? Object.fromEntries(Object.entries(part).slice(0, mostParts)) : part;
	};
	try {
		return JSON.stringify(value, begin);
	} catch {
		// Nested too deeply.
		return '';
	}
}

/** A validator's dump in a sentence: the faults of zod's list, pydantic's without its notes. */
function withoutDump(whole: string): string {
	const text = whole.slice(0, longestDump);
	const start = text.search(/\[\s*\{/);
	const value = start === -1 ? undefined : parsedJson(text.slice(start));
	if (!Array.isArray(value) || !value.some(isFault)) return text.replace(pydanticNotes, '');
	return `${text.slice(0, start)}${faultsWords(value)}`;
}

function isFault(value: unknown): value is JsonRecord {
	return isRecord(value) && (typeof value.message === 'string' || typeof value.msg === 'string');
}

/** `city: Required; limit: Expected number` */
function faultsWords(values: readonly unknown[]): string {
	const faults = values.filter(isFault).map((fault) => {
		const place = fault.path ?? fault.loc ?? fault.instancePath ?? fault.field;
		const where = Array.isArray(place) ? place.join('.') : typeof place === 'string' ? place : '';
		const what = String(fault.message ?? fault.msg);
		return where === '' ? what : `${where}: ${what}`;
	});
	const more = faults.length - mostFaults;
	return [...faults.slice(0, mostFaults), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
