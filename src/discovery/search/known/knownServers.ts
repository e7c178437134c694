import { propertiesOf } from '../../../common/jsonSchema.ts';
import type { Tool } from '../../catalog/tool.ts';
import { type KnownExpansion, toTerms } from './knownText.ts';
import names from './names.json' with { type: 'json' };

/** So many tools of the same names are no coincidence. */
const unmistakable = 5;

/** Least share of the tools that have the same names, of the listed or the known ones: versions of a server add and drop some. */
const minToolShare = 0.5;

/** Least share of the parameters that have the same names, likewise. */
const minParameterShare = 0.5;

/** By known server: the names of its tools. */
const toolNames: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(names));

/** By server: its tools by name. */
const loaded = new Map<string, ReadonlyMap<string, KnownExpansion>>();

let byTool: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The expansions of those tools that belong to known servers. A server is known by its tools, whatever name the user gave it, and a tool by its name
 * and parameters, however its description is worded.
 */
export async function knownExpansions(tools: readonly Tool[]): Promise<ReadonlyMap<Tool, KnownExpansion>> {
	const expansions = new Map<Tool, KnownExpansion>();
	for (const listed of Map.groupBy(tools, ({ server }) => server).values()) {
		for (const name of serversLike(listed)) {
			const known = await load(name);
			for (const tool of listed) {
				const same = known.get(tool.name);
				if (same && !expansions.has(tool) && hasParametersOf(tool, same)) expansions.set(tool, same);
			}
		}
	}
	return expansions;
}

/** The known servers that a listed one may be, the most similar first. */
function serversLike(listed: readonly Tool[]): readonly string[] {
	byTool ??= serversByTool();
	const shared = new Map<string, number>();
	for (const { name } of listed)
		for (const server of byTool.get(name) ?? []) shared.set(server, (shared.get(server) ?? 0) + 1);
	let text: string | undefined;
	const isNamed = (server: string) => {
		text ??= textOf(listed);
		return server.split('-').every((word) => isWordOf(text ?? '', word));
	};
	return [...shared]
		.filter(([server, count]) => {
			const all = Math.min(listed.length, toolNames.get(server)?.length ?? 0);
			return count >= minToolShare * all && (count >= unmistakable || isNamed(server));
		})
		.sort(([, a], [, b]) => b - a)
		.map(([server]) => server);
}

function serversByTool(): ReadonlyMap<string, readonly string[]> {
	const servers = new Map<string, string[]>();
	for (const [server, own] of toolNames) {
		for (const tool of own) {
			const known = servers.get(tool);
			if (known) known.push(server);
			else servers.set(tool, [server]);
		}
	}
	return servers;
}

function textOf(tools: readonly Tool[]): string {
	const texts = tools.flatMap(({ server, name, title, description }) => [server, name, title, description]);
	return texts.join(' ').toLowerCase();
}

/** Whether a word of the text begins like this: reading all words would take a tenth of the time of indexing. */
function isWordOf(text: string, word: string): boolean {
	for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
		if (!/[a-z0-9]/.test(text[at - 1] ?? '')) return true;
	return false;
}

function hasParametersOf({ inputSchema }: Tool, { parameters }: KnownExpansion): boolean {
	const own = new Set(Object.keys(propertiesOf(inputSchema)));
	if (own.size === 0 || parameters.length === 0) return own.size === parameters.length;
	const common = parameters.filter((name) => own.has(name)).length;
	return common >= minParameterShare * Math.min(own.size, parameters.length);
}

/** Kept, so that an index that is built again finds the same objects. */
async function load(server: string): Promise<ReadonlyMap<string, KnownExpansion>> {
	const cached = loaded.get(server);
	if (cached) return cached;
	const { default: stored } = await import(`./servers/${server}.json`, { with: { type: 'json' } });
	const known = toTerms(stored);
	const tools = new Map(
		Object.entries(known.tools).map(([name, tool]) => [name, { ...tool, server: known }]),
	);
	loaded.set(server, tools);
	return tools;
}
