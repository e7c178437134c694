import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isRecord } from '../record.ts';
import { readTable } from './csvTable.ts';
import { needsOf, readEntry } from './labelEntry.ts';
import { type LabelledQuery, mostQueries, type QueryFault, type QueryFile } from './labelledQuery.ts';

/** Characters of a file that are read. */
const longestFile = 4_000_000;
/** Faults that are told; those after the first few are mostly their echo. */
const mostFaults = 20;

/**
 * Reads labelled queries: JSON (with comments; a list, or an object with a list `queries`), a JSON object on each line, or CSV with a header `query,tool`. What it
 * is the name of the file says, by its end.
 */
export function readQueryFile(name: string, text: string): QueryFile {
	if (text.length > longestFile)
		return faulty(1, `The file has ${text.length} characters; at most ${longestFile} are read.`);
	const plain = text.replace(/^\uFEFF/, '');
	const read = /\.(csv|tsv)$/i.test(name)
		? fromTable(plain)
		: /\.(jsonl|ndjson)$/i.test(name)
			? fromLines(plain)
			: fromJson(plain);
	return bounded(read);
}

function bounded({ queries, faults }: QueryFile): QueryFile {
	const excess = queries[mostQueries];
	const told = excess
		? [...faults, { line: excess.line ?? 1, message: `Only the first ${mostQueries} queries count.` }]
		: faults;
	if (queries.length === 0 && told.length === 0) return faulty(1, 'The file holds no queries.');
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

function fromTable(text: string): QueryFile {
	const [header, ...rows] = readTable(text);
	const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
	const query = names.findIndex((one) => one === 'query' || one === 'text');
	const tools = names.findIndex((one) => ['tool', 'tools', 'expected'].includes(one));
	if (query < 0 || tools < 0) return faulty(1, 'The first line must name the columns: query,tool.');
	const faults: QueryFault[] = [];
	const byQuery = new Map<string, LabelledQuery>();
	for (const { cells, line } of rows) {
		const words = cells[query]?.trim() ?? '';
		if (words === '') faults.push({ line, message: 'The query is empty.' });
		else
			byQuery.set(
				words,
				withNeeds(byQuery.get(words), { query: words, line, needs: needsOf(cells[tools] ?? '') }),
			);
	}
	return { queries: [...byQuery.values()], faults };
}

/** Several rows of one query are its needs, one after the other. */
function withNeeds(before: LabelledQuery | undefined, row: LabelledQuery): LabelledQuery {
	return before ? { ...before, needs: [...before.needs, ...row.needs] } : row;
}

function collected(entries: readonly { readonly line: number; readonly value: unknown }[]): QueryFile {
	const queries: LabelledQuery[] = [];
	const faults: QueryFault[] = [];
	for (const { line, value } of entries) {
		// A key `__proto__` of the file has become the prototype, which the copy has not.
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
		// The parser recurses.
		if (error instanceof RangeError) return { fault: { offset: 0, message: 'This is nested too deeply.' } };
		throw error;
	}
}

/** Tells lines of offsets that only grow. */
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
