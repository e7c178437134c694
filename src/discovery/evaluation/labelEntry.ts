import { isRecord } from '../record.ts';
import type { LabelledQuery } from './labelledQuery.ts';

/** Keys of the same meaning: ours first, then those that sets of others use. */
const queryKeys = ['query', 'text'] as const;
const toolKeys = ['tools', 'tool', 'expected', 'gold'] as const;

/** A labelled query, or what is wrong with it: a sentence. */
export type ReadEntry = Omit<LabelledQuery, 'line'> | string;

/**
 * Reads `{ "query": "…", "tools": ["server:tool"] }`. Every tool of the list is needed; a list in the list, or `a|b`, is for
 * tools of which one is enough. `"none": true`: nothing can do it. Pairs `["server", "tool"]` in the place of names are understood below
 * `gold` and `also`, where benchmarks have them.
 */
export function readEntry(value: unknown): ReadEntry {
	if (!isRecord(value)) return 'This is no object. Write { "query": "…", "tools": ["server:tool"] }.';
	const query = queryKeys.map((key) => value[key]).find((one) => one !== undefined);
	if (typeof query !== 'string' || query.trim() === '')
		return 'A "query" is missing: a text that is not empty.';
	const key = toolKeys.find((one) => value[one] !== undefined);
	const listed = key === undefined ? undefined : readNeeds(value[key], key === 'gold');
	if (listed === 'faulty') return `"${key}" must hold names of tools, such as "server:tool".`;
	if (value.none === true) {
		return listed && listed.length > 0
			? 'It names tools and says "none", too. Leave out one of them.'
			: { query: query.trim(), needs: [] };
	}
	if (!listed) return '"tools" is missing: name the tools that answer it, or write "none": true.';
	const also = readAlso(value.also);
	return { query: query.trim(), needs: listed, ...(also.length > 0 && { also }) };
}

/** Needs of a text: `a; b` are two, `a|b` is one that either meets. */
export function needsOf(text: string): string[][] {
	return text
		.split(';')
		.map((need) => namesOf(need.split('|')))
		.filter((names) => names.length > 0);
}

function readNeeds(value: unknown, hasPairs: boolean): string[][] | 'faulty' {
	if (typeof value === 'string') return needsOf(value);
	if (!Array.isArray(value)) return 'faulty';
	const needs = value.map((need) => readNeed(need, hasPairs));
	return needs.every((need) => need !== undefined && need.length > 0) ? (needs as string[][]) : 'faulty';
}

function readNeed(value: unknown, hasPairs: boolean): string[] | undefined {
	if (typeof value === 'string') return namesOf(value.split('|'));
	if (!Array.isArray(value)) return undefined;
	const names = value.map((name) => (hasPairs && isPair(name) ? `${name[0]}:${name[1]}` : name));
	return names.every((name) => typeof name === 'string') ? namesOf(names) : undefined;
}

function readAlso(value: unknown): string[] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((name) =>
		isPair(name) ? [`${name[0]}:${name[1]}`] : typeof name === 'string' ? [name] : [],
	);
}

function isPair(value: unknown): value is [string, string] {
	return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

function namesOf(parts: readonly string[]): string[] {
	return parts.map((part) => part.trim()).filter(Boolean);
}
