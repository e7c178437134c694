import * as l10n from '@vscode/l10n';
import { abortable, JoinedSignal } from '../common/cancellation.ts';
import type { AnswerPart, ChatMessage, ToolCall } from '../discovery/catalog/message.ts';
import type { DiscoveryPolicy, Loading } from '../discovery/catalog/policy.ts';
import {
	type SyntheticResult,
	type SyntheticTool,
	searchToolsName,
} from '../discovery/catalog/syntheticTool.ts';
import { errorResult, type ToolDefinition, type ToolResult } from '../discovery/catalog/tool.ts';
import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { shortened } from '../discovery/session/logEntry.ts';
import { noPrefetch, prefetch } from '../discovery/session/prefetch.ts';
import { hitsByWords } from '../discovery/tools/findTools.ts';
import { answerText, callsOf, plainAnswer, repeatableParts } from '../models/answerParts.ts';
import type { ChatModel, ChatModelEvent, ChatRequest, FoundTool } from '../models/chatModel.ts';
import { ModelError } from '../models/modelError.ts';
import { trimHarder, trimResults, withOnePlaceholder } from './contextTrim.ts';
import { wholeNumber } from './counts.ts';
import { changedNotice, type LoopEnd, type LoopEvent, type NothingToSee, prematureEnd } from './loopEvent.ts';
import type { CallAnswer, LoopOptions } from './loopOptions.ts';
import { maxCalls, Repetition, resultsOverLimit, validCalls } from './modelCalls.ts';
import { failedResult, fittedResult, runCall, unlessEnded } from './runCall.ts';
import { EventQueue } from './streams.ts';

/** Default limit for the calls of a model in one turn. */
export const maxRounds = 25;

/**
 * The tool loop: calls the model, runs the tools it asks for, and repeats until it asks for none. Each call of the model
 * gets the tools that are loaded by then. Always ends with an `end` event, and never throws.
 */
export async function* runToolLoop(options: LoopOptions): AsyncGenerator<LoopEvent> {
	const { session, model, message, hosted = [] } = options;
	let end: LoopEnd;
	try {
		const loading = loadingWay(session.surface.policy.loading, model);
		const definitions = hosted.map(({ definition }) => definition);
		const { id, maxTools, isByRules } = model;
		// With `call`, definitions are sent as text, and no schema.
		const refusalOf = loading === 'call' ? undefined : (tool: ToolDefinition) => model.refusalOf?.(tool);
		const turn = {
			model: id,
			loading,
			maxTools,
			hosted: definitions,
			...(isByRules && { isByRules }),
			...(refusalOf && { refusalOf }),
		};
		session.beginTurn(turn, message);
		yield* loadAhead(session, message.text, options.signal);
		end = yield* rounds(options);
	} catch (error) {
		end = options.signal.aborted ? { reason: 'cancelled' } : { reason: 'failed', error };
	}
	const fault = prematureEnd(end);
	if (fault !== undefined) session.log.append({ kind: 'failure', message: shortened(fault) });
	yield { type: 'end', ...end };
}

