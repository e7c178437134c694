import { oneLine } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { Loading } from '../catalog/policy.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { Hit } from '../search/hit.ts';
import { isRisky } from '../tools/worthLoading.ts';
import { wordsLimit } from './activations.ts';

/**
 * Above this relevance a tool is loaded before anybody asks for it: a little more than a search needs to load it. Chosen on the tuning halves
 * of what people ask (mcp61's `chat`, livemcp's tasks), one tool at most: a right tool on the first call in 44% and 44% of turns, for
 * 20 and 65 tokens a turn that are loaded for nothing (the other halves: 60% and 52%, 28 and 18). If uncertain tools that may change
 * something were loaded, too, these would be 56% and 52% of turns (80% and 52%). The search that a hit saves costs some 2,000 tokens
 * (`bench/figures/prefetch.ts`).
 */
export const prefetchMargin = 0.6;

/** Characters of a message that are searched for names; names further back are part of something pasted. */
const readForNames = 4000;

/** Tools to load before the model is asked. */
export interface Prefetch {
	/** `reference`: the user named them. `prefetch`: the words of the message match them. */
	readonly reason: 'reference' | 'prefetch';
	/** Deferred tools, best first. */
	readonly tools: readonly CatalogTool[];
	/** The words that matched, shortened. */
	readonly words?: string;
}

export interface PrefetchedTurn {
	/** Nothing has been sent in this chat yet. */
	readonly isFirst: boolean;
	readonly loading: Loading;
}

export const noPrefetch: Prefetch = { reason: 'prefetch', tools: [] };

/**
 * What a message of the user is to load. Names go before words: who names a tool has said what is needed. Words count in the first
 * turn only: a tool that is loaded later breaks the provider's cache at the tools, for all that was said since, and two in five would do
 * so for nothing. A name is no guess, and with `append` the search for it would break the cache just the same; other ways of loading do not
 * touch the tools after the first turn at all.
 */
export async function prefetch(
	surface: ToolSurface,
	message: string,
	{ isFirst, loading }: PrefetchedTurn,
): Promise<Prefetch> {
	const { enabled, prefetch: limit, maxSearchResults } = surface.policy;
	if (!enabled || limit === 0 || surface.deferred.length === 0) return noPrefetch;
	if (!isFirst && loading !== 'append') return noPrefetch;
	const namedTools = namedIn(message, surface);
	if (namedTools.length > 0) {
		const tools = namedTools.filter((tool) => !surface.loaded.includes(tool)).slice(0, maxSearchResults);
		return { reason: 'reference', tools };
	}
	if (!isFirst) return noPrefetch;
	const tools = await toolsForWords(surface, message, limit);
	return { reason: 'prefetch', tools, words: oneLine(message, wordsLimit) };
}

/** Tools whose full name, `server:tool` or wire name, is a word of the message, in its order. Names shared by two tools are skipped. */
function namedIn(message: string, surface: ToolSurface): CatalogTool[] {
	const words = new Set(
		message
			.slice(0, readForNames)
			.split(/[\s,;"'`()[\]<>]+/)
			.map((word) => word.replace(/^[#@*]+|[.:!?*]+$/g, '')),
	);
	const byWord = new Map<string, CatalogTool[]>();
	for (const tool of surface.tools) {
		for (const name of [tool.id, tool.wireName]) {
			if (words.has(name)) byWord.set(name, [...(byWord.get(name) ?? []), tool]);
		}
	}
	const unambiguousTools = [...words].flatMap((word) => {
		const tools = byWord.get(word) ?? [];
		return tools.length === 1 ? tools : [];
	});
	return [...new Set(unambiguousTools)];
}

/** The best tools for the words of a message, if they are likely and no risk. A ranking without evidence returns none. */
async function toolsForWords(surface: ToolSurface, message: string, limit: number): Promise<CatalogTool[]> {
	const isClear = (hit: Hit) => (hit.relevance ?? 0) > prefetchMargin && !isRisky(hit);
	const { hits } = await surface.find(withoutMarks(message), { limit });
	return hits
		.filter(isClear)
		.map(({ tool }) => tool)
		.filter((tool) => !surface.loaded.includes(tool));
}

/** People do not know that `+word` marks a required word. */
function withoutMarks(message: string): string {
	return message.replaceAll('+', ' ');
}
