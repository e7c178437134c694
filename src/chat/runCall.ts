import { abortable } from '../common/cancellation.ts';
import { cut } from '../common/text.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import {
	errorResult,
	type ResultContent,
	type ToolResult,
	type ToolResultFormat,
	withText,
} from '../discovery/catalog/tool.ts';
import type { CallTarget } from '../discovery/session/callTarget.ts';
import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { schemaText } from '../discovery/tools/toolText.ts';
import type { ToolCall, ToolCallResult } from '../models/chatModel.ts';
import { changedToolEvents, evictionEvents, type LoopEvent } from './loopEvent.ts';
import type { LoopOptions } from './loopOptions.ts';
import { misfitMessage, readableResult } from './toolAnswer.ts';

/** What the model is told of one call. */
export type CallAnswer = Omit<ToolCallResult, 'callId'>;

/**
 * One call as far as it goes: of a tool that the turn hosts, or of a server's. `explains`: see {@link DiscoverySession.resolve}. Throws only
 * where it is stopped.
 */
export async function runCall(
	call: ToolCall,
	turn: LoopOptions,
	emit: (event: LoopEvent) => void,
	explains = true,
): Promise<CallAnswer> {
	const { session, signal, resultFormat, hosted = [] } = turn;
	const target = session.resolve(call.name, call.input, explains);
	const tool = hosted.find(({ definition }) => definition.name === call.name);
	if (call.fault !== undefined || target.kind !== 'hosted' || !tool)
		return runServerCall(call, target, turn, emit);
	const result = await tool.run(call, turn, emit).catch((error: unknown) => {
		signal.throwIfAborted();
		return failedResult(error);
	});
	return { result: session.withChanges(formatResult(result, call, resultFormat)) };
}

/** One call of a server's tool as far as it goes: looked up, checked, loaded where nobody had, run. Throws only where it is stopped. */
async function runServerCall(
	call: ToolCall,
	target: CallTarget,
	turn: LoopOptions,
	emit: (event: LoopEvent) => void,
): Promise<CallAnswer> {
	const { session, runTool, checkArguments, resultFormat, signal, flow, now = steadyMs } = turn;
	if (call.fault !== undefined || target.kind !== 'tool') {
		const result = errorResult(call.fault === undefined ? refusal(target, call) : `Error: ${call.fault}`);
		emit({ type: 'toolFinished', call, result });
		return { result };
	}
	const { tool, input } = target;
	const faults = target.unchecked
		? await abortable(checkArguments(tool.inputSchema, input, tool.server).catch(uncheckable), signal)
		: [];
	if (faults.length > 0) {
		const result = errorResult(`Error: ${misfitMessage(tool.wireName, tool, faults)}`);
		emit({ type: 'toolFinished', call, tool, result });
		return { result };
	}
	const tell = target.undiscovered ? discover(tool, session, emit) : untold;
	const made = { id: call.id, name: tool.wireName, input };
	emit({ type: 'toolStarted', call: made, tool });
	let begun = now();
	// Called inside an async function, so that what it throws at once is a result as well.
	const onProgress = (progress: string) => emit({ type: 'toolProgress', call: made, tool, progress });
	const onBegun = () => {
		begun = now();
	};
	const flows = flow?.into(tool.server, input) ?? [];
	signal.throwIfAborted();
	const run = (async () => runTool(tool, made, signal, onProgress, onBegun, flows))();
	const result = readableResult(
		await unlessEnded(run.catch(failedResult), signal, ({ isError }) => !isError),
	);
	// What we say ourselves is of no server.
	if (!result.declined) flow?.keep(tool.server, result);
	// What the user did not let be made is no call of the tool's, and no failure.
	if (!result.declined) session.journal.call(tool, { ms: now() - begun, failed: result.isError });
	emit({ type: 'toolFinished', call: made, tool, result });
	for (const event of changedToolEvents(session)) emit(event);
	const told = await fittedResult(result, turn);
	return tell(session.withChanges(formatResult(told, made, resultFormat)));
}

/**
 * What the model gets of a result. While discovery is off it gets all of it: there is no tool then to read on with. What has run is told
 * of, also where the rest of a large result cannot be kept, or the user does not wait for that. `listing`: see {@link LoopOptions.fitResult}.
 */
