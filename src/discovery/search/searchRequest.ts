import { parsedJson } from '../../common/json.ts';
import { nameLimit, oneLine } from '../../common/text.ts';
import { hasWords } from './words/hasWords.ts';

export interface Query {
	/** The text to rank by: the query without its `+terms`, or the terms if nothing else is left. */
	readonly text: string;
	/** Required words, from `+term`. */
	readonly required: readonly string[];
}

/** A plus sign before a digit or a bracket starts a telephone number. */
const requiredTerm = /(?<=^|\s)\+(?![\d(])(\S+)/g;
const select = /^\s*select:(.*)$/is;

/** Reads `+term`s out of a keyword query. */
export function parseQuery(query: string): Query {
	if (!query.includes('+')) return { text: query, required: [] };
	const required = [...query.matchAll(requiredTerm)].map((match) => match[1] ?? '').filter(hasWords);
	const rest = query.replace(requiredTerm, ' ').trim();
	return { text: hasWords(rest) ? rest : required.join(' '), required };
}

/** The names of a `select:A,B` query; `undefined` for other queries. */
export function parseSelect(query: string): string[] | undefined {
	const names = select.exec(query)?.[1];
	return names
		?.split(',')
		.map((name) => name.trim())
		.filter(Boolean);
}

/** Whether a query is empty: blank, or only delimiters. */
function isBlank(query: string): boolean {
	const names = parseSelect(query);
	return names ? names.length === 0 : !hasWords(query);
}

/** Names per search. No more tools are ever loaded, and each unknown name is compared with all names. */
export const maxNames = 50;
/** Characters that are read of a query, a server's name and a tool's name. */
const maxTextCharacters = 10_000;

/** What to search for; at least one of the three is present. */
export interface SearchRequest {
	/** Keywords; never blank and never `select:`, which becomes `toolNames`. */
	readonly query?: string;
	readonly serverName?: string;
	/** At most {@link maxNames}. */
	readonly toolNames?: readonly string[];
	/** Number of names beyond these. */
	readonly unread?: number;
	/** Most tools that keywords may find, from 1; absent: as configured. */
	readonly maxResults?: number;
}

/** The parsed request, or an error for the model. */
export type ParsedRequest =
	| { readonly ok: true; readonly request: SearchRequest }
	| { readonly ok: false; readonly message: string };

/**
 * Parses the input of `search_tools`. Empty values count as absent; names may be a comma-separated text. `max_results` is read although the
 * definition does not name it, because models know it from other tool searches.
 */
export function parseRequest(input: Readonly<Record<string, unknown>>): ParsedRequest {
	const query = textOf(input.query);
	const serverName = textOf(input.server_name);
	const listed = namesOf(input.tool_names);
	for (const [name, value] of Object.entries({ query, server_name: serverName, tool_names: listed })) {
		if (value === null)
			return wrong(`'${name}' must be ${name === 'tool_names' ? 'a list of strings' : 'a string'}.`);
	}
	const maxResults = countOf(input.max_results);
	if (maxResults === null) return wrong("'max_results' must be a whole number of at least 1.");
	const keywords = query && !isBlank(query) ? query : undefined;
	const selected = keywords === undefined ? undefined : parseSelect(keywords);
	const requestedNames = [...new Set([...(listed ?? []), ...(selected ?? [])])];
	const toolNames = requestedNames.slice(0, maxNames).map((name) => name.slice(0, maxTextCharacters));
	if (!keywords && !serverName && toolNames.length === 0) {
		return wrong(
			query
				? `The query '${oneLine(query, nameLimit)}' contains no words to search for. Describe what the tool should do.`
				: 'Give at least one of query, server_name or tool_names.',
		);
	}
	return {
		ok: true,
		request: {
			...(keywords && !selected && { query: keywords }),
			...(serverName && { serverName }),
			...(toolNames.length > 0 && { toolNames }),
			...(requestedNames.length > maxNames && { unread: requestedNames.length - maxNames }),
			...(maxResults !== undefined && { maxResults }),
		},
	};
}

function wrong(message: string): ParsedRequest {
	return { ok: false, message };
}

/** `undefined`: absent. `null`: not a text. */
function textOf(value: unknown): string | undefined | null {
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value.trim().slice(0, maxTextCharacters) || undefined : null;
}

/** Reads a count from a number or a numeric string; `null`: it is neither. */
function countOf(value: unknown): number | undefined | null {
	if (value === undefined || value === null || value === '') return undefined;
	const count = typeof value === 'string' ? Number(value) : value;
	return typeof count === 'number' && Number.isInteger(count) && count >= 1 ? count : null;
}

function namesOf(value: unknown): string[] | undefined | null {
	if (value === undefined || value === null) return undefined;
	const written = typeof value === 'string' ? (parsedJson(value) ?? value.split(',')) : value;
	const list = typeof written === 'string' ? [written] : written;
	if (!Array.isArray(list) || !list.every((name) => typeof name === 'string')) return null;
	const names = list.map((name) => name.trim()).filter(Boolean);
	return names.length > 0 ? names : undefined;
}
