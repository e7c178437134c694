import { oneLine } from '../../common/text.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { Loading } from '../catalog/policy.ts';
import type { SearchMiss } from '../catalog/searchMiss.ts';
import type { SyntheticResult } from '../catalog/syntheticTool.ts';
import { errorResult, textResult, toolId } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { parseRequest } from '../search/searchRequest.ts';
import {
	findTools,
	isMiss,
	type LoadedFindings,
	type OutcomeHit,
	type SearchFault,
	type SearchFindings,
	type SearchOutcome,
} from '../tools/findTools.ts';
import { searchResultText } from '../tools/resultText.ts';
import type { worthLoading } from '../tools/worthLoading.ts';
import { activationsByUse, wordsLimit } from './activations.ts';
import { bring, type DiscoveringChat, load } from './loadedTools.ts';
import { type ActivationReason, type LogEntry, namedTools, shortened } from './logEntry.ts';
import { type ChatState, isLoaded, knowsTool, loadingOf } from './nextHead.ts';

/** The reason for loading what a search found. */
const searchReasons: Record<SearchFindings['kind'], ActivationReason> = {
	keyword: 'search',
	select: 'name',
	server: 'server',
};

/** Most tools of each kind that count as in use. */
const mostInUse = 3;

/** The tools called or loaded last, by `server:tool`: what usually follows them may be next. */
function toolsInUse({ log, surface }: DiscoveringChat): readonly string[] {
	const since = log.entries.findLastIndex(({ kind }) => kind === 'reset') + 1;
	const called = log.entries
		.slice(since)
		.flatMap((entry) => (entry.kind === 'call' ? [toolId({ server: entry.server, name: entry.tool })] : []));
	const loaded = activationsByUse(log.seen.active, surface)
		.slice(0, mostInUse)
		.map(({ tool }) => tool.id);
	return [...new Set([...called.slice(-mostInUse), ...loaded])];
}

/**
 * Searches for what a model or a person asked for. Searches once more if nothing likely was found and servers have listed their tools since. The
 * tools are those of the chat's surface after the search, which may have changed.
 */
export async function searchIn(
	chat: DiscoveringChat,
	input: Readonly<Record<string, unknown>>,
	miss: SearchMiss | undefined,
): Promise<SearchFindings | SearchFault> {
	const parsed = parseRequest(input);
	if (!parsed.ok) return { ...parsed, query: '' };
	const searchOnce = async () => {
		const { surface } = chat;
		const earlier = [...chat.log.seen.tools.keys()];
		const found = await findTools(surface, parsed.request, { earlier, after: toolsInUse(chat) });
		return chat.surface === surface || !found.ok ? found : asNow(found, chat.surface);
	};
	const found = await searchOnce();
	if (!miss || !isMiss(found)) return found;
	const { surface } = chat;
	await miss.settle();
	const again = chat.surface === surface ? found : await searchOnce();
	const unsearched = isMiss(again) ? miss.unsearched() : undefined;
	return unsearched ? { ...again, unsearched } : again;
}

/** The findings among the tools of a later surface. */
function asNow(found: SearchFindings, surface: ToolSurface): SearchFindings {
	const [hits, further] = [found.hits, found.further].map((list) =>
		list.flatMap((hit) => {
			const tool = surface.get(hit.tool.wireName);
			return tool ? [{ ...hit, tool }] : [];
		}),
	);
	return { ...found, hits: hits ?? [], further: further ?? [] };
}

/** Runs `search_tools` for a model: finds deferred tools and loads them in one step. */
export async function search(
	chat: DiscoveringChat,
	input: Readonly<Record<string, unknown>>,
	miss: SearchMiss | undefined,
): Promise<SyntheticResult> {
	// Before the search, so that nothing happens between what it finds and what is loaded.
	const { worthLoading } = await import('../tools/worthLoading.ts');
	const { log } = chat;
	const found = await searchIn(chat, input, miss);
	log.append({
		kind: 'search',
		words: shortened(found.query),
		found: namedTools(found.ok ? found.hits.map(({ tool }) => tool.id) : []),
		...(!found.ok && { fault: shortened(found.message) }),
	});
	const outcome = found.ok ? loadFound(chat, found, worthLoading) : found;
	const text = searchText(outcome, loadingOf(chat.state), log.entries);
	const brings = outcome.ok ? bring(chat, toBring(outcome.hits, chat.state)) : [];
	// Unknown names are the caller's mistake; words without matches are a valid answer.
	const failed = !found.ok || (found.kind === 'select' && found.hits.length === 0);
	const result = failed ? errorResult(text) : textResult(text);
	return { result, search: outcome, ...(brings.length > 0 && { brings }) };
}

