import { abortable } from '../discovery/cancellation.ts';
import type { CatalogTool } from '../discovery/catalog.ts';
import type { DiscoverySession } from '../discovery/discoverySession.ts';
import type { SyntheticResult } from '../discovery/syntheticTool.ts';
import { errorResult, type ToolResult } from '../discovery/toolResult.ts';
import type { ChatMessage, ChatModel, ToolCall, ToolCallResult } from '../models/chatModel.ts';
import { abortableStream } from './abortableStream.ts';
import { EventQueue } from './eventQueue.ts';
import type { LoopEnd, LoopEvent } from './loopEvent.ts';

/** Calls of a model in one turn, at most. */
export const maxRounds = 25;
/** So many calls of one tool with the same input end a turn. */
export const maxIdenticalCalls = 3;

/** Runs an MCP tool on its server. May throw: the message becomes the result. */
export type ToolRunner = (
	tool: CatalogTool,
	call: ToolCall,
	signal: AbortSignal,
	onProgress: (progress: string) => void,
) => Promise<ToolResult>;

/** One turn of a chat. */
export interface LoopOptions {
	readonly model: ChatModel;
	readonly session: DiscoverySession;
	readonly runTool: ToolRunner;
	readonly system: string;
	/** The conversation so far; ends with the user's message. */
	readonly messages: readonly ChatMessage[];
	readonly signal: AbortSignal;
}

/**
 * The tool loop: calls the model, runs the tools it asks for, and repeats until it asks for none. Each call of the model
 * gets the tools that are loaded by then. Always ends with an `end` event, and never throws.
 */
export async function* runToolLoop(options: LoopOptions): AsyncGenerator<LoopEvent> {
	let end: LoopEnd;
	try {
		options.session.beginTurn();
		end = yield* rounds(options);
	} catch (error) {
		end = options.signal.aborted ? { reason: 'cancelled' } : { reason: 'failed', error };
	}
	yield { type: 'end', ...end };
}

async function* rounds(options: LoopOptions): AsyncGenerator<LoopEvent, LoopEnd> {
	const { session, model } = options;
	const messages = [...options.messages];
	const made = new Map<string, number>();
	for (let round = 0; round < maxRounds; round++) {
		if (options.signal.aborted) return { reason: 'cancelled' };
		const tools = session.definitions;
		if (model.maxTools !== undefined && tools.length > model.maxTools) {
			const discovers = session.surface.policy.enabled;
			return { reason: 'tooManyTools', tools: tools.length, limit: model.maxTools, discovers };
		}
		const system = [options.system, session.systemParagraph].filter(Boolean).join('\n\n');
		const answer = yield* ask(model, { system, messages, tools }, options.signal);
		if (answer.toolCalls.length === 0) return { reason: 'answered' };
		const results = yield* runCalls(answer.toolCalls, options);
		messages.push(answer, { role: 'tool', results });
		const repeated = answer.toolCalls.find((call) => count(made, call) >= maxIdenticalCalls);
		if (repeated) return { reason: 'repeating', call: repeated };
	}
	return { reason: 'roundLimit', rounds: maxRounds };
}

/** One call of the model: passes its text on, gathers what it wants. */
async function* ask(
	model: ChatModel,
	request: Parameters<ChatModel['stream']>[0],
	signal: AbortSignal,
): AsyncGenerator<LoopEvent, ChatMessage & { role: 'assistant' }> {
	let text = '';
	const toolCalls: ToolCall[] = [];
	for await (const event of abortableStream(model.stream(request, signal), signal)) {
		switch (event.type) {
			case 'text':
				text += event.text;
				yield event;
				break;
			case 'toolCall':
				toolCalls.push(event.call);
				break;
			case 'usage':
				yield event;
				break;
		}
	}
	return { role: 'assistant', text, toolCalls };
}

/**
 * Runs the calls of one answer. Synthetic tools come first, so that a call in the same batch as the search that loads its
 * tool works whatever the order; MCP tools then run side by side. Results stand in the order of the calls.
 */
async function* runCalls(
	calls: readonly ToolCall[],
	{ session, runTool, signal }: LoopOptions,
): AsyncGenerator<LoopEvent, ToolCallResult[]> {
	const results = new Map<ToolCall, ToolResult>();
	// All are looked up before any runs: what this batch calls counts as used, so that its search does not evict it.
	const targets = calls.map((call) => ({ call, target: session.resolve(call.name) }));
	for (const { call, target } of targets) {
		if (target.kind !== 'synthetic') continue;
		yield { type: 'searchStarted', call, searched: session.surface.deferred.length };
		const outcome = await abortable(session.execute(target.tool, call.input).catch(failedSearch), signal);
		results.set(call, outcome.result);
		if (outcome.search) yield { type: 'searchFinished', call, outcome: outcome.search };
		const tools = outcome.newlyLoaded
			.map((name) => session.surface.get(name))
			.filter((tool) => tool !== undefined);
		if (tools.length > 0) yield { type: 'activated', tools };
		if (outcome.evicted.length > 0) {
			yield { type: 'evicted', names: outcome.evicted.map((name) => session.surface.get(name)?.id ?? name) };
		}
	}
	signal.throwIfAborted();
	const queue = new EventQueue<LoopEvent>();
	const running = calls
		.filter((call) => !results.has(call))
		.map(async (call) => {
			const result = await runCall(call, session, runTool, signal, queue.push);
			results.set(call, result);
		});
	yield* queue.drainUntil(Promise.all(running));
	return calls.map((call) => ({
		callId: call.id,
		result: results.get(call) ?? errorResult('Error: no result.'),
	}));
}

async function runCall(
	call: ToolCall,
	session: DiscoverySession,
	runTool: ToolRunner,
	signal: AbortSignal,
	emit: (event: LoopEvent) => void,
): Promise<ToolResult> {
	const target = session.resolve(call.name);
	if (target.kind !== 'tool') {
		const result = errorResult(
			target.kind === 'refused' ? target.message : `Error: '${call.name}' was answered.`,
		);
		emit({ type: 'toolFinished', call, result });
		return result;
	}
	const { tool } = target;
	emit({ type: 'toolStarted', call, tool });
	// Called inside an async function, so that what it throws at once is a result as well.
	const onProgress = (progress: string) => emit({ type: 'toolProgress', call, tool, progress });
	const run = (async () => runTool(tool, call, signal, onProgress))();
	const result = await abortable(run.catch(failedResult), signal);
	emit({ type: 'toolFinished', call, tool, result });
	return result;
}

function failedResult(error: unknown): ToolResult {
	return errorResult(`Error: ${error instanceof Error ? error.message : String(error)}`);
}

function failedSearch(error: unknown): SyntheticResult {
	return { result: failedResult(error), newlyLoaded: [], evicted: [] };
}

/** How often this very call has been made now. */
function count(made: Map<string, number>, call: ToolCall): number {
	const key = JSON.stringify([call.name, call.input]);
	const times = (made.get(key) ?? 0) + 1;
	made.set(key, times);
	return times;
}