async function* rounds(options: LoopOptions): AsyncGenerator<LoopEvent, LoopEnd> {
	const { session, model, signal, maxRounds: limit = maxRounds } = options;
	const repetition = new Repetition();
	let wasAskedAgain = false;
	let found: readonly FoundTool[] | undefined;
	const onFound = (hits: readonly FoundTool[]) => {
		found = hits;
	};
	for (let round = 0; round < limit; round++) {
		if (signal.aborted) return { reason: 'cancelled' };
		const next = session.nextRequest();
		const { paragraph, tools, searchTool, evicted, changed } = next;
		if (evicted.length > 0) yield { type: 'evicted', names: evicted };
		if (changed.length > 0) yield { type: 'notice', text: changedNotice(changed) };
		if (model.maxTools !== undefined && tools.length > model.maxTools) {
			const discovers = session.surface.policy.enabled;
			return { reason: 'tooManyTools', tools: tools.length, limit: model.maxTools, discovers };
		}
		const system = [options.system, paragraph].filter(Boolean).join('\n\n');
		const { conversation } = session.log;
		// A function: trimming changes the messages, and the next call reads them again.
		const hits = found;
		const request = () => ({
			system,
			conversation,
			tools,
			messages: withOnePlaceholder(next.messages),
			...(searchTool !== undefined && { searchTool }),
			...(hits && { found: hits }),
		});
		const { answer = [], fault } = yield* ask(request, options);
		if (fault && wasAskedAgain) throw fault;
		const why = fault ? (fault.reason === 'paused' ? 'paused' : 'malformedCall') : nothingToSee(answer);
		if (why) {
			yield { type: 'nothingToSee', why, goesOn: !wasAskedAgain };
			if (wasAskedAgain) return { reason: 'answered' };
			wasAskedAgain = true;
			appendMessage(session, { role: 'user', text: '', news: askAgain(why, fault?.providerText) });
			continue;
		}
		const calls = callsOf(answer);
		if (calls.length === 0) return { reason: 'answered' };
		const toolCalls = validCalls(calls);
		const results = yield* runCalls(toolCalls, answer, options, onFound);
		signal.throwIfAborted();
		const repeated = repetition.after(toolCalls, results);
		if (repeated) return { reason: 'repeating', call: repeated, name: session.knownAs(repeated.name) };
	}
	return { reason: 'roundLimit', rounds: limit };
}

/** Asks the model again after an answer with nothing to see, which no provider accepts in a later request. */
function askAgain(why: NothingToSee, providerWords = ''): string {
	switch (why) {
		case 'onlyThoughts':
			return 'Your last answer contained only thoughts, which the user does not see. Answer the user now, or call a tool.';
		case 'empty':
			return 'Your last answer was empty. Answer the user now, or call a tool.';
		case 'paused':
			return 'Your last answer was paused in the middle. Go on where it ended.';
		case 'malformedCall':
			return `Your last call could not be read${providerWords && `: ${providerWords}`}. Make the call again, with arguments as one JSON object that fits the tool's schema, or answer in words.`;
	}
}

/** Whether an answer has neither text nor calls, and whether it has thoughts, readable or not. */
function nothingToSee(parts: readonly AnswerPart[]): NothingToSee | undefined {
	if (callsOf(parts).length > 0 || answerText(parts).trim() !== '') return undefined;
	return parts.some(({ type }) => type === 'thinking') ? 'onlyThoughts' : 'empty';
}

/**
 * One answer of the model, or why it has to be asked again: its provider could not read a call, or paused it. The conversation is trimmed if it is about
 * to outgrow the model, and once more if the provider finds it too long.
 */
async function* ask(
	request: () => ChatRequest,
	options: LoopOptions,
): AsyncGenerator<LoopEvent, { readonly answer?: readonly AnswerPart[]; readonly fault?: ModelError }> {
	const { session, model, signal } = options;
	/** What the user has read of the answer. */
	let streamed = '';
	let parts: readonly AnswerPart[] | undefined;
	let sentRequest = request();
	const trimmed = trimResults(session.log, sentRequest, model.maxInputTokens);
	if (trimmed > 0) {
		yield { type: 'trimmed', results: trimmed };
		sentRequest = request();
	}
	const loopEnd = new AbortController();
	const joinedSignal = new JoinedSignal(signal, loopEnd.signal);
	try {
		for (let isTrimmed = false; !parts; isTrimmed = true) {
			try {
				const queue = new EventQueue<ChatModelEvent>();
				const answering = abortable(model.answer(sentRequest, joinedSignal.signal, queue.push), signal);
				for await (const event of queue.drainUntil(answering)) {
					signal.throwIfAborted();
					if (event.type === 'text') streamed += event.text;
					const loopEvent = loopEventOf(event, options);
					if (loopEvent) yield loopEvent;
				}
				parts = await answering;
			} catch (error) {
				if (!(error instanceof ModelError)) throw error;
				if (error.reason === 'malformedCall' || error.reason === 'paused') return { fault: error };
				const isTooLong = error.reason === 'contextTooLong';
				// The provider may just have mentioned the model's limit.
				const results =
					isTooLong && streamed === '' && !isTrimmed
						? trimHarder(session.log, sentRequest) + trimResults(session.log, request(), model.maxInputTokens)
						: 0;
				if (results === 0) throw error;
				yield { type: 'trimmed', results };
				sentRequest = request();
			}
		}
	} finally {
		// Ends the request if the reader of this generator stops early.
		if (!parts) loopEnd.abort();
		joinedSignal.dispose();
		// The user has read the text, so it stays in the conversation even if the answer was cut off. An answer with calls is added with their results.
		const textSoFar = parts ? answerText(parts) : streamed;
		if (textSoFar.trim() && !(parts && callsOf(parts).length > 0))
			appendMessage(
				session,
				parts ? { role: 'assistant', parts: repeatableParts(parts) } : plainAnswer(textSoFar),
			);
	}
	return { answer: parts };
}

