import { nameLimit, oneLine } from '../../common/text.ts';
import { hasWords } from './words/hasWords.ts';

/** A query as its writer meant it. */
export interface Query {
	/** What ranks: the query without its `+terms`, or those terms where there is nothing else. */
	readonly text: string;
	/** Words that a tool must have, from `+term`. */
	readonly required: readonly string[];
}

/** A plus sign before a digit or a bracket begins a telephone number. */
const requiredTerm = /(?<=^|\s)\+(?![\d(])(\S+)/g;
const select = /^\s*select:(.*)$/is;

/** Reads `+term`s out of a keyword query. */
export function parseQuery(query: string): Query {
	if (!query.includes('+')) return { text: query, required: [] };
	const required = [...query.matchAll(requiredTerm)].map((match) => match[1] ?? '').filter(hasWords);
	const rest = query.replace(requiredTerm, ' ').trim();
	return { text: hasWords(rest) ? rest : required.join(' '), required };
}

/** Names of a `select:A,B` query, or `undefined` where the query is another one. */
export function parseSelect(query: string): string[] | undefined {
	const names = select.exec(query)?.[1];
	return names
		?.split(',')
		.map((name) => name.trim())
		.filter(Boolean);
}

/** Whether a query says nothing: blank, or delimiters only. */
export function isBlank(query: string): boolean {
	const names = parseSelect(query);
	return names ? names.length === 0 : !hasWords(query);
}

/** Names that one search may have. No more tools than that are ever loaded, and each unknown name is compared with all names there are. */
export const mostNames = 50;
/** Characters of a query, of a server's name and of a tool's that are read. */
const longestText = 10_000;

/** What a search is asked for; at least one of the three is there. */
export interface SearchRequest {
	/** Keywords; never blank, and never a `select:`, which has become `toolNames`. */
	readonly query?: string;
	readonly serverName?: string;
	/** At most {@link mostNames}. */
	readonly toolNames?: readonly string[];
	/** Names beyond these. */
	readonly unread?: number;
}

/** A request that was understood, or what to tell the model that wrote it. */
export type ParsedRequest =
	| { readonly ok: true; readonly request: SearchRequest }
	| { readonly ok: false; readonly message: string };

/** Reads the input of `search_tools`. Empty values count as absent; a list of names may also be a text with commas. */
export function parseRequest(input: Readonly<Record<string, unknown>>): ParsedRequest {
	const query = textOf(input.query);
	const serverName = textOf(input.server_name);
	const listed = namesOf(input.tool_names);
	for (const [name, value] of Object.entries({ query, server_name: serverName, tool_names: listed })) {
		if (value === null)
			return wrong(`'${name}' must be ${name === 'tool_names' ? 'a list of strings' : 'a string'}.`);
	}
	const keywords = query && !isBlank(query) ? query : undefined;
	const selected = keywords === undefined ? undefined : parseSelect(keywords);
	const named = [...new Set([...(listed ?? []), ...(selected ?? [])])];
	const toolNames = named.slice(0, mostNames).map((name) => name.slice(0, longestText));
	if (!keywords && !serverName && toolNames.length === 0) {
		return wrong(
			query
				? `The query '${oneLine(query, nameLimit)}' holds no words to search for. Describe what the tool should do.`
				: 'Give at least one of query, server_name or tool_names.',
		);
	}
	return {
		ok: true,
		request: {
			...(keywords && !selected && { query: keywords }),
			...(serverName && { serverName }),
			...(toolNames.length > 0 && { toolNames }),
			...(named.length > mostNames && { unread: named.length - mostNames }),
		},
	};
}

function wrong(message: string): ParsedRequest {
	return { ok: false, message };
}

/** The text, `undefined` where there is none, `null` where it is something else. */
function textOf(value: unknown): string | undefined | null {
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value.trim().slice(0, longestText) || undefined : null;
}

function namesOf(value: unknown): string[] | undefined | null {
	if (value === undefined || value === null) return undefined;
	const list = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(list) || !list.every((name) => typeof name === 'string')) return null;
	const names = list.map((name) => name.trim()).filter(Boolean);
	return names.length > 0 ? names : undefined;
}
