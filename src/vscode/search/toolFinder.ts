import * as l10n from '@vscode/l10n';
import MiniSearch, { type SearchOptions } from 'minisearch';
import { wholeNumber } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { ServerModels } from '../core/serverModels.ts';
import type { CommandName } from '../ui/ids.ts';
import type { ToolNode } from '../ui/nodes.ts';
import { headingRow, leadRows, type PickRow, toolRow } from './pickRows.ts';

/** Which tools a person searches. */
export interface SearchScope {
	readonly surface: (sessions: ChatSessions) => ToolSurface;
	/** Which of its tools are shown. */
	readonly shows: (node: ToolNode) => boolean;
	/** The buttons beside tools, as far as they apply. */
	readonly actions: readonly CommandName[];
}

/** The tools of the last used chat's toolset. */
export const chatScope: SearchScope = {
	surface: (sessions) => sessions.currentSurface,
	shows: ({ state }) => state !== 'outside',
	// Run comes last because it closes the list.
	actions: ['loadTool', 'unloadTool', 'pinServer', 'deferServer', 'runTool'],
};

/** All tools of the configured servers: a toolset limits chats, not people. */
export const serversScope: SearchScope = {
	surface: (sessions) => sessions.surface(),
	shows: ({ isOfEditor }) => isOfEditor !== true,
	actions: [],
};

/** Shown tools. With more, people type another word. */
const maxShown = 200;
/** Tools that do not have the words in their names, below some that do. */
const maxSimilar = 10;

/** Characters that are read, letters of a word that may have a typo, and the share of them that may be wrong. */
const maxTextLength = 200;
const minMistypedLength = 4;
const wrongLetters = 0.34;

interface Hit {
	readonly tool: CatalogTool;
	readonly matches: readonly WordMatch[];
}

/** Finds tools for typed text, as models find them and by the beginnings of their names, and shows their state in the last used chat. */
export class ToolFinder {
	readonly #sessions: ChatSessions;
	readonly #models: ServerModels;
	readonly #scope: SearchScope;
	/** What the last rows were made of. */
	#searched: ToolSurface | undefined;

	constructor(
		{ sessions, serverModels }: { readonly sessions: ChatSessions; readonly serverModels: ServerModels },
		scope: SearchScope,
	) {
		this.#sessions = sessions;
		this.#models = serverModels;
		this.#scope = scope;
	}

	get counts(): { readonly tools: number; readonly servers: number } {
		const nodes = this.#nodes();
		const tools = this.#surface.tools.filter(({ wireName }) => nodes.has(wireName));
		return { tools: tools.length, servers: new Set(tools.map(({ server }) => server)).size };
	}

	/** Whether other tools can be found than when {@link rows} was called last. */
	get isOutdated(): boolean {
		const [previous = [], current] = [this.#searched?.tools, this.#surface.tools];
		return (
			previous.length !== current.length || current.some(({ wireName }) => !this.#searched?.get(wireName))
		);
	}

	async rows(text: string): Promise<readonly PickRow[]> {
		const surface = this.#surface;
		this.#searched = surface;
		const typed = text.trim();
		const indexing = surface.indexOfAll();
		if (typed === '') {
			// So that it is ready for the first letter, which also says what is wrong.
			indexing.catch(() => {});
			return this.#unsearched(surface);
		}
		const index = await indexing;
		const hits = index.search(typed, { limit: maxShown }).map(({ tool }, place) => ({
			tool,
			matches: place < maxSimilar ? index.explain(typed, tool) : [],
		}));
		// A word that finds something is no typo.
		const starting = namedAs(typed, surface, 'begun');
		const namedTools = new Set(
			starting.length + hits.length > 0 ? starting : namedAs(typed, surface, 'mistyped'),
		);
		const ranked = new Set(hits.map(({ tool }) => tool));
		const first = [
			...hits.filter(({ tool }) => namedTools.has(tool)),
			...[...namedTools.difference(ranked)].map(unsearched),
		];
		const similar = hits.filter(({ tool }) => !namedTools.has(tool));
		const rows = this.#rowsOf([
			['', first.slice(0, maxShown)],
			[l10n.t('similar'), similar.slice(0, first.length > 0 ? maxSimilar : maxShown)],
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
	#unsearched(surface: ToolSurface): readonly PickRow[] {
		const { loadedTools } = this.#sessions.current?.discovery ?? {
			loadedTools: this.#sessions.currentSurface.loaded,
		};
		const nodes = this.#nodes();
		const isShown = ({ wireName }: CatalogTool) => nodes.has(wireName);
		const first = new Set(loadedTools.flatMap(({ wireName }) => surface.get(wireName) ?? []).filter(isShown));
		const all = [...first.union(new Set(surface.tools.filter(isShown)))].map(unsearched);
		const groups = Map.groupBy(all.slice(0, maxShown), ({ tool }) =>
			first.has(tool) ? l10n.t('loaded') : tool.server,
		);
		const more = all.length - maxShown;
		return [...this.#rowsOf(groups), ...(more > 0 ? [headingRow(moreTools(more))] : [])];
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

	get #surface(): ToolSurface {
		return this.#scope.surface(this.#sessions);
	}
}

/** The tools whose names contain each typed word: `begun`, as the start of a word; `mistyped`, with a few wrong letters. */
function namedAs(typed: string, surface: ToolSurface, matching: 'begun' | 'mistyped'): CatalogTool[] {
	const hits = namesOf(surface).search(
		typed.slice(0, maxTextLength),
		matching === 'begun' ? begun : mistyped,
	);
	return hits.flatMap(({ id }) => surface.get(id) ?? []);
}

const begun: SearchOptions = { combineWith: 'AND', prefix: true };

const mistyped: SearchOptions = {
	...begun,
	fuzzy: (word) => (word.length >= minMistypedLength ? wrongLetters : false),
};

const namesOf = weakMemo(({ tools }: ToolSurface) => {
	const names = new MiniSearch<CatalogTool>({
		idField: 'wireName',
		fields: ['server', 'name', 'title'],
		tokenize: (text) => tokenize(text),
		processTerm: (word) => word,
	});
	names.addAll(tools);
	return names;
});

function moreTools(count: number): string {
	return count === 1 ? l10n.t('1 more tool') : l10n.t('{0} more tools', wholeNumber(count));
}

function unsearched(tool: CatalogTool): Hit {
	return { tool, matches: [] };
}
