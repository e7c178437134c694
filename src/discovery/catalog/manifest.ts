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
 * Where that would not fit into `maxTokens`, servers lose detail: all name fewer tools, down to one each, and then without a summary; then
 * as many as fit keep name and summary, then summary and count, then the count; the servers left over become one group line. What is not named is still found by search.
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

/** What the manifest says of one server, and about what that costs. */
interface Entry {
	readonly text: string;
	readonly tokens: number;
}

/** One server at each level of detail; texts are made when first asked for. */
class ManifestEntry {
	readonly name: string;
	readonly count: number;
	readonly #tools: readonly Tool[];
	readonly #described: ServerDescription | undefined;
	/** By their first line, and whether the summary is below it. */
	readonly #entries = new Map<string, Entry>();
	#summary: string | undefined;

	constructor(name: string, tools: readonly Tool[], described: ServerDescription | undefined) {
		this.name = oneLine(name, nameLimit);
		this.count = tools.length;
		this.#tools = tools;
		this.#described = described;
	}

	/** At most so many names, and the summary below them unless it is left out. */
	withNames(most: number, hasSummary = true): Entry {
		const shown = Math.min(most, this.count > listedInFull ? listedOfMany : this.count);
		const key = `${shown} ${hasSummary}`;
		let entry = this.#entries.get(key);
		if (!entry) {
			const text = `${this.#head}${shown > 0 ? `: ${this.#names(shown)}` : ''}${hasSummary ? this.#below : ''}`;
			entry = { text, tokens: boundTokens(text) + 1 };
			this.#entries.set(key, entry);
		}
		return entry;
	}

	/** At a level from one name with the summary, to the summary, to the count alone. */
	at(level: number): Entry {
		return level < barest ? this.withNames(1 - level) : this.withNames(0, false);
	}

	get #head(): string {
		return `- ${this.name} (${toolCount(this.count)})`;
	}

	get #below(): string {
		this.#summary ??= summarise(this.#tools, this.#described);
		return this.#summary && `\n  ${this.#summary}`;
	}

	#names(shown: number): string {
		const names = withinBytes(this.#tools.slice(0, shown).map(manifestName));
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

/** The level of detail at which a server has nothing but its count. */
const barest = 2;

/** Lines for all servers within `budget` tokens: each has fewer names, and then no summary, before any of them has no name. */
function withinBudget(servers: readonly ManifestEntry[], budget: number): string[] {
	for (const hasSummary of [true, false]) {
		for (let names = listedInFull; names > 0; names--) {
			const entries = servers.map((server) => server.withNames(names, hasSummary));
			const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
			if (tokens <= budget) return entries.map(({ text }) => text);
		}
	}
	const level = new Map(servers.map((server) => [server, barest]));
	// Detail goes to those it costs least, so that as many servers as possible have it.
	let left = budget - servers.reduce((sum, server) => sum + server.at(barest).tokens, 0);
	for (const target of [1, 0]) left = raise(level, target, left);
	if (left < 0) return grouped(servers, budget);
	return servers.map((server) => server.at(level.get(server) ?? barest).text);
}

/** Raises as many servers as fit to a level, cheapest first; returns what is left of the budget. */
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
