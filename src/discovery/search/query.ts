import { tokenize } from './words/tokenizer.ts';

/** A query as its writer meant it. */
export interface Query {
	/** What ranks: the query without its `+terms`, or those terms where there is nothing else. */
	readonly text: string;
	/** Words that a tool must have, from `+term`. */
	readonly required: readonly string[];
}

/** A number after the sign is a telephone's. */
const requiredTerm = /(?<=^|\s)\+(?![\d(])(\S+)/g;
const select = /^\s*select:(.*)$/is;

/** Reads `+term`s out of a keyword query. */
export function parseQuery(query: string): Query {
	if (!query.includes('+')) return { text: query, required: [] };
	const required = [...query.matchAll(requiredTerm)]
		.map((match) => match[1] ?? '')
		.filter((term) => tokenize(term).length > 0);
	const rest = query.replace(requiredTerm, ' ').trim();
	return { text: tokenize(rest).length > 0 ? rest : required.join(' '), required };
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
	return names ? names.length === 0 : tokenize(query).length === 0;
}
