import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CatalogServer, JsonSchema, Tool, ToolExpansion } from '../src/discovery/index.ts';

/** Real servers with their tools, from `<name>/tools.json`. */
export interface Corpus {
	readonly name: string;
	readonly servers: readonly CatalogServer[];
	/** Descriptions by a language model that has seen none of the queries. Absent if there is no `<name>/expansions.jsonl`. */
	readonly expansions?: Expansions;
}

/** Expansions by server and name. See {@link expanded}. */
export type Expansions = ReadonlyMap<string, ToolExpansion>;

/** A server as in the file: its tools do not name it, and some have no schema. */
interface ServerRecord extends Omit<CatalogServer, 'tools'> {
	readonly tools: readonly (Omit<Tool, 'server' | 'inputSchema'> & { readonly inputSchema?: JsonSchema })[];
}

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} };

/** Reads every corpus in a folder, by name. Folders without a `tools.json` are skipped. */
export function readCorpora(folder: string): Corpus[] {
	const names = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'tools.json')));
	return names.sort().map((name) => {
		const text = readFileSync(path.join(folder, name, 'tools.json'), 'utf8');
		const expansions = readExpansions(path.join(folder, name, 'expansions.jsonl'));
		const { servers } = JSON.parse(text) as { servers: ServerRecord[] };
		return { name, servers: servers.map(toServer), ...(expansions && { expansions }) };
	});
}

function readExpansions(file: string): Expansions | undefined {
	if (!existsSync(file)) return undefined;
	const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	return new Map(
		lines.map((line): [string, ToolExpansion] => {
			const { server, name, ...expansion }: Pick<Tool, 'server' | 'name'> & ToolExpansion = JSON.parse(line);
			return [keyOf({ server, name }), expansion];
		}),
	);
}

/** Tools with their expansions. */
export function expanded(tools: readonly Tool[], expansions: Expansions): Tool[] {
	return tools.map((tool) => {
		const expansion = expansions.get(keyOf(tool));
		return expansion ? { ...tool, expansion } : tool;
	});
}

function keyOf({ server, name }: Pick<Tool, 'server' | 'name'>): string {
	return JSON.stringify([server, name]);
}

/** All tools of some servers. */
export function toolsOf(servers: readonly CatalogServer[]): Tool[] {
	return servers.flatMap((server) => server.tools);
}

/** Merges the servers of several corpora. If two have the same name, the later one gets a number. */
export function joinServers(corpora: readonly Corpus[]): CatalogServer[] {
	const taken = new Set<string>();
	return corpora.flatMap((corpus) =>
		corpus.servers.map((server) => {
			let name = server.name;
			for (let n = 2; taken.has(name); n++) name = `${server.name}-${n}`;
			taken.add(name);
			return name === server.name ? server : renamed(server, name);
		}),
	);
}

function renamed(server: CatalogServer, name: string): CatalogServer {
	return { ...server, name, tools: server.tools.map((tool) => ({ ...tool, server: name })) };
}

function toServer({ tools, ...server }: ServerRecord): CatalogServer {
	return {
		...server,
		tools: tools.map((tool) => ({ inputSchema: NO_PARAMETERS, ...tool, server: server.name })),
	};
}
