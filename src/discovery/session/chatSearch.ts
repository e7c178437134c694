import { oneLine } from '../../common/text.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { Loading } from '../catalog/policy.ts';
import type { SearchMiss } from '../catalog/searchMiss.ts';
import type { SyntheticResult } from '../catalog/syntheticTool.ts';
import { errorResult, textResult, toolId } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { parseRequest, parseSelect } from '../search/searchRequest.ts';
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
import { type DiscoveringChat, load, recordDefinitions } from './loadedTools.ts';
import { type ActivationReason, type LogEntry, shortened, shortToolList } from './logEntry.ts';
import { type ChatState, isLoaded, knowsTool, loadingOf } from './nextHead.ts';

/** The reason for loading what a search found. */
const searchReasons: Record<SearchFindings['kind'], ActivationReason> = {
	keyword: 'search',
	select: 'name',
	server: 'server',
};

/** Most tools of each kind that count as in use. */
const maxToolsInUse = 3;

/** The tools called or loaded last, by `server:tool`: what usually follows them may be next. */
function toolsInUse({ log, surface }: DiscoveringChat): readonly string[] {
	const since = log.entries.findLastIndex(({ kind }) => kind === 'reset') + 1;
	const called = log.entries
		.slice(since)
		.flatMap((entry) => (entry.kind === 'call' ? [toolId({ server: entry.server, name: entry.tool })] : []));
	const loaded = activationsByUse(log.state.active, surface)
		.slice(0, maxToolsInUse)
		.map(({ tool }) => tool.id);
	return [...new Set([...called.slice(-maxToolsInUse), ...loaded])];
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
		const earlier = [...chat.log.state.tools.keys()];
		const found = await findTools(surface, parsed.request, { earlier, after: toolsInUse(chat) });
		return chat.surface === surface || !found.ok ? found : inCurrentSurface(found, chat.surface);
	};
	const found = await searchOnce();
	if (!miss || !isMiss(found)) return found;
	const { surface } = chat;
	await miss.settle();
	const findings = chat.surface === surface ? found : await searchOnce();
	const unsearched = isMiss(findings) ? miss.unsearched() : undefined;
	return unsearched ? { ...findings, unsearched } : findings;
}

/** The findings among the tools of a later surface. */
function inCurrentSurface(found: SearchFindings, surface: ToolSurface): SearchFindings {
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
		found: shortToolList(found.ok ? found.hits.map(({ tool }) => tool.id) : []),
		...(found.ok &&
			found.further.length > 0 && { further: shortToolList(found.further.map(({ tool }) => tool.id)).names }),
		...(!found.ok && { fault: shortened(found.message) }),
	});
	const outcome = found.ok ? loadFound(chat, found, worthLoading) : found;
	const text = searchText(outcome, loadingOf(chat.state), log.entries);
	const brings = outcome.ok ? recordDefinitions(chat, toBring(outcome.hits, chat.state)) : [];
	// Unknown names are the caller's mistake; words without matches are a valid answer.
	const failed = !found.ok || (found.kind === 'select' && found.hits.length === 0);
	const result = failed ? errorResult(text) : textResult(text);
	return { result, search: outcome, ...(brings.length > 0 && { brings }) };
}

/**
 * Loads the findings that are worth it; the rest are only named. Tools that the model already has cost nothing. An evicted tool that is found again is
 * loaded again, but a model that still has its definition already knows it.
 */
function loadFound(
	chat: DiscoveringChat,
	found: SearchFindings,
	splitByWorth: typeof worthLoading,
): LoadedFindings {
	const stateBefore = chat.state;
	// Rules choose among all that was found, and ask for one by name.
	const isKnown = (tool: CatalogTool) => isLoaded(stateBefore, tool);
	const { worth, risky, named } =
		stateBefore.turn?.isByRules && found.kind === 'keyword'
			? {
					worth: found.hits.filter(({ tool }) => isKnown(tool)),
					risky: [],
					named: found.hits.filter(({ tool }) => !isKnown(tool)),
				}
			: splitByWorth(found, isKnown);
	const candidates = worth.map((hit) => ({
		...hit,
		refusal: stateBefore.turn?.refusalOf?.(toolDefinition(hit.tool)),
	}));
	const sendable = candidates.flatMap(({ tool, refusal }) => (refusal === undefined ? [tool] : []));
	const words = found.kind === 'keyword' ? found.query : earlierWords(chat, sendable);
	const { added, refused } = load(chat, sendable, searchReasons[found.kind], {
		...(words !== undefined && { words: oneLine(words, wordsLimit) }),
		inResult: loadingOf(stateBefore) !== 'append',
	});
	const { state } = chat;
	const stateOf = ({ tool: { wireName }, refusal }: (typeof candidates)[number]): OutcomeHit['state'] => {
		if (refusal !== undefined) return 'unsendable';
		if (refused.includes(wireName)) return 'refused';
		return added.includes(wireName) && !knowsTool(state, wireName) ? 'loaded' : 'already-loaded';
	};
	return {
		...found,
		hits: candidates.map((hit) => ({ ...hit, state: stateOf(hit) })),
		further: [...risky, ...named, ...found.further].filter(({ tool }) => !isLoaded(state, tool)),
		more: found.more + named.length,
		searched: chat.surface.deferred.length,
		riskyCount: risky.length,
	};
}

/** The words of the last search of this turn that named all of these tools, which the model now asks for by name. */
function earlierWords({ log }: DiscoveringChat, tools: readonly CatalogTool[]): string | undefined {
	const turn = log.entries.slice(log.entries.findLastIndex(({ kind }) => kind === 'turn') + 1, -1);
	return turn
		.flatMap((entry) => {
			if (entry.kind !== 'search' || tools.length === 0 || parseSelect(entry.words)) return [];
			const named = new Set([...entry.found.names, ...(entry.further ?? [])]);
			return tools.every(({ id }) => named.has(id)) ? [entry.words] : [];
		})
		.at(-1);
}

/** Tools whose definitions the result brings. With `call` every schema is repeated, because the earlier result may be trimmed. */
function toBring(hits: readonly OutcomeHit[], chat: ChatState): readonly CatalogTool[] {
	const loading = loadingOf(chat);
	if (loading === 'append') return [];
	const isBrought = ({ state, tool }: OutcomeHit) =>
		state === 'loaded' ||
		(loading === 'call' && state === 'already-loaded' && chat.logState.active.tools.has(tool.wireName));
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
