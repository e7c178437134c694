import { reportedTokens, type TokenUsage } from '../../common/cost.ts';
import { isRecord, type JsonRecord, parsedJson, recordOf } from '../../common/json.ts';
import type { Answer } from '../answer.ts';
import type { CallPiece } from '../arrivingCalls.ts';
import { cutOff, malformed } from '../http/answerErrors.ts';
import { endingOf, failureAt } from '../http/endings.ts';
import { explanationOf } from '../http/explanation.ts';
import { failureOf } from '../http/failure.ts';
import type { Endpoint } from '../provider.ts';
import type { Thinker } from '../thinker.ts';
import { textOf } from '../wireCalls.ts';

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
export async function readAnswer(
	endpoint: Endpoint,
	lines: AsyncIterable<string>,
	answer: Answer,
	thinker: Thinker,
): Promise<AnswerEnd> {
	/** For thoughts that come separately from the text. */
	const apart = thinker.origin({});
	/** The lines of an object that a server wrote over several. */
	let begun = '';
	for await (const text of lines) {
		begun += text;
		const line = wireLine(endpoint, begun);
		if (!line) continue;
		begun = '';
		if (line.error !== undefined) throw failureOf(endpoint, explanationOf(line));
		const { thinking, content, tool_calls: calls } = recordOf(line.message);
		if (typeof thinking === 'string' && thinking !== '')
			answer.say({ type: 'thinking', text: thinking, origin: apart });
		answer.speak(textOf(content));
		for (const call of Array.isArray(calls) ? calls.filter(isRecord) : []) answer.call(callPiece(call));
		if (line.done !== true) continue;
		const reason = textOf(line.done_reason);
		const ending = reason === '' ? 'complete' : endingOf(reason);
		const limitReached = ending === 'outOfTokens';
		answer.finish((_, isLast) => limitReached && isLast);
		const usage = usageOf(line);
		if (usage) answer.emit({ type: 'usage', usage });
		const failure = limitReached ? undefined : failureAt(ending, endpoint, reason);
		if (failure) throw failure;
		return { limitReached, usage };
	}
	throw cutOff(endpoint);
}

/** Ollama sends each call as a whole, and with an id only since 0.12.10. */
function callPiece(call: JsonRecord): CallPiece {
	const { name, index, arguments: input } = recordOf(call.function);
	return {
		id: textOf(call.id),
		index,
		name: textOf(name),
		// Some other programs with this protocol send a text.
		...(typeof input === 'string' ? { json: input } : { input }),
		...(textOf(name) !== '' && { step: 'begins' }),
	};
}

/** The object of a line; `undefined` if the line only begins one. */
function wireLine(endpoint: Endpoint, text: string): JsonRecord | undefined {
	const line = parsedJson(text);
	if (isRecord(line)) return line;
	if (line === undefined && /^\{\s*(?:"|$)/.test(text)) return undefined;
	throw malformed(endpoint, undefined, text);
}

function usageOf(line: JsonRecord): TokenUsage | undefined {
	const inputTokens = reportedTokens(line.prompt_eval_count);
	return inputTokens === undefined
		? undefined
		: { inputTokens, outputTokens: reportedTokens(line.eval_count) ?? 0 };
}
