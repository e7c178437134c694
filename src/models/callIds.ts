import type { ChatMessage, ToolCall, ToolCallResult } from '../discovery/catalog/message.ts';
import { errorResult } from '../discovery/catalog/tool.ts';
import { callsOf } from './answerParts.ts';

/** Longest id in characters: OpenAI's Chat Completions refuses longer ones (“Expected a string with maximum length 40”). */
const longestId = 40;
/** Accepted by all providers; Anthropic refuses every other id. */
const legal = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * The ids of calls in requests: at most 40 legal characters, unique within a conversation. They are assigned in the order of the
 * conversation, so they do not change while it grows.
 */
export class WireIds {
	readonly #given = new Set<string>();

	/**
	 * The id in requests for the next call, whose own id is `id`. `provider`: the id that this provider gave it. It is reused if possible,
	 * because models are trained on the format of their provider's ids. `isNamed`: other data that is sent back refers to that id, so it is
	 * kept whatever its length.
	 */
	next(id: string, provider = '', isNamed = false): string {
		const fits = provider !== '' && (isNamed || provider.length <= longestId) && !this.#given.has(provider);
		let free = fits ? provider : id;
		// Calls of other extensions may have any id. Nine letters and digits please every server.
		for (let n = this.#given.size; !fits && (!isLegalId(free) || this.#given.has(free)); n++)
			free = `c${String(n).padStart(8, '0')}`;
		this.#given.add(free);
		return free;
	}
}

/** Whether every provider accepts an id. */
export function isLegalId(id: string): boolean {
	return legal.test(id);
}

/**
 * The calls of the answer at `index`, each with its result from the `tool` messages right after it. Of two calls with the same id, which only
 * another extension can have made, the second gets the second result.
 */
export function answeredCalls(
	messages: readonly ChatMessage[],
	index: number,
): { readonly call: ToolCall; readonly result: ToolCallResult | undefined }[] {
	const message = messages[index];
	if (message?.role !== 'assistant') return [];
	const results = answersAfter(messages, index).flatMap(({ results }) => results);
	const left = Map.groupBy(results.toReversed(), ({ callId }) => callId);
	return callsOf(message.parts).map((call) => ({ call, result: left.get(call.id)?.pop() }));
}

/** The messages with results right after the answer at `index`. */
export function answersAfter(messages: readonly ChatMessage[], index: number) {
	const answers = [];
	for (let at = index + 1; ; at += 1) {
		const message = messages[at];
		if (message?.role !== 'tool') return answers;
		answers.push(message);
	}
}

/** A result for a call without one: providers refuse a conversation with a missing result. */
export function missingResult({ id }: ToolCall): ToolCallResult {
	return { callId: id, result: errorResult('There is no result: the call was not made, or was stopped.') };
}
