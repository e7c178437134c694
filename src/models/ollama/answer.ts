import { randomUUID } from 'node:crypto';
import type { TokenUsage } from '../../discovery/cost.ts';
import { isRecord } from '../../discovery/record.ts';
import type { ChatModelEvent, ToolCall } from '../chatModel.ts';
import type { Endpoint } from '../endpoint.ts';
import { cutOff, malformed } from '../http/brokenAnswer.ts';
import { explanationOf } from '../http/explanation.ts';
import { failureOf } from '../http/failure.ts';
import { callFromJson } from '../toolArguments.ts';
import type { WireLine } from './wire.ts';

/** How an answer came to its end. */
export interface AnswerEnd {
	/** It was not the model that ended it: it had all the tokens it may have. */
	readonly limitReached: boolean;
	/** `undefined`: Ollama does not say. */
	readonly usage: TokenUsage | undefined;
}

/**
 * What the lines of an answer say. Throws a `ModelError` for an error among them (Ollama sends them with status 200 once an
 * answer has begun), for what is not its protocol, and where they end before the answer does.
 */
export async function* answerEvents(
	endpoint: Endpoint,
	lines: AsyncIterable<string>,
	callIds: Iterable<string>,
): AsyncGenerator<ChatModelEvent, AnswerEnd> {
	const taken = new Set(callIds);
	for await (const text of lines) {
		const line = wireLine(endpoint, text);
		if (line.error !== undefined) throw failureOf(endpoint, explanationOf(text));
		yield* messageEvents(line.message, taken);
		if (line.done !== true) continue;
		const usage = usageOf(line);
		if (usage) yield { type: 'usage', usage };
		return { limitReached: line.done_reason === 'length', usage };
	}
	throw cutOff(endpoint);
}

/** What a model thinks before it answers (`thinking`) is not part of its answer. */
function* messageEvents(message: unknown, taken: Set<string>): Generator<ChatModelEvent> {
	if (!isRecord(message)) return;
	const { content, tool_calls: calls } = message;
	if (typeof content === 'string' && content !== '') yield { type: 'text', text: content };
	if (!Array.isArray(calls)) return;
	for (const call of calls) if (isRecord(call)) yield { type: 'toolCall', call: toolCall(call, taken) };
}

/** Calls have ids since Ollama 0.12.10 only, and other programs count them anew in each answer; ours are unique. */
function toolCall(call: Readonly<Record<string, unknown>>, taken: Set<string>): ToolCall {
	const { name, arguments: input } = isRecord(call.function) ? call.function : {};
	const given = typeof call.id === 'string' && call.id !== '' && !taken.has(call.id) ? call.id : undefined;
	const id = given ?? `call_${randomUUID()}`;
	taken.add(id);
	// An object as a rule; a string from some programs that speak this protocol.
	const json = typeof input === 'string' ? input : JSON.stringify(input ?? {});
	return callFromJson(id, typeof name === 'string' ? name : '', json);
}

function wireLine(endpoint: Endpoint, text: string): WireLine {
	let line: unknown;
	try {
		line = JSON.parse(text);
	} catch {
		// Said below.
	}
	if (isRecord(line)) return line;
	throw malformed(endpoint, undefined, text);
}

function usageOf(line: WireLine): TokenUsage | undefined {
	const inputTokens = tokens(line.prompt_eval_count);
	return inputTokens === undefined ? undefined : { inputTokens, outputTokens: tokens(line.eval_count) ?? 0 };
}

function tokens(count: unknown): number | undefined {
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
