import { englishToolCount, firstSentence, listText, oneLine } from '../../common/text.ts';
import { boundTokens } from '../../common/tokens.ts';
import type { Tool } from './tool.ts';

/** What a server says about itself. */
export interface ServerDescription {
	readonly description?: string;
	readonly instructions?: string;
}

export interface ManifestOptions {
	/** The servers' descriptions of themselves, by name; used as summaries. */
	readonly servers?: ReadonlyMap<string, ServerDescription>;
	/** Upper bound in tokens (see {@link boundTokens}); absent: none. */
	readonly maxTokens?: number;
}

const header = 'Available tool servers (use this tool to load their definitions):\n';
/** Servers with more tools list only the first few. */
const listedInFull = 10;
const listedOfMany = 4;
/** Characters of a summary. */
const summaryLimit = 80;
/** Characters of a server's name in what a model reads, and of a tool's name in the manifest. */
export const serverNameLimit = 80;
/** UTF-8 bytes of one server's names: keeps its whole entry below 2 KB in any script. */
const namesBytes = 1500;
/** Share of the budget that is used: for random letters the estimate may be a tenth too low. */
const margin = 0.9;

/**
 * The compressed list of deferred servers and tools that a model sees:
 *
 *     Available tool servers (use this tool to load their definitions):
 *
 *     - weather (3 tools): get_current_weather, get_forecast, get_alerts
 *       Current conditions, forecasts, and severe weather alerts
 *
 * Where that would not fit into `maxTokens`, servers lose detail: all name fewer tools, down to one each, and then without a summary; then
 * as many as fit keep name and summary, then summary and count, then the count; the servers left over become one group line. What is not named is still found by search.
 * The same tools give the same text.
 */
export function generateManifest(tools: readonly Tool[], options: ManifestOptions = {}): string {
	const servers = [...Map.groupBy(tools, (tool) => tool.server)].map(
		([name, tools]) => new ManifestEntry(name, tools, options.servers?.get(name)),
	);
	if (servers.length === 0) return '';
	const budget = options.maxTokens ?? Number.POSITIVE_INFINITY;
	const lines = withinBudget(servers, budget * margin - boundTokens(header));
	return `${header}\n${lines.join('\n')}`;
}

const encoder = new TextEncoder();

/** The text for one server and its approximate cost. */
interface Entry {
	readonly text: string;
	readonly tokens: number;
}

/** A server at each level of detail; texts are made on demand. */
class ManifestEntry {
	readonly name: string;
	readonly count: number;
	readonly #tools: readonly Tool[];
	readonly #described: ServerDescription | undefined;
	/** By first line and whether a summary follows. */
	readonly #entries = new Map<string, Entry>();
	#summary: string | undefined;

	constructor(name: string, tools: readonly Tool[], described: ServerDescription | undefined) {
		this.name = oneLine(name, serverNameLimit);
		this.count = tools.length;
		this.#tools = tools;
		this.#described = described;
	}

	/** At most this many names, and the summary unless it is left out. */
	withNames(most: number, hasSummary = true): Entry {
		const listedCount = Math.min(most, this.count > listedInFull ? listedOfMany : this.count);
		const key = `${listedCount} ${hasSummary}`;
		let entry = this.#entries.get(key);
		if (!entry) {
			const text = `${this.#head}${listedCount > 0 ? `: ${this.#names(listedCount)}` : ''}${hasSummary ? this.#below : ''}`;
			entry = { text, tokens: boundTokens(text) + 1 };
			this.#entries.set(key, entry);
		}
		return entry;
	}

	/** Levels: one name and the summary, the summary, only the count. */
	at(level: number): Entry {
		return level < barest ? this.withNames(1 - level) : this.withNames(0, false);
	}

	get #head(): string {
		return `- ${this.name} (${englishToolCount(this.count)})`;
	}

	get #below(): string {
		this.#summary ??= summarise(this.#tools, this.#described);
		return this.#summary && `\n  ${this.#summary}`;
	}

	#names(shown: number): string {
		const most = namesBytes / shown;
		const names = this.#tools.slice(0, shown).map((tool) => withinBytes(manifestName(tool), most));
		return listText(names, names.length, this.count);
	}
}

/** A tool's name in the manifest: one line, truncated. */
export function manifestName({ name }: Pick<Tool, 'name'>): string {
	return oneLine(name, serverNameLimit);
}

/** A name of at most so many bytes: in UTF-8, a UTF-16 unit has at most three. */
function withinBytes(name: string, most: number): string {
	return encoder.encode(name).length <= most ? name : oneLine(name, Math.floor(most / 3));
}

/** The level with nothing but the count. */
const barest = 2;

/** Lines for all servers within `budget` tokens. Every server loses names and then its summary before any loses its last name. */
function withinBudget(servers: readonly ManifestEntry[], budget: number): string[] {
	for (const hasSummary of [true, false]) {
		for (let names = listedInFull; names > 0; names--) {
			const entries = servers.map((server) => server.withNames(names, hasSummary));
			const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
			if (tokens <= budget) return entries.map(({ text }) => text);
		}
	}
	const level = new Map(servers.map((server) => [server, barest]));
	// The cheapest details first, so that as many servers as possible have them.
	let left = budget - servers.reduce((sum, server) => sum + server.at(barest).tokens, 0);
	for (const target of [1, 0]) left = raise(level, target, left);
	if (left < 0) return grouped(servers, budget);
	return servers.map((server) => server.at(level.get(server) ?? barest).text);
}

/** Raises as many servers as fit to a level, cheapest first; returns the remaining budget. */
function raise(level: Map<ManifestEntry, number>, target: number, budget: number): number {
	const cost = (server: ManifestEntry) => server.at(target).tokens - server.at(target + 1).tokens;
	const candidates = [...level].filter(([, at]) => at === target + 1).map(([server]) => server);
	let left = budget;
	for (const server of candidates.sort((a, b) => cost(a) - cost(b))) {
		if (cost(server) > left) break;
		level.set(server, target);
		left -= cost(server);
	}
	return left;
}

/** Counts for as many servers as fit, in order, and one line for the rest. */
function grouped(servers: readonly ManifestEntry[], budget: number): string[] {
	const reserve = 40;
	const lines: string[] = [];
	let left = budget - reserve;
	for (const server of servers) {
		const { text, tokens } = server.at(barest);
		left -= tokens;
		if (left < 0) break;
		lines.push(text);
	}
	const rest = servers.slice(lines.length);
	const tools = rest.reduce((sum, server) => sum + server.count, 0);
	const more = rest.length === 1 ? '1 more server' : `${rest.length} more servers`;
	return [...lines, `- ... and ${more} (${englishToolCount(tools)}): use query to search them`];
}

/** The server's own words, or else the beginnings of its tools' descriptions. */
function summarise(tools: readonly Tool[], described: ServerDescription | undefined): string {
	const ownDescription = described?.description?.trim() || described?.instructions?.trim();
	if (ownDescription) return oneLine(firstLine(ownDescription), summaryLimit);
	let summary = '';
	for (const tool of tools) {
		if (summary.length >= summaryLimit) break;
		const sentence = firstSentence(tool.description ?? tool.title ?? '');
		if (sentence) summary += (summary && ' ') + (/[.!?。！？]$/.test(sentence) ? sentence : `${sentence}.`);
	}
	return oneLine(summary, summaryLimit);
}

/** Instructions are often pages of Markdown: takes the first meaningful line. */
function firstLine(text: string): string {
	return text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith('#')) ?? text;
}