/** The loop's event for an event of the model, whose usage it records. */
function loopEventOf(event: ChatModelEvent, { session, model }: LoopOptions): LoopEvent | undefined {
	if (event.type === 'usage') session.measured(event.usage, model.price);
	if (event.type !== 'offer') return event;
	const tool = session.surface.get(event.name);
	return tool && { type: 'offer', tool, input: event.input };
}

/** How many unknown tools of one answer get suggestions of similar names: for a thousand that would take a second. */
const explainedCalls = 20;

/**
 * Runs the calls of one answer and adds both to the messages. Synthetic tools come first, so that a call in the same batch as the
 * search that loads its tool works whatever the order; all others then run side by side. Every call has a result, in the order of
 * the calls, even if the user stops in the middle: what has been done must not be done again.
 */
async function* runCalls(
	toolCalls: readonly ToolCall[],
	answer: readonly AnswerPart[],
	options: LoopOptions,
	onFound: (hits: readonly FoundTool[]) => void,
): AsyncGenerator<LoopEvent, ToolResult[]> {
	const { session, signal, reads } = options;
	const results = resultsOverLimit(toolCalls);
	const stopped: CallAnswer = { result: errorResult('Error: The user stopped this before it finished.') };
	try {
		if (results.size > 0) yield { type: 'notice', text: manyCalls(toolCalls.length) };
		const valid = toolCalls.filter((call) => call.fault === undefined && !results.has(call));
		const lookUp = (calls: readonly ToolCall[]) => {
			const targets = calls.map((call, i) => session.resolve(call.name, call.input, i < explainedCalls));
			// Marked before any of them runs, so that a search in the same answer does not evict what the answer calls.
			for (const target of targets) session.called(target);
			return new Map(calls.map((call, i) => [call, targets[i]]));
		};
		let targets = lookUp(valid);
		for (const [call, target] of targets) {
			if (target?.kind !== 'synthetic') continue;
			const { result, brings, search } = yield* runSynthetic(call, target.tool, options);
			const hits = search && hitsByWords(search);
			if (hits) onFound(hits);
			results.set(call, { result, ...(brings && { loaded: brings }) });
		}
		signal.throwIfAborted();
		const unanswered = valid.filter((call) => !results.has(call));
		// A search in this answer may just have loaded what they call.
		if (unanswered.length < valid.length) targets = lookUp(unanswered);
		const queue = new EventQueue<LoopEvent>();
		const running = toolCalls
			.filter((call) => !results.has(call))
			.map(async (call) => {
				results.set(call, await runCall(call, targets.get(call), options, queue.push));
			});
		// Each ends soon after a stop. Calls that finished by then keep their results, whichever call reports the stop first.
		yield* queue.drainUntil(Promise.allSettled(running));
		await Promise.all(running);
		return toolCalls.map((call) => results.get(call)?.result ?? stopped.result);
	} finally {
		appendMessage(session, { role: 'assistant', parts: repeatableParts(withCalls(answer, toolCalls)) });
		const all = toolCalls.map((call) => ({ callId: call.id, ...(results.get(call) ?? stopped) }));
		appendMessage(session, { role: 'tool', results: all });
		for (const { result, from } of all) if (from) reads?.texts.addResult(reads.chat, from, result);
	}
}

