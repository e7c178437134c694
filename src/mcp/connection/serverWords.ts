import { isRecord, type JsonRecord, parsedJson } from '../../common/json.ts';
import type { Redactor } from '../../common/secrets/redactor.ts';
import { cleanText, folded, visible } from '../../common/text.ts';

/** Longest text of a server in an error message, in characters. */
const maxQuotedCharacters = 300;
/** How much of it is read, in UTF-16 units. */
const maxReadCharacters = 10 * maxQuotedCharacters;
/** What looks like an HTML tag. */
const markup = /<[!/]?[a-z][^>]*>?/gi;
/** What SDKs put before a message. */
const prefix = /^(MCP error -?\d+: )+/;
/** What pydantic adds to each fault. */
const pydanticNotes = /\s*\[type=[^\n]*input_type=\w+\]|\s*For further information visit \S+/g;
/** Members that say what is wrong, the best first. */
const explanationMembers = [
	'message',
	'detail',
	'details',
	'error_description',
	'error',
	'reason',
	'title',
	'msg',
];
/** Members for the server's developers. */
const developerMembers = /^(stack|stack_?trace|trace|traceback|exception)$/i;
/** Members or items of one level of data that are quoted. */
const maxQuotedParts = 20;
/** Longest text in which a validator's dump is looked for. */
const maxDumpCharacters = 65_536;
/** Faults of arguments that are quoted. */
const maxQuotedFaults = 5;

/** What a server says, for use in one of our sentences: on one line, bounded, without markup, secrets and invisible characters. */
export function quotedServerText(text: string, redactor: Redactor): string {
	// A long text is cut first, perhaps in the middle of a secret.
	const visibleText = visible(text.slice(0, maxReadCharacters));
	const safe = text.length > maxReadCharacters ? redactor.hideCut(visibleText) : redactor.hide(visibleText);
	return folded(cleanText(safe.replace(prefix, '').replace(markup, ' ')), maxQuotedCharacters);
}

/** A JSON-RPC error in words: its message, and what its data adds. */
export function errorText({
	message,
	data,
}: {
	readonly message?: unknown;
	readonly data?: unknown;
}): string {
	const words = typeof message === 'string' ? withoutDump(message) : '';
	const more = dataText(data);
	if (more === '' || words.includes(more)) return words;
	return words === '' ? more : `${words.replace(/[.:\s]+$/, '')}: ${more}`;
}

/** What the body of a refusal says; empty if it says nothing. */
export function bodyText(type: string, body: string): string {
	if (/[/+]json$/.test(type) || body.trimStart().startsWith('{')) {
		const value = parsedJson(body);
		if (isRecord(value) && isRecord(value.error)) return errorText(value.error);
		if (value !== undefined) return dataText(value);
	}
	if (/html/.test(type) || /^\s*</.test(body)) return /<title[^>]*>([^<]*)/i.exec(body)?.[1]?.trim() ?? '';
	return withoutDump(body.trim());
}

/** Additional data of an error in words. */
function dataText(data: unknown): string {
	if (typeof data === 'string') return withoutDump(data);
	if (Array.isArray(data) && data.some(isFault)) return faultsText(data);
	if (!isRecord(data)) return data === undefined || data === null ? '' : shortJson(data);
	const lists = Object.values(data).filter((value) => Array.isArray(value) && value.some(isFault));
	const words = explanationMembers
		.map((name) => data[name])
		.filter((value) => typeof value === 'string' && value !== '');
	const [faults] = lists;
	if (faults) return [...words.slice(0, 1), faultsText(faults as unknown[])].join(': ');
	const rest = Object.entries(data).filter(([name]) => !developerMembers.test(name));
	if (words.length === 1 && rest.length === 1) return withoutDump(String(words[0]));
	return rest.length === 0 ? '' : shortJson(Object.fromEntries(rest));
}

/** The beginning of a value as JSON. */
function shortJson(value: unknown): string {
	const begin = (_: string, part: unknown) => {
		if (typeof part === 'string') return part.slice(0, maxQuotedCharacters);
		if (Array.isArray(part)) return part.slice(0, maxQuotedParts);
		return isRecord(part) ? Object.fromEntries(Object.entries(part).slice(0, maxQuotedParts)) : part;
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
	const text = whole.slice(0, maxDumpCharacters);
	const start = text.search(/\[\s*\{/);
	const value = start === -1 ? undefined : parsedJson(text.slice(start));
	if (!Array.isArray(value) || !value.some(isFault)) return text.replace(pydanticNotes, '');
	return `${text.slice(0, start)}${faultsText(value)}`;
}

function isFault(value: unknown): value is JsonRecord {
	return isRecord(value) && (typeof value.message === 'string' || typeof value.msg === 'string');
}

/** `city: Required; limit: Expected number` */
function faultsText(values: readonly unknown[]): string {
	const faults = values.filter(isFault).map((fault) => {
		const place = fault.path ?? fault.loc ?? fault.instancePath ?? fault.field;
		const where = Array.isArray(place) ? place.join('.') : typeof place === 'string' ? place : '';
		const what = String(fault.message ?? fault.msg);
		return where === '' ? what : `${where}: ${what}`;
	});
	const more = faults.length - maxQuotedFaults;
	return [...faults.slice(0, maxQuotedFaults), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
