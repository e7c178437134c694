import { assertNever } from '../common/assertNever.ts';
import { abortable } from '../common/cancellation.ts';
import { cut, oneLine, visible } from '../common/text.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import { sourceOf } from '../discovery/catalog/policy.ts';
import {
	errorResult,
	type ResultContent,
	type ToolResult,
	type ToolResultFormat,
	withText,
} from '../discovery/catalog/tool.ts';
import type { CallTarget } from '../discovery/session/callTarget.ts';
import { schemaText } from '../discovery/tools/toolText.ts';
import { coerceArguments } from '../models/wireCalls.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CallConcern } from './callConcern.ts';
import type { LoopEvent } from './loopEvent.ts';
import type { ArgumentCheck, CallAnswer, CheckedArguments, LoopOptions } from './loopOptions.ts';
import { resourceReader } from './resources.ts';

/** Checks, loads if necessary, and runs one call. `target`: what it calls; absent if it has a fault. Throws only if it is stopped. */
export async function runCall(
	call: ToolCall,
	target: CallTarget | undefined,
	turn: LoopOptions,
	emit: (event: LoopEvent) => void,
): Promise<CallAnswer> {
	const refuse = (text: string, tool?: CatalogTool): CallAnswer => {
		const result = errorResult(text);
		emit({ type: 'toolFinished', call, ...(tool && { tool }), result });
		return { result };
	};
	if (call.fault !== undefined || !target) return refuse(`Error: ${call.fault}`);
	switch (target.kind) {
		case 'tool': {
			const { tool, unchecked } = target;
			const check = unchecked ? turn.checkArguments : undefined;
			const fitted = fittedArguments(tool, tool.wireName, target.input, check);
			const { input, concerns, misfit } = await abortable(fitted, turn.signal);
			if (misfit !== undefined) return refuse(`Error: ${misfit}`, tool);
			return runServerCall(call, { ...target, input }, concerns, turn, emit);
		}
		case 'resource': {
			const { server, uri } = target;
			return runServerCall(call, { tool: resourceReader(server), input: { uri } }, [], turn, emit);
		}
		case 'hosted':
			return runHostedCall(call, turn, emit);
		case 'synthetic':
			return refuse(`Error: '${call.name}' was not loaded yet when this answer began. Call it again.`);
		case 'refused':
			return refuse(target.message);
		default:
			return assertNever(target);
	}
}

async function runHostedCall(
	call: ToolCall,
	turn: LoopOptions,
	emit: (event: LoopEvent) => void,
): Promise<CallAnswer> {
	const { signal, resultFormat, hosted = [] } = turn;
	const tool = hosted.find(({ definition }) => definition.name === call.name);
	if (!tool) throw new Error(`The turn does not host ${call.name}.`);
	const answer = await tool.run(call, turn, emit).catch((error: unknown) => {
		signal.throwIfAborted();
		const result = failedResult(error);
		emit({ type: 'toolFinished', call, result });
		return { result };
	});
	return { ...answer, result: formatResult(answer.result, call, resultFormat) };
}

async function runServerCall(
	{ id }: ToolCall,
	{ tool, input, undiscovered }: Omit<CallTarget & { readonly kind: 'tool' }, 'kind' | 'unchecked'>,
	knownConcerns: readonly CallConcern[],
	turn: LoopOptions,
	emit: (event: LoopEvent) => void,
): Promise<CallAnswer> {
	const { session, runTool, resultFormat, signal, reads, hasLinks, agent, now = steadyMs } = turn;
	const { loaded = [], brings = [] } = undiscovered ? session.discover(tool) : {};
	if (loaded.length > 0) emit({ type: 'activated', tools: loaded });
	const call = { id, name: tool.wireName, input };
	emit({ type: 'toolStarted', call, tool });
	let begun = now();
	let isBegun = false;
	const onProgress = (progress: string) => emit({ type: 'toolProgress', call, tool, progress });
	const onBegun = () => {
		begun = now();
		isBegun = true;
		emit({ type: 'toolBegun', call, tool });
	};
	const source = sourceOf(tool, session.surface.policy);
	const flows = reads?.texts.flowsInto({ chat: reads.chat, server: source, input }) ?? [];
	signal.throwIfAborted();
	// Called inside an async function, so that a synchronous exception becomes a result as well.
	const run = (async () =>
		runTool(tool, call, { signal, onProgress, onBegun, concerns: [...flows, ...knownConcerns], agent }))();
	const record = (failed: boolean) => {
		const ms = Math.round(now() - begun);
		session.log.append({ kind: 'call', server: tool.server, tool: tool.name, ms, failed });
	};
	const ended = await unlessEnded(run.catch(failedResult), signal, ({ isError }) => !isError).catch(
		(reason: unknown) => {
			// The server got the call before the user stopped it, so the chat has made it.
			if (isBegun) record(true);
			throw reason;
		},
	);
	const result = readableResult(ended);
	// If the user declined the call, the text is ours and not the server's, and the tool has not failed.
	if (!result.declined) record(result.isError);
	emit({ type: 'toolFinished', call, tool, result });
	const { server } = tool;
	const fitted = await fittedResult(result, turn, { server: source });
	const formatted = formatResult(fitted, call, resultFormat);
	const links = hasLinks?.(server) ? session.offerResources(server) : undefined;
	const linked = links === undefined ? formatted : withText(formatted, links);
	const from = result.declined ? {} : { from: [source] };
	if (brings.length === 0) return { result: linked, ...from };
	const schema = `${tool.wireName} is now loaded. Its input schema: ${schemaText(tool)}`;
	return { result: withText(linked, schema), loaded: brings, ...from };
}