export async function fittedResult(
	result: ToolResult,
	{ session, fitResult, signal }: LoopOptions,
	listing?: string,
): Promise<ToolResult> {
	if (!fitResult || !session.surface.policy.enabled) return result;
	const kept = (async () => fitResult(result, listing))();
	return unlessEnded(kept, signal).catch(() => shortened(result));
}

/** Characters of a text whose rest is not kept. */
const charactersWithoutRest = 4_000;

function shortened(result: ToolResult): ToolResult {
	const content = result.content.map((part) => {
		if (part.type !== 'text' || part.text.length <= charactersWithoutRest) return part;
		return {
			...part,
			text: `${cut(part.text, charactersWithoutRest)}\n[The rest of this result was not kept.]`,
		};
	});
	return { ...result, content };
}

/**
 * Settles as `work` does. Where the signal aborts first, work that is done within the same turn of the event loop counts all the same, if
 * it `counts`: it had ended, and its answer was only on the way. Else rejects with the signal's reason. `counts`: a failure after the stop is
 * most likely one because of it.
 */
export async function unlessEnded<T>(
	work: Promise<T>,
	signal: AbortSignal,
	counts: (value: T) => boolean = () => true,
): Promise<T> {
	let ended: { readonly value: T } | undefined;
	const note = (value: T) => {
		if (!signal.aborted || counts(value)) ended = { value };
	};
	const noted = work.then(note, () => undefined);
	try {
		return await abortable(work, signal);
	} catch (error) {
		if (!signal.aborted) throw error;
		await Promise.race([noted, new Promise((resolve) => setImmediate(resolve))]);
		if (ended) return ended.value;
		throw error;
	}
}

/** The result of what has thrown. */
export function failedResult(error: unknown): ToolResult {
	return errorResult(`Error: ${error instanceof Error ? error.message : printed(error)}`);
}

/** Anything can be thrown, also what cannot be made a text. */
function printed(thrown: unknown): string {
	try {
		return String(thrown);
	} catch {
		return 'It failed, and did not say why.';
	}
}

function steadyMs(): number {
	return performance.now();
}

function untold(result: ToolResult): CallAnswer {
	return { result };
}

/**
 * Loads a tool that was called without a search. What it returns adds the definition to the call's own result, where
 * definitions are told in results and nowhere else.
 */
function discover(
	tool: CatalogTool,
	session: DiscoverySession,
	emit: (event: LoopEvent) => void,
): (result: ToolResult) => CallAnswer {
	const { loaded, evicted, brings } = session.discover(tool);
	if (loaded.length > 0) emit({ type: 'activated', tools: loaded });
	for (const event of evictionEvents(evicted, session)) emit(event);
	if (brings.length === 0) return untold;
	const schema = `${tool.wireName} is now loaded. Its input schema: ${schemaText(tool)}`;
	return (result) => ({ result: withText(result, schema), loaded: brings });
}

function refusal(target: CallTarget, call: ToolCall): string {
	return target.kind === 'refused' ? target.message : `Error: '${call.name}' was answered.`;
}

/** Where the check itself fails, the server will say what is wrong. */
function uncheckable(): readonly string[] {
	return [];
}

/** Characters of the arguments that are repeated in front of a result. */
const argumentCharacters = 500;

/**
 * A result in the form that is set. The line is `Result of files__read_file:`, with arguments
 * `Result of files__read_file({"path":"a.txt"}):`; it begins the first text, or stands before other content.
 */
export function formatResult(
	result: ToolResult,
	call: Pick<ToolCall, 'name' | 'input'>,
	format: ToolResultFormat,
): ToolResult {
	if (format === 'result') return result;
	const args =
		format === 'function_args_result' ? `(${cut(JSON.stringify(call.input), argumentCharacters)})` : '';
	return { ...result, content: withLine(`Result of ${call.name}${args}:`, result.content) };
}

function withLine(line: string, content: readonly ResultContent[]): ResultContent[] {
	const [first, ...others] = content;
	if (first?.type !== 'text') return [{ type: 'text', text: line }, ...content];
	return [{ type: 'text', text: `${line}\n${first.text}` }, ...others];
}
