import { setImmediate as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { isEditorTool } from '../../discovery/catalog/policy.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { TypedSearch } from '../../discovery/search/typedSearch.ts';
import type { Services } from '../../services.ts';
import type { CommandName } from '../ui/ids.ts';
import type { ToolNode } from '../ui/nodes.ts';
import { headingRow, leadRows, type PickRow, toolRow } from './pickRows.ts';

/** Which tools a person searches. */
export interface SearchScope {
	readonly tools: (sessions: ChatSessions) => readonly CatalogTool[];
	/** Which of them are shown; their state may have changed since indexing. */
	readonly shows: (node: ToolNode) => boolean;
	/** The buttons beside tools, as far as they apply. */
	readonly actions: readonly CommandName[];
}

/** The tools of the last used chat's toolset. */
export const chatScope: SearchScope = {
	tools: (sessions) => sessions.currentSurface.tools,
	shows: ({ state }) => state !== 'outside',
	// Run comes last because it closes the list.
	actions: ['loadTool', 'unloadTool', 'pinServer', 'deferServer', 'runTool'],
};

/** All tools of the configured servers: a toolset limits chats, not people. */
export const serversScope: SearchScope = {
	tools: ({ catalog, policy }) => catalog.tools.filter((tool) => !isEditorTool(tool, policy)),
	shows: ({ isOfEditor }) => isOfEditor !== true,
	actions: [],
};

/** Shown tools. With more, people type another word. */
const mostShown = 200;
/** If fewer than `fewHits` tools contain every word, also shows `mostSimilar` that a model would find. */
const fewHits = 3;
const mostSimilar = 10;

interface Hit {
	readonly tool: CatalogTool;
	readonly matches: readonly WordMatch[];
}

type FinderServices = Pick<Services, 'sessions' | 'serverModels'>;

/** Finds tools for typed text, and shows their state in the last used chat. */
export class ToolFinder {
	readonly #sessions: ChatSessions;
	readonly #models: FinderServices['serverModels'];
	readonly #scope: SearchScope;
	/** The index, which may be older than the tools while these are indexed. */
	#search: TypedSearch<CatalogTool> | undefined;
	#building: Promise<TypedSearch<CatalogTool>> | undefined;

	constructor({ sessions, serverModels }: FinderServices, scope: SearchScope) {
		this.#sessions = sessions;
		this.#models = serverModels;
		this.#scope = scope;
	}

	get counts(): { readonly tools: number; readonly servers: number } {
		const tools = this.#tools;
		return { tools: tools.length, servers: new Set(tools.map(({ server }) => server)).size };
	}

	/** Indexes the current tools. Returns whether that was necessary. */
	async prepare(): Promise<boolean> {
		let built = false;
		while (!this.#search?.isOf(this.#tools)) {
			await this.#build();
			built = true;
		}
		return built;
	}

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
		return rows.length > 0 ? rows : leadRows(typed, this.#sessions.untaught.length > 0);
	}

	/** The same rows with their current state. */
	refreshed(rows: readonly PickRow[]): readonly PickRow[] {
		const nodes = this.#nodes();
		return rows.flatMap((row) =>
			row.kind === 'tool' ? this.#rowsFor(nodes.get(row.node.tool.wireName), row.matches) : [row],
		);
	}

	/** Loaded tools in the order of the request, then the others by server. */
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

	/** What a model's search finds, in its order. It covers deferred tools; always-loaded ones are found by their own words only and come last. */
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

	/** The existing tools by wire name: results may be older than the catalog. */
	#nodes(): ReadonlyMap<string, ToolNode> {
		const nodes = this.#models.servers
			.flatMap(({ tools }) => tools)
			.filter((node) => this.#scope.shows(node));
		return new Map(nodes.map((node) => [node.tool.wireName, node]));
	}

	#rowsFor(node: ToolNode | undefined, matches: readonly WordMatch[]): PickRow[] {
		return node ? [toolRow(node, matches, this.#scope.actions)] : [];
	}

	get #tools(): readonly CatalogTool[] {
		return this.#scope.tools(this.#sessions);
	}

	/** Builds one index at a time, however often servers change meanwhile. */
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

/** Hits in the order of a ranking, then those that it lacks. */
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