export function steadyMs(): number {
	return performance.now();
}

/**
 * Shortens a large result for the model. While discovery is off it gets all of it, because then it has no tool to read the rest. The model always
 * learns the result of a finished call, even if the rest cannot be stored, or the user stops. `of`: see {@link LoopOptions.fitResult}.
 */
export async function fittedResult(
	result: ToolResult,
	{ session, fitResult, signal }: LoopOptions,
	of: Parameters<NonNullable<LoopOptions['fitResult']>>[1],
): Promise<ToolResult> {
	if (!fitResult || !session.surface.policy.enabled) return result;
	const fitted = (async () => fitResult(result, of))();
	return unlessEnded(fitted, signal).catch(() => shortened(result));
}

/** Characters of a text whose rest cannot be stored. */
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
 * Settles like `work`. If the signal aborts first, work that finishes within the same turn of the event loop still counts, because its answer was
 * only on the way; otherwise rejects with the signal's reason. `counts`: whether a late value counts; a failure after the stop was most likely
 * caused by it.
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
		await Promise.race([noted, new Promise((resolve) => setImmediate(resolve))]);
		if (ended) return ended.value;
		throw error;
	}
}

export function failedResult(error: unknown): ToolResult {
	return errorResult(`Error: ${error instanceof Error ? error.message : printed(error)}`);
}

/** Anything can be thrown, even something that cannot be converted to a string. */
function printed(thrown: unknown): string {
	try {
		return String(thrown);
	} catch {
		return 'It failed without giving a reason.';
	}
}

/** Characters of the arguments that are repeated before a result. */
const argumentCharacters = 500;

/**
 * A result in the configured format. The added line is `Result of files__read_file:`, with arguments
 * `Result of files__read_file({"path":"a.txt"}):`; it precedes the first text, or other content.
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

const inOrder: CheckedArguments = { faults: [], concerns: [] };

/** Checks arguments in the sandbox, where a server's schema can do no harm. If that is impossible, the user decides. */
export function argumentCheck(sandbox: Pick<Sandbox, 'validate'>): ArgumentCheck {
	return async (schema, input, server) => {
		const outcome = await sandbox.validate(schema, input, server);
		switch (outcome.kind) {
			case 'valid':
				return inOrder;
			case 'invalid':
				return { ...inOrder, faults: outcome.faults };
			case 'unchecked':
				return { ...inOrder, concerns: [outcome] };
			default:
				return assertNever(outcome);
		}
	};
}

/** Characters of one fault, which may repeat names and values of a server's schema. */
const faultCharacters = 500;

/**
 * The arguments of a call, from any caller, adapted to its tool's schema. `name`: of the tool, as the caller knows it. `check`: absent if the
 * provider has checked them. `misfit`: tells the caller why the tool is not called.
 */
export async function fittedArguments(
	tool: CatalogTool,
	name: string,
	givenInput: Readonly<Record<string, unknown>>,
	check?: ArgumentCheck,
) {
	const { inputSchema: schema, server } = tool;
	const input = coerceArguments(givenInput, schema, schema);
	const { faults, concerns } = check ? await check(schema, input, server) : inOrder;
	return { input, concerns, misfit: faults.length > 0 ? misfitMessage(name, tool, faults) : undefined };
}

function misfitMessage(name: string, tool: CatalogTool, faults: readonly string[]): string {
	return [
		`The arguments do not fit '${name}', so it was not called.`,
		...faults.map((fault) => `- ${oneLine(fault, faultCharacters)}`),
		`Its input schema: ${schemaText(tool)}`,
	].join('\n');
}

/** A server's result without invisible characters: text that only models can read never serves the user. */
export function readableResult(result: ToolResult): ToolResult {
	const content = result.content.map((part) =>
		part.type === 'text' ? { ...part, text: visible(part.text) } : part,
	);
	return { ...result, content };
}
