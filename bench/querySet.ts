import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Tool } from '../src/discovery/index.ts';
import { type Corpus, expanded, toolsOf } from './corpus.ts';

/** `[server, tool]` */
export type ToolReference = readonly [server: string, tool: string];

/** A query with the tools that answer it. */
export interface LabelledQuery {
	readonly id: string;
	/** Its style (`chat`, `capability`, …), if the set names it. */
	readonly kind?: string;
	readonly text: string;
	/** Needs, each with alternative tools. Empty if no tool of the corpus answers the query. */
	readonly gold: readonly (readonly ToolReference[])[];
	/** Tools that help: neither a hit nor a miss. */
	readonly also?: readonly ToolReference[];
}

/** Labelled queries and the tools to search. */
export interface QuerySet {
	/** `mcp61` for `mcp61/queries.json`, `livemcp-tasks` for `livemcp/tasks.queries.json`. */
	readonly name: string;
	readonly tools: readonly Tool[];
	/** The same tools with their expansions. Absent if there are none. */
	readonly expanded?: readonly Tool[];
	readonly queries: readonly LabelledQuery[];
}

const QUERY_FILE = /^(?:(.+)\.)?queries\.json$/;
/** `model-with-livemcp.queries.json` searches its own corpus and `livemcp` together. */
const WITH_CORPUS = /-with-(.+)$/;

/** Reads the query sets next to the corpora of a folder. */
export function readQuerySets(folder: string, corpora: readonly Corpus[]): QuerySet[] {
	return corpora.flatMap((corpus) =>
		readdirSync(path.join(folder, corpus.name))
			.sort()
			.flatMap((file) => {
				const match = QUERY_FILE.exec(file);
				if (!match) return [];
				const name = match[1];
				const queries: LabelledQuery[] = JSON.parse(
					readFileSync(path.join(folder, corpus.name, file), 'utf8'),
				);
				const tools = distinctTools([corpus, ...corporaBeside(name, corpora)]);
				const own = corpus.expansions && !WITH_CORPUS.test(name ?? '') ? corpus.expansions : undefined;
				return [
					{
						name: name ? `${corpus.name}-${name}` : corpus.name,
						tools,
						...(own && { expanded: expanded(tools, own) }),
						queries,
					},
				];
			}),
	);
}

function corporaBeside(name: string | undefined, corpora: readonly Corpus[]): readonly Corpus[] {
	const other = WITH_CORPUS.exec(name ?? '')?.[1];
	if (other === undefined) return [];
	const corpus = corpora.find((candidate) => candidate.name === other);
	if (!corpus) throw new Error(`The queries '${name}' are asked of a corpus '${other}' that is not there`);
	return [corpus];
}

/** A tool in both corpora counts once, or a hit would take two places. */
function distinctTools(corpora: readonly Corpus[]): Tool[] {
	const byName = new Map<string, Tool>();
	for (const tool of corpora.flatMap(({ servers }) => toolsOf(servers))) {
		const key = JSON.stringify([tool.server, tool.name]);
		if (!byName.has(key)) byName.set(key, tool);
	}
	return [...byName.values()];
}
