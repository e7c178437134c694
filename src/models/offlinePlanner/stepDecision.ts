import { searchToolsName } from '../../discovery/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { resultText } from '../../discovery/toolResult.ts';
import type { ChatMessage } from '../chatModel.ts';
import { noMatchText, notFoundText } from './advice.ts';
import {
	type Candidate,
	type Choice,
	candidateOf,
	choose,
	foundIn,
	isSpokenOf,
	isSupported,
	type Rank,
} from './candidate.ts';
import type { Decision } from './decision.ts';
import { maxCompared } from './limits.ts';
import { fillingOf, type PlannedStep } from './plannedTurn.ts';
import { readPrompt } from './prompt.ts';
import { askFor } from './question.ts';
import { type SearchArguments, searchArguments, widerQuery } from './searchQuery.ts';
import { isQualified, namesIn, toolByName } from './toolReference.ts';
import type { Exchange } from './turn.ts';

/** A step that has not called its tool yet. */
export interface StepState {
	readonly step: PlannedStep;
	/** From 1. */
	readonly number: number;
	/** What it has searched for so far. */
	readonly searches: readonly Exchange[];
}

/** What the step can work with. */
export interface Offer {
	/** Without the one that searches. */
	readonly tools: readonly ToolDefinition[];
	readonly hasSearch: boolean;
	readonly rank: Rank;
	readonly messages: readonly ChatMessage[];
}

/** Call the tool that is named; else search, once more if need be, and take the best of what was found. */
export function decideStep(state: StepState, offer: Offer): Decision {
	const { step, searches } = state;
	const named =
		step.wireName === undefined ? namesIn(step.request, readPrompt(step.request)) : [step.wireName];
	const known = named.map((name) => toolByName(name, offer.tools)).find((tool) => tool !== undefined);
	if (known) return callOrAsk({ ...candidateOf(known), filling: fillingOf(known, step) }, state.number);
	const wanted = searchArguments(step.request);
	if (!offer.hasSearch) return withoutSearch(state, wanted, named, offer);
	const last = searches.at(-1);
	if (!last)
		return search(
			step.wireName === undefined ? wanted : { query: wanted.query, tool_names: [step.wireName] },
		);
	const queries = searches.map(({ call }) => String(call.input.query ?? ''));
	const failure = last.result.isError ? resultText(last.result) : undefined;
	// Who names server and tool means no other one.
	if (named.some(isQualified)) return say(notFoundText(named, failure ?? resultText(last.result)));
	const found = foundIn(last.result, offer.tools);
	const wider = searches.length > 1 || found.length > 0 ? undefined : widerQuery(step.request, wanted.query);
	if (wider !== undefined) return search({ query: wider });
	return act(state, withLoaded(found, wanted.query, offer), () => notFoundText(queries, failure));
}

function withoutSearch(
	state: StepState,
	{ query }: SearchArguments,
	named: readonly string[],
	offer: Offer,
): Decision {
	if (named.some(isQualified)) return say(notFoundText(named, undefined));
	const ranked = offer.rank(query, offer.tools);
	const wider = ranked.length === 0 ? widerQuery(state.step.request, query) : undefined;
	const tools = wider === undefined ? ranked : offer.rank(wider, offer.tools);
	const queries = wider === undefined ? [query] : [query, wider];
	return act(state, tools.map(candidateOf), () => notFoundText(queries, undefined));
}

function act(
	{ step, number, searches }: StepState,
	candidates: readonly Candidate[],
	notFound: () => string,
): Decision {
	const choice = choose(candidates, step.request);
	if (!choice) return say(notFound());
	// What only the wider search found, it found by the user's values perhaps; then words have to speak for it.
	const isLikely = searches.length > 1 ? isSpokenOf : isSupported;
	if (!isLikely(choice, step.request))
		return say(noMatchText(step.request, candidates.slice(0, maxCompared)));
	return callOrAsk(choice, number);
}

function callOrAsk({ tool, readable, filling }: Choice, number: number): Decision {
	if (filling.missing.length === 0) return { kind: 'call', name: tool.name, input: filling.input };
	return say(askFor({ wireName: tool.name, readable }, filling.missing, number));
}

/**
 * Adds what is always loaded, for search looks at deferred tools only: the best of it goes first if it ranks above all
 * that was found. Tools that some search has listed are deferred ones that an earlier request loaded; they had their
 * chance in the search.
 */
function withLoaded(found: readonly Candidate[], query: string, offer: Offer): readonly Candidate[] {
	const listed = new Set(
		searchResults(offer.messages).flatMap((result) => foundIn(result, offer.tools).map(({ tool }) => tool)),
	);
	const always = offer.tools.filter((tool) => !listed.has(tool));
	if (always.length === 0) return found;
	const [best] = offer.rank(query, [...found.map(({ tool }) => tool), ...always]);
	return best && always.includes(best) ? [candidateOf(best), ...found] : found;
}

function searchResults(messages: readonly ChatMessage[]) {
	const ids = new Set(
		messages.flatMap((entry) =>
			entry.role === 'assistant'
				? entry.toolCalls.filter(({ name }) => name === searchToolsName).map(({ id }) => id)
				: [],
		),
	);
	const results = messages.flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
	return results.filter(({ callId }) => ids.has(callId)).map(({ result }) => result);
}

function search({ query, tool_names }: SearchArguments): Decision {
	return { kind: 'call', name: searchToolsName, input: { query, ...(tool_names && { tool_names }) } };
}

function say(text: string): Decision {
	return { kind: 'say', text };
}
