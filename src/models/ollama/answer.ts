import { reportedTokens, type TokenUsage } from '../../common/cost.ts';
import { isRecord, parsedJson } from '../../common/json.ts';
import type { AnswerPart, Origin, ToolCall } from '../../discovery/catalog/message.ts';
import { NewCalls } from '../callIds.ts';
import type { ChatModelEvent } from '../chatModel.ts';
import { cutOff, malformed } from '../http/answerErrors.ts';
import { explanationOf } from '../http/explanation.ts';
import { failureOf } from '../http/failure.ts';
import type { Endpoint } from '../provider.ts';
import type { Thinker } from '../thinker.ts';
import { type SpokenPiece, ThinkTags } from '../thinkTags.ts';
import { callFrom, textOf } from '../wireCalls.ts';
import type { WireLine } from './chatBody.ts';

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
	const answer = new Answer(thinker);
	for await (const text of lines) {
		const line = wireLine(endpoint, text);
		if (line.error !== undefined) throw failureOf(endpoint, explanationOf(line));
		yield* answer.add(line.message);
		if (line.done !== true) continue;
		yield* answer.end();
		const usage = usageOf(line);
		if (usage) yield { type: 'usage', usage };
		return { limitReached: line.done_reason === 'length', usage };
	}
	throw cutOff(endpoint);
}

/** An answer, as far as it has come. */
class Answer {
	readonly #thinker: Thinker;
	readonly #tags = new ThinkTags();
	readonly #calls = new NewCalls();
	/** For thoughts that come separately from the text. */
	readonly #apart: Origin;

	constructor(thinker: Thinker) {
		this.#thinker = thinker;
		this.#apart = thinker.origin({});
	}

	*add(message: unknown): Generator<ChatModelEvent> {
		if (!isRecord(message)) return;
		const { thinking, content, tool_calls: calls } = message;
		if (typeof thinking === 'string' && thinking !== '') {
			yield { type: 'thinking', text: thinking, origin: this.#apart };
		}
		if (typeof content === 'string') yield* this.#spoken(this.#tags.add(content));
		for (const written of Array.isArray(calls) ? calls.filter(isRecord) : []) {
			const given = toolCall(written);
			const call = this.#calls.add(given);
			if (call) yield { type: 'toolCall', call, origin: this.#thinker.origin({ id: given.id }) };
		}
	}

	end(): AnswerPart[] {
		return this.#spoken(this.#tags.end());
	}

	#spoken(pieces: readonly SpokenPiece[]): AnswerPart[] {
		return pieces.map(({ raw, ...piece }) => {
			return raw === undefined ? piece : { ...piece, origin: this.#thinker.origin({ raw }) };
		});
	}
}

/** Calls have ids only since Ollama 0.12.10. */
function toolCall(call: Readonly<Record<string, unknown>>): ToolCall {
	const { name, arguments: input } = isRecord(call.function) ? call.function : {};
	// Usually an object; a string from some other programs with this protocol.
	return callFrom(textOf(call.id), textOf(name), input);
}

function wireLine(endpoint: Endpoint, text: string): WireLine {
	const line = parsedJson(text);
	if (isRecord(line)) return line;
	// The line is the beginning of an object: the connection ended within it.
	if (line === undefined && /^\{\s*(?:"|$)/.test(text)) throw cutOff(endpoint);
	throw malformed(endpoint, undefined, text);
}

function usageOf(line: WireLine): TokenUsage | undefined {
	const inputTokens = reportedTokens(line.prompt_eval_count);
	return inputTokens === undefined
		? undefined
		: { inputTokens, outputTokens: reportedTokens(line.eval_count) ?? 0 };
}
