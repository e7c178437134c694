import { searchToolsName } from '../../discovery/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { resultText } from '../../discovery/toolResult.ts';
import type { ChatMessage } from '../chatModel.ts';
import { didYouMean, noMatchText, notFoundText, noVerbText } from './advice.ts';
import {
	type Candidate,
	type Choice,
	candidateOf,
	choiceOf,
	foundIn,
	isSpokenOf,
	isSupported,
	nameWords,
	nearestIn,
	type Rank,
} from './candidate.ts';
import { choose } from './choose.ts';
import type { Decision } from './decision.ts';
import { maxCompared, maxConsidered } from './limits.ts';
import { fillingOf, type PlannedStep } from './plannedTurn.ts';
import { readPrompt } from './prompt.ts';
import { askFor } from './question.ts';
import { type Request, readRequest } from './request.ts';
import { historyQuery, type SearchArguments, searchArguments, widerQuery } from './searchQuery.ts';
import { suitability } from './suitability.ts';
import { toolListText, toolsAskedFor } from './toolQuestion.ts';
import { isQualified, namesIn, toolByName } from './toolReference.ts';
import type { Exchange } from './turn.ts';
import { toolVerb } from './verb.ts';
import { actionVerbs, contentWords, singular, wordsOf } from './words.ts';

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
	const tools = toolsAskedFor(step.request);
	const wanted = tools === undefined ? searchArguments(step.request) : { query: tools };
	const obvious = tools === undefined ? alwaysLoadedFor(step.request, wanted.query, offer) : undefined;
	if (searches.length === 0 && offer.hasSearch && named.length === 0 && obvious)
		return callOrAsk(obvious, state.number);
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
	// The newest search first; what one before it found stays possible.
	const before = searches.slice(0, -1).flatMap(({ result }) => foundIn(result, offer.tools));
	const candidates = withLoaded(withoutDoubles([...found, ...before]), wanted.query, offer);
	const isDone = searches.length > 1 || found.length > 0 || hasCompleteChoice(step.request, candidates);
	const wider = isDone ? undefined : widerQuery(tools ?? step.request, wanted.query);
	if (wider !== undefined) return search({ query: wider });
	const history = searches.length > 1 ? undefined : historyQuery(step.request, wanted.query);
	if (history !== undefined && tools === undefined && !hasCompleteChoice(step.request, candidates))
		return search({ query: history });
	const nearest = searches.map(({ result }) => nearestIn(result)).findLast((names) => names.length > 0);
	return answer(state, candidates, () => notFoundText(queries, failure, nearest));
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
	return answer(state, tools.map(candidateOf), () => notFoundText(queries, undefined));
}

function withoutDoubles(candidates: readonly Candidate[]): readonly Candidate[] {
	return [...new Map(candidates.map((candidate) => [candidate.tool.name, candidate])).values()];
}

/** The first few that do what is asked for; a long prompt is not read for more tools than needed. */
function suitableChoices(candidates: readonly Candidate[], request: Request): readonly Choice[] {
	const suitable: Choice[] = [];
	for (const candidate of candidates.slice(0, maxConsidered)) {
		const choice = choiceOf(candidate, request.text);
		if (suitability(choice, request) !== 'conflicts') suitable.push(choice);
		if (suitable.length === maxCompared) break;
	}
	return suitable;
}

function hasCompleteChoice(request: string, candidates: readonly Candidate[]): boolean {
	return suitableChoices(candidates, readRequest(request)).some(
		({ filling }) => filling.missing.length === 0,
	);
}

/** Lists what was found for a question for tools, else acts on it. */
function answer(state: StepState, candidates: readonly Candidate[], notFound: () => string): Decision {
	if (candidates.length === 0) return say(notFound());
	if (toolsAskedFor(state.step.request) === undefined) return act(state, candidates);
	return say(toolListText(candidates.slice(0, maxConsidered)));
}

function act({ step: { request }, number, searches }: StepState, candidates: readonly Candidate[]): Decision {
	const closest = candidates.slice(0, maxCompared);
	const asked = readRequest(request);
	const { verb } = asked;
	const choice = choose(suitableChoices(candidates, asked), asked);
	if (!choice) {
		const isStrict = verb?.class === 'delete' || verb?.class === 'append';
		// What changes something as well is nearer to it than what reads.
		const changing = candidates.filter(({ tool }) => toolVerb(tool) !== 'read');
		const nearest = isStrict ? [...changing, ...closest.filter((one) => !changing.includes(one))] : closest;
		return say(noVerbText(verb?.word, isStrict, nearest.slice(0, maxCompared)));
	}
	// What only the wider search found, it found by the user's values perhaps; then words have to speak for it.
	const isWide = searches.length > 1;
	if ((isWide ? isSpokenOf : isSupported)(choice, request)) return callOrAsk(choice, number);
	// The search knows hints of the user's that the planner does not see; so what it lacks may be asked for.
	const isAction = actionVerbs.has(verb?.word ?? '') && suitability(choice, asked) === 'fits';
	const isPossible = !isWide && choice.filling.missing.length > 0 && isAction;
	if (!isPossible) return say(noMatchText(request, closest));
	const { tool, readable, filling } = choice;
	const question = askFor({ wireName: tool.name, readable }, filling.missing, number);
	return say(`${didYouMean(request, readable)}\n\n${question}`);
}

/**
 * The always-loaded tool that needs no search: its name has every word of the request that is no value, and nothing is
 * lacking or left over.
 */
function alwaysLoadedFor(request: string, query: string, offer: Offer): Choice | undefined {
	const always = alwaysLoaded(offer).filter((tool) => {
		const names = nameWords(tool);
		return contentWords(query).some((word) => names.has(singular(word)));
	});
	const asked = readRequest(request);
	const choices = always.slice(0, maxConsidered).map((tool) => choiceOf(candidateOf(tool), request));
	return choices.find((choice) => {
		const { missing, unused, input, said } = choice.filling;
		const known = new Set([
			...nameWords(choice.tool),
			...Object.values(input)
				.flatMap((value) => wordsOf(String(value)))
				.map(singular),
		]);
		const words = contentWords(query).map(singular);
		const isComplete = missing.length === 0 && unused.length === 0 && said.size > 0;
		return isComplete && words.every((word) => known.has(word)) && suitability(choice, asked) !== 'conflicts';
	});
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
	const always = alwaysLoaded(offer);
	if (always.length === 0) return found;
	const [best] = offer.rank(query, [...found.map(({ tool }) => tool), ...always]);
	return best && always.includes(best) ? [candidateOf(best), ...found] : found;
}

function alwaysLoaded({ messages, tools }: Offer): readonly ToolDefinition[] {
	const listed = new Set(
		searchResults(messages).flatMap((result) => foundIn(result, tools).map(({ tool }) => tool)),
	);
	return tools.filter((tool) => !listed.has(tool));
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