function manyCalls(calls: number): string {
	return l10n.t(
		'The model made {0} calls at once. Only the first {1} run, and the model was told so.',
		wholeNumber(calls),
		maxCalls,
	);
}

/** The parts of an answer with its calls replaced, in order. */
function withCalls(answer: readonly AnswerPart[], calls: readonly ToolCall[]): AnswerPart[] {
	const remainingCalls = calls.values();
	return answer.map((part) => {
		return part.type === 'toolCall' ? { ...part, call: remainingCalls.next().value ?? part.call } : part;
	});
}

async function* runSynthetic(
	call: ToolCall,
	tool: SyntheticTool,
	options: LoopOptions,
): AsyncGenerator<LoopEvent, SyntheticResult> {
	const { session, signal, fitResult } = options;
	const run = async () => tool.execute(call.input, options.miss);
	if (tool.name !== searchToolsName) {
		yield { type: 'looking', call };
		const outcome = await run().catch(failedSearch);
		if (outcome.result.isError) yield { type: 'toolFinished', call, result: outcome.result };
		if (!fitResult || outcome.listing === undefined) return outcome;
		return { ...outcome, result: await fittedResult(outcome.result, options, { listing: outcome.listing }) };
	}
	yield { type: 'searchStarted', call, searched: session.surface.deferred.length };
	const outcome = await unlessEnded(run().catch(failedSearch), signal);
	const { search } = outcome;
	if (search) yield { type: 'searchFinished', call, outcome: search };
	if (!search?.ok) return outcome;
	const tools = search.hits.filter(({ state }) => state === 'loaded').map((hit) => hit.tool);
	if (tools.length > 0) yield { type: 'activated', tools };
	return outcome;
}

function appendMessage({ log }: DiscoverySession, message: ChatMessage): void {
	log.append({ kind: 'message', message });
}

function failedSearch(error: unknown): SyntheticResult {
	return { result: failedResult(error) };
}

/** Longest wait for the index, in milliseconds. After that the turn starts without loading ahead. */
const patienceMs = 1_000;

/**
 * At the beginning of a turn, loads tools that the user's message names or clearly asks for. A failed search does not matter: the model can
 * search. Throws only the reason of `signal`.
 */
async function* loadAhead(
	session: DiscoverySession,
	message: string,
	signal: AbortSignal,
): AsyncGenerator<LoopEvent> {
	const turn = { isFirst: session.log.messages.length === 1, loading: session.loading };
	const prefetching = prefetch(session.surface, message, turn).catch(() => noPrefetch);
	const { reason, tools, words } = await abortable(Promise.race([prefetching, impatience()]), signal);
	if (tools.length === 0) return;
	// The catalog may have changed while the index was built.
	const present = tools
		.map(({ wireName }) => session.surface.get(wireName))
		.filter((tool) => tool !== undefined);
	const loaded = session.load(present, reason, words);
	if (loaded.length > 0) yield { type: 'prefetched', reason, tools: loaded };
}

function impatience(): Promise<typeof noPrefetch> {
	return new Promise((resolve) => setTimeout(resolve, patienceMs, noPrefetch).unref());
}

/** How loaded tools reach a model: the user's setting if the model supports it, else the model's best way. */
export function loadingWay(
	setting: DiscoveryPolicy['loading'],
	{ loadings }: Pick<ChatModel, 'loadings'>,
): Loading {
	return loadings.find((way) => way === setting) ?? loadings[0];
}
