import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isRecord } from '../../common/json.ts';

/** A query and the tools that answer it, from a file. */
export interface LabelledQuery {
	readonly query: string;
	/** Needs, each with the names of tools that meet it; empty: no tool can do it. */
	readonly needs: readonly (readonly string[])[];
	/** Line in the file, from 1. */
	readonly line?: number;
}

/** A problem at a line of the file, from 1. */
export interface QueryFault {
	readonly line: number;
	/** A sentence. */
	readonly message: string;
}

/** The parsed file: invalid entries are left out. */
export interface QueryFile {
	readonly queries: readonly LabelledQuery[];
	readonly faults: readonly QueryFault[];
}

/** Labelled queries and where they come from. */
export interface QuerySource extends QueryFile {
	/** A file name or a phrase. */
	readonly title: string;
}

const mostQueries = 2000;

/** A labelled query, or an error sentence. */
type ReadEntry = Omit<LabelledQuery, 'line'> | string;

/**
 * Reads `{ "query": "…", "tools": ["server:tool"] }`. Every tool in the list is needed; a nested list holds alternatives. `"none": true`: nothing can
 * do it.
 */
function readEntry(value: unknown): ReadEntry {
	if (!isRecord(value)) return 'Not an object. Write { "query": "…", "tools": ["server:tool"] }.';
	const { query, tools, none } = value;
	if (typeof query !== 'string' || query.trim() === '') return '"query" is missing or empty.';
	const needs = tools === undefined ? [] : readNeeds(tools);
	if (!needs) return '"tools" must hold names of tools, such as "server:tool".';
	if (none === true && needs.length > 0) return 'It has both "tools" and "none". Remove one of them.';
	if (none !== true && tools === undefined)
		return '"tools" is missing: name the tools that answer it, or write "none": true.';
	return { query: query.trim(), needs };
}

function readNeeds(value: unknown): string[][] | undefined {
	if (!Array.isArray(value)) return undefined;
	const needs = value.map((need: unknown) => (Array.isArray(need) ? need : [need]));
	return needs.every((names) => names.length > 0 && names.every(isName)) ? needs : undefined;
}

function isName(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '';
}

/** Characters read per file. */
const longestFile = 4_000_000;
/** Reported problems; later ones usually follow from the first. */
const mostFaults = 20;

/** Reads JSON with comments (a list, or an object with a list `queries`), or, by the file extension, one JSON object per line. */
export function readQueryFile(name: string, text: string): QueryFile {
	if (text.length > longestFile)
		return faulty(1, `The file has ${text.length} characters; at most ${longestFile} are read.`);
	const plain = text.replace(/^\uFEFF/, '');
	return bounded(/\.(jsonl|ndjson)$/i.test(name) ? fromLines(plain) : fromJson(plain));
}

function bounded({ queries, faults }: QueryFile): QueryFile {
	const excess = queries[mostQueries];
	const told = excess
		? [...faults, { line: excess.line ?? 1, message: `Only the first ${mostQueries} queries are used.` }]
		: faults;
	if (queries.length === 0 && told.length === 0) return faulty(1, 'The file contains no queries.');
	return { queries: queries.slice(0, mostQueries), faults: told.slice(0, mostFaults) };
}

function fromJson(text: string): QueryFile {
	const { root, fault } = parsed(text);
	if (!root) return faulty(lineCounter(text)(fault?.offset ?? 0), fault?.message ?? 'The file is empty.');
	const list = root.type === 'array' ? root : root.children?.find(isQueries)?.children?.[1];
	if (list?.type !== 'array') return faulty(1, 'Expected a list of queries in square brackets.');
	const lineOf = lineCounter(text);
	return collected(
		(list.children ?? []).map((node) => ({ line: lineOf(node.offset), value: getNodeValue(node) })),
	);
}

function isQueries({ children }: Node): boolean {
	return children?.[0]?.value === 'queries';
}

function fromLines(text: string): QueryFile {
	const faults: QueryFault[] = [];
	const entries = text.split(/\r\n|\r|\n/).flatMap((line, i) => {
		if (line.trim() === '' || line.trimStart().startsWith('//')) return [];
		const { root, fault } = parsed(line);
		if (root) return [{ line: i + 1, value: getNodeValue(root) }];
		faults.push({ line: i + 1, message: fault?.message ?? 'This line holds no JSON.' });
		return [];
	});
	const { queries, faults: more } = collected(entries);
	return { queries, faults: [...faults, ...more].sort((a, b) => a.line - b.line) };
}

function collected(entries: readonly { readonly line: number; readonly value: unknown }[]): QueryFile {
	const queries: LabelledQuery[] = [];
	const faults: QueryFault[] = [];
	for (const { line, value } of entries) {
		// `__proto__` in the file has become the prototype; the copy drops it.
		const entry = readEntry(isRecord(value) ? { ...value } : value);
		if (typeof entry === 'string') faults.push({ line, message: entry });
		else queries.push({ ...entry, line });
	}
	return { queries, faults };
}

function parsed(text: string): { root?: Node; fault?: { offset: number; message: string } } {
	const errors: ParseError[] = [];
	try {
		const root = parseTree(text, errors, { allowTrailingComma: true });
		const [error] = errors;
		if (error) {
			const message = `This is not JSON (${printParseErrorCode(error.error)}).`;
			return { fault: { offset: error.offset, message } };
		}
		return root ? { root } : {};
	} catch (error) {
		// The parser is recursive.
		if (error instanceof RangeError) return { fault: { offset: 0, message: 'This is nested too deeply.' } };
		throw error;
	}
}

/** Line numbers for increasing offsets. */
function lineCounter(text: string): (offset: number) => number {
	let line = 1;
	let next = text.indexOf('\n');
	return (offset) => {
		for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++;
		return line;
	};
}

function faulty(line: number, message: string): QueryFile {
	return { queries: [], faults: [{ line, message }] };
}
