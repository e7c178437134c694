import { firstSentence, listed, oneLine, toolCount } from '../../common/text.ts';
import { boundTokens } from '../../common/tokens.ts';
import type { Tool } from './tool.ts';

/** What a server says of itself. */
export interface ServerDescription {
	readonly description?: string;
	readonly instructions?: string;
}

/** Options of {@link generateManifest}. */
export interface ManifestOptions {
	/** What the servers say of themselves, by name; it serves as their summary. */
	readonly servers?: ReadonlyMap<string, ServerDescription>;
	/** Upper bound in tokens, kept to on the safe side ({@link boundTokens}); none if absent. */
	readonly maxTokens?: number;
}

const header = 'Available tool servers (use this tool to load their definitions):\n';
/** A server of more tools than this shows only the first few. */
const listedInFull = 10;
const listedOfMany = 4;
/** Characters of a summary, and of a name in the manifest. */
const summaryLimit = 80;
const nameLimit = 80;
/** Bytes of one server's names, as UTF-8: with the rest of its entry, in whatever script, it stays below 2 KB. */
const namesBytes = 1500;
/** Share of the budget that is filled: for random letters the count may be a tenth too low. */
const margin = 0.9;

/**
 * The compressed list of deferred servers and tools that a model sees:
 *
 *     Available tool servers (use this tool to load their definitions):
 *
 *     - weather (3 tools): get_current_weather, get_forecast, get_alerts
 *       Current conditions, forecasts, and severe weather alerts
 *
 * Where that would not fit into `maxTokens`, servers lose detail: as many as fit keep names and summary, then summary and
 * count, then the count; the servers left over become one group line. What is not named is still found by search.
 * The same tools give the same text.
 */
export function generateManifest(tools: readonly Tool[], options: ManifestOptions = {}): string {
	const servers = [...Map.groupBy(tools, (tool) => tool.server)].map(
		([name, its]) => new ManifestEntry(name, its, options.servers?.get(name)),
	);
	if (servers.length === 0) return '';
	const budget = options.maxTokens ?? Number.POSITIVE_INFINITY;
	const lines = withinBudget(servers, budget * margin - boundTokens(header));
	return `${header}\n${lines.join('\n')}`;
}

const encoder = new TextEncoder();

/** One server at each level of detail, from the fullest to the barest; texts are made when first asked for. */
class ManifestEntry {
	readonly name: string;
	readonly count: number;
	readonly #tools: readonly Tool[];
	readonly #described: ServerDescription | undefined;
	#levels: { readonly text: string; readonly tokens: number }[] | undefined;

	constructor(name: string, tools: readonly Tool[], described: ServerDescription | undefined) {
		this.name = oneLine(name, nameLimit);
		this.count = tools.length;
		this.#tools = tools;
		this.#described = described;
	}

	/** Full, summary and count, count alone. */
	get levels(): readonly { readonly text: string; readonly tokens: number }[] {
		this.#levels ??= this.#texts().map((text) => ({ text, tokens: boundTokens(text) + 1 }));
		return this.#levels;
	}

	#texts(): string[] {
		const head = `- ${this.name} (${toolCount(this.count)})`;
		const summary = summarise(this.#tools, this.#described);
		const below = summary && `\n  ${summary}`;
		return [`${head}: ${this.#names()}${below}`, `${head}${below}`, head];
	}

	#names(): string {
		const shown = this.count > listedInFull ? this.#tools.slice(0, listedOfMany) : this.#tools;
		const names = withinBytes(shown.map(manifestName));
		return listed(names, names.length, this.count);
	}
}

/** A tool's name as the manifest has it: on one line, and cut where it is very long. */
export function manifestName({ name }: Pick<Tool, 'name'>): string {
	return oneLine(name, nameLimit);
}

/** The first of the names, as many as fit. */
function withinBytes(names: readonly string[]): readonly string[] {
	let left = namesBytes;
	const count = names.findIndex((name) => {
		left -= encoder.encode(name).length;
		return left < 0;
	});
	return count < 0 ? names : names.slice(0, count);
}

/** Lines for all servers within `budget` tokens. */
function withinBudget(servers: readonly ManifestEntry[], budget: number): string[] {
	const barest = 2;
	const level = new Map(servers.map((server) => [server, 0]));
	if (total(level) > budget) {
		for (const server of servers) level.set(server, barest);
		// Detail goes to those it costs least, so that as many servers as possible have it.
		let left = budget - total(level);
		for (const target of [1, 0]) left = raise(level, target, left);
		if (left < 0) return grouped(servers, budget);
	}
	return servers.map((server) => server.levels[level.get(server) ?? barest]?.text ?? '');
}

function total(level: ReadonlyMap<ManifestEntry, number>): number {
	let tokens = 0;
	for (const [server, at] of level) tokens += server.levels[at]?.tokens ?? 0;
	return tokens;
}

/** Raises as many servers as fit to a level, cheapest first; returns what is left of the budget. */
function raise(level: Map<ManifestEntry, number>, target: number, budget: number): number {
	const cost = (server: ManifestEntry) =>
		(server.levels[target]?.tokens ?? 0) - (server.levels[target + 1]?.tokens ?? 0);
	const candidates = [...level].filter(([, at]) => at === target + 1).map(([server]) => server);
	let left = budget;
	for (const server of candidates.sort((a, b) => cost(a) - cost(b))) {
		if (cost(server) > left) break;
		level.set(server, target);
		left -= cost(server);
	}
	return left;
}

/** Counts for as many servers as fit, in their order, and one line for the rest. */
function grouped(servers: readonly ManifestEntry[], budget: number): string[] {
	const reserve = 40;
	const lines: string[] = [];
	let left = budget - reserve;
	for (const server of servers) {
		const text = `- ${server.name} (${toolCount(server.count)})`;
		left -= boundTokens(text) + 1;
		if (left < 0) break;
		lines.push(text);
	}
	const rest = servers.slice(lines.length);
	const tools = rest.reduce((sum, server) => sum + server.count, 0);
	const more = rest.length === 1 ? '1 more server' : `${rest.length} more servers`;
	return [...lines, `- ... and ${more} (${toolCount(tools)}): use query to search them`];
}

/** The server's own words where it has some, else the beginnings of its tools' descriptions. */
function summarise(tools: readonly Tool[], described: ServerDescription | undefined): string {
	const own = described?.description?.trim() || described?.instructions?.trim();
	if (own) return oneLine(firstLine(own), summaryLimit);
	let summary = '';
	for (const tool of tools) {
		if (summary.length >= summaryLimit) break;
		const sentence = firstSentence(tool.description ?? tool.title ?? '');
		if (sentence) summary += (summary && ' ') + (/[.!?。！？]$/.test(sentence) ? sentence : `${sentence}.`);
	}
	return oneLine(summary, summaryLimit);
}

/** Instructions are often pages of Markdown: their first line that says something. */
function firstLine(text: string): string {
	return text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith('#')) ?? text;
}
