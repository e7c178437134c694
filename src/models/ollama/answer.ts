import { reportedTokens, type TokenUsage } from '../../common/cost.ts';
import { isRecord, type JsonRecord, parsedJson, recordOf } from '../../common/json.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';
import { NewCalls } from '../callIds.ts';
import type { ChatModelEvent } from '../chatModel.ts';
import { cutOff, malformed } from '../http/answerErrors.ts';
import { explanationOf } from '../http/explanation.ts';
import { failureOf } from '../http/failure.ts';
import type { Endpoint } from '../provider.ts';
import type { Thinker } from '../thinker.ts';
import { ThinkTags } from '../thinkTags.ts';
import { callFrom, textOf } from '../wireCalls.ts';

/** The lines of a body of newline-delimited JSON, without empty ones. The last line may lack its line end. */
export async function* linesOf(
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	/** Pieces of the current line: joining them once keeps a long line linear. */
	let parts: string[] = [];
	for await (const chunk of body) {
		const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
		parts.push(first);
		for (const next of rest) {
			const line = parts.join('').trim();
			if (line !== '') yield line;
			parts = [next];
		}
	}
	const last = (parts.join('') + decoder.decode()).trim();
	if (last !== '') yield last;
}

/** How an answer ended. */
export interface AnswerEnd {
	/** The model used up its tokens before it ended its answer. */
	readonly limitReached: boolean;
	/** `undefined` if Ollama does not say. */
	readonly usage: TokenUsage | undefined;
}

/**
 * Reads the lines of an answer. Throws a `ModelError` for an error among them (Ollama sends it with status 200 once an answer has begun), for
 * anything that is not its protocol, and if the lines end before the answer does.
 */
export async function* answerEvents(
	endpoint: Endpoint,
	lines: AsyncIterable<string>,
	thinker: Thinker,
): AsyncGenerator<ChatModelEvent, AnswerEnd> {
	const tags = new ThinkTags(thinker);
	const calls = new NewCalls();
	/** For thoughts that come separately from the text. */
	const apart = thinker.origin({});
	for await (const text of lines) {
		const line = wireLine(endpoint, text);
		if (line.error !== undefined) throw failureOf(endpoint, explanationOf(line));
		const { thinking, content, tool_calls: made } = recordOf(line.message);
		if (typeof thinking === 'string' && thinking !== '')
			yield { type: 'thinking', text: thinking, origin: apart };
		yield* tags.add(textOf(content));
		for (const written of Array.isArray(made) ? made.filter(isRecord) : []) {
			const given = toolCall(written);
			const call = calls.add(given);
			if (call) yield { type: 'toolCall', call, origin: thinker.origin({ id: given.id }) };
		}
		if (line.done !== true) continue;
		yield* tags.end();
		const usage = usageOf(line);
		if (usage) yield { type: 'usage', usage };
		return { limitReached: line.done_reason === 'length', usage };
	}
	throw cutOff(endpoint);
}

/** Calls have ids only since Ollama 0.12.10. */
function toolCall(call: JsonRecord): ToolCall {
	const { name, arguments: input } = recordOf(call.function);
	// Usually an object; a string from some other programs with this protocol.
	return callFrom(textOf(call.id), textOf(name), input);
}

function wireLine(endpoint: Endpoint, text: string): JsonRecord {
	const line = parsedJson(text);
	if (isRecord(line)) return line;
	// The line is the beginning of an object: the connection ended within it.
	if (line === undefined && /^\{\s*(?:"|$)/.test(text)) throw cutOff(endpoint);
	throw malformed(endpoint, undefined, text);
}

function usageOf(line: JsonRecord): TokenUsage | undefined {
	const inputTokens = reportedTokens(line.prompt_eval_count);
	return inputTokens === undefined
		? undefined
		: { inputTokens, outputTokens: reportedTokens(line.eval_count) ?? 0 };
}
