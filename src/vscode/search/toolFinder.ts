import { setImmediate as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { isEditorTool } from '../../discovery/catalog/policy.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { TypedSearch } from '../../discovery/search/typedSearch.ts';
import { type ToolNode, toolNodes } from '../ui/nodes.ts';
import { askRow, headingRow, type PickRow, teachRow, toolRow } from './pickRows.ts';

/** Among which tools a person searches. */
export interface SearchScope {
	/** What is indexed. */
	readonly tools: (sessions: ChatSessions) => readonly CatalogTool[];
	/** What of it is shown, as it stands by then. */
	readonly shows: (node: ToolNode) => boolean;
	/** Whether buttons beside a tool load, pin, defer and run it. */
	readonly hasActions: boolean;
}

/** What the toolset of the last used chat has. */
export const chatScope: SearchScope = {
	tools: (sessions) => sessions.currentSurface.tools,
	shows: ({ state }) => state !== 'outside',
	hasActions: true,
};

/** All tools of the configured servers: a chat's toolset is no limit to what a person does by hand. */
export const serversScope: SearchScope = {
	tools: ({ catalog, policy }) => catalog.tools.filter((tool) => !isEditorTool(tool, policy)),
	shows: ({ isOfEditor }) => isOfEditor !== true,
	hasActions: false,
};

/** Tools that are shown at most: a person types another word before reading on. */
const mostShown = 200;
/** If fewer tools have every word, tools that the model would find are shown, too: so many. */
const fewHits = 3;
const mostSimilar = 10;

/** A tool with why it was found. */
interface Hit {
	readonly tool: CatalogTool;
	readonly matches: readonly WordMatch[];
}

/** Finds tools for what a person types, and shows them as they stand in the last used chat. */
export class ToolFinder {
	readonly #sessions: ChatSessions;
	readonly #scope: SearchScope;
	/** The index: of the newest tools, or of older ones while the newest are indexed. */
	#search: TypedSearch<CatalogTool> | undefined;
	#building: Promise<TypedSearch<CatalogTool>> | undefined;

	constructor(sessions: ChatSessions, scope: SearchScope = chatScope) {
		this.#sessions = sessions;
		this.#scope = scope;
	}

	/** Tools and servers that are searched. */
	get counts(): { readonly tools: number; readonly servers: number } {
		const tools = this.#tools;
		return { tools: tools.length, servers: new Set(tools.map(({ server }) => server)).size };
	}

	/** Indexes what is searched now, unless that is done; whether there was anything to do. */
	async prepare(): Promise<boolean> {
		let built = false;
		while (!this.#search?.isOf(this.#tools)) {
			await this.#build();
			built = true;
		}
		return built;
	}

	/** What is shown for a text. */
	async rows(text: string): Promise<readonly PickRow[]> {
		const typed = text.trim();
		if (typed === '') return this.#unsearched();
		const search = this.#search ?? (await this.#build());
		const ranked = await this.#ranked(typed);
		const found = search.search(typed, mostShown);
		const complete = inOrderOf(
			ranked,
			found.filter((hit) => hit.complete),
		);
		const similar = complete.length < fewHits ? without(ranked, complete).slice(0, mostSimilar) : [];
		const partial = without(found, [...complete, ...similar]);
		const rows = this.#rowsOf([
			['', complete],
			[l10n.t('similar'), similar],
			[l10n.t('partial match'), partial],
		]);
		if (rows.length > 0) return rows;
		return [askRow(typed), ...(this.#sessions.untaught.length > 0 ? [teachRow()] : [])];
	}

	/** The same rows as things stand now. */
	refreshed(rows: readonly PickRow[]): readonly PickRow[] {
		const nodes = this.#nodes();
		return rows.flatMap((row) =>
			row.kind === 'tool' ? this.#rowsFor(nodes.get(row.node.tool.wireName), row.matches) : [row],
		);
	}

	/** What is loaded, as it goes to the model, then the others by server. */
	#unsearched(): readonly PickRow[] {
		const tools = this.#tools;
		const inScope = new Set(tools.map(({ wireName }) => wireName));
		const { loadedTools } = this.#sessions.current?.discovery ?? {
			loadedTools: this.#sessions.currentSurface.loaded,
		};
		const first = loadedTools.filter(({ wireName }) => inScope.has(wireName)).map(unsearched);
		const hits = [...first, ...without(tools.map(unsearched), first)].slice(0, mostShown);
		const groups = Map.groupBy(hits, (hit) => (first.includes(hit) ? l10n.t('loaded') : hit.tool.server));
		const more = tools.length - hits.length;
		return [...this.#rowsOf(groups), ...(more > 0 ? [headingRow(moreTools(more))] : [])];
	}

	/**
	 * What the model's search finds, in its order. It searches what is deferred: tools that are always loaded are found by their own words
	 * alone, and come after the others.
	 */
	async #ranked(text: string): Promise<Hit[]> {
		const surface = this.#sessions.currentSurface;
		if (surface.deferred.length === 0) return [];
		const index = await surface.index();
		const hits = index.search(text, { limit: mostShown });
		const explained = hits.slice(0, mostSimilar + fewHits);
		return hits.map((hit) => ({
			tool: hit.tool,
			matches: explained.includes(hit) ? index.explain(text, hit.tool) : [],
		}));
	}

	#rowsOf(groups: Iterable<readonly [heading: string, hits: readonly Hit[]]>): PickRow[] {
		const nodes = this.#nodes();
		return [...groups].flatMap(([heading, hits]) => {
			const rows = hits.flatMap(({ tool, matches }) => this.#rowsFor(nodes.get(tool.wireName), matches));
			return heading && rows.length > 0 ? [headingRow(heading), ...rows] : rows;
		});
	}

	/** The tools that exist now, by wire name: what was found may be older than the catalog. */
	#nodes(): ReadonlyMap<string, ToolNode> {
		const nodes = toolNodes(this.#sessions).filter((node) => this.#scope.shows(node));
		return new Map(nodes.map((node) => [node.tool.wireName, node]));
	}

	#rowsFor(node: ToolNode | undefined, matches: readonly WordMatch[]): PickRow[] {
		if (!node) return [];
		const row = toolRow(node, matches);
		return [this.#scope.hasActions ? row : { ...row, actions: [] }];
	}

	get #tools(): readonly CatalogTool[] {
		return this.#scope.tools(this.#sessions);
	}

	/** One index is built at a time, however often servers change meanwhile. */
	#build(): Promise<TypedSearch<CatalogTool>> {
		this.#building ??= TypedSearch.build(this.#tools, pause)
			.then((search) => {
				this.#search = search;
				return search;
			})
			.finally(() => {
				this.#building = undefined;
			});
		return this.#building;
	}
}

function moreTools(count: number): string {
	return count === 1 ? l10n.t('1 more tool') : l10n.t('{0} more tools', count);
}

function unsearched(tool: CatalogTool): Hit {
	return { tool, matches: [] };
}

/** Hits in the order in which a ranking has their tools, then those that it does not have. */
function inOrderOf(ranked: readonly Hit[], hits: readonly Hit[]): Hit[] {
	const places = new Map(ranked.map(({ tool }, place) => [tool.wireName, place]));
	const place = ({ tool }: Hit) => places.get(tool.wireName) ?? ranked.length;
	return hits.toSorted((a, b) => place(a) - place(b));
}

function without<T extends { readonly tool: CatalogTool }>(
	hits: readonly T[],
	others: readonly { readonly tool: CatalogTool }[],
): T[] {
	const names = new Set(others.map(({ tool }) => tool.wireName));
	return hits.filter(({ tool }) => !names.has(tool.wireName));
}