/**
 * Loads the findings that are worth it; the rest are only named. Tools that the model already has cost nothing. An evicted tool that is found again is
 * loaded again, but a model that still has its definition already knows it.
 */
function loadFound(chat: DiscoveringChat, found: SearchFindings, part: typeof worthLoading): LoadedFindings {
	const before = chat.state;
	const { worth, held, named } = part(found, (tool) => isLoaded(before, tool));
	const judged = worth.map((hit) => ({
		...hit,
		refusal: before.turn?.refusalOf?.(toolDefinition(hit.tool)),
	}));
	const sendable = judged.flatMap(({ tool, refusal }) => (refusal === undefined ? [tool] : []));
	const { added, refused } = load(chat, sendable, searchReasons[found.kind], {
		...(found.kind === 'keyword' && { words: oneLine(found.query, wordsLimit) }),
		inResult: loadingOf(before) !== 'append',
	});
	const { state } = chat;
	const stateOf = ({ tool: { wireName }, refusal }: (typeof judged)[number]): OutcomeHit['state'] => {
		if (refusal !== undefined) return 'unsendable';
		if (refused.includes(wireName)) return 'refused';
		return added.includes(wireName) && !knowsTool(state, wireName) ? 'loaded' : 'already-loaded';
	};
	return {
		...found,
		hits: judged.map((hit) => ({ ...hit, state: stateOf(hit) })),
		further: [...held, ...named, ...found.further].filter(({ tool }) => !isLoaded(state, tool)),
		more: found.more + named.length,
		searched: chat.surface.deferred.length,
		held: held.length,
	};
}

/** Tools whose definitions the result brings. With `call` every schema is repeated, because the earlier result may be trimmed. */
function toBring(hits: readonly OutcomeHit[], chat: ChatState): readonly CatalogTool[] {
	const loading = loadingOf(chat);
	if (loading === 'append') return [];
	const isBrought = ({ state, tool }: OutcomeHit) =>
		state === 'loaded' ||
		(loading === 'call' && state === 'already-loaded' && chat.seen.active.tools.has(tool.wireName));
	return hits.filter(isBrought).map(({ tool }) => tool);
}

/** After this many searches without a call in between, a model that finds nothing new is told so. */
const longRow = 3;

/** What ends a row: a called tool, or a message of the user. */
const endsRow: ReadonlySet<LogEntry['kind']> = new Set(['turn', 'use', 'call', 'reset']);

/**
 * The text that a model gets for the last search in `entries`. Models have searched for one thing hundreds of times, so a model that keeps
 * searching without calling a tool, and finds nothing that its earlier searches had not found, is told to stop.
 */
function searchText(outcome: SearchOutcome, loading: Loading, entries: readonly LogEntry[]): string {
	const text = searchResultText(outcome, loading);
	const row = entries
		.slice(entries.findLastIndex(({ kind }) => endsRow.has(kind)) + 1)
		.flatMap((entry) => (entry.kind === 'search' && entry.fault === undefined ? [entry] : []));
	const last = row.pop();
	const isNew = !outcome.ok || outcome.hits.some(({ state }) => state === 'loaded');
	if (!last || row.length + 1 < longRow || isNew) return text;
	const earlier = new Set(row.flatMap(({ found }) => found.names));
	// The loop itself ends a turn in which the same search is made again and again.
	const isSame = row.some(({ words }) => words === last.words);
	if (isSame || last.found.names.some((name) => !earlier.has(name))) return text;
	return `${text}\n\nSeveral searches in a row found nothing new. Call one of the tools that you have, or go on without a tool.`;
}
