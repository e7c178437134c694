import type {
	AddedTools,
	AnswerPart,
	ChatMessage,
	ToolCall,
	ToolCallResult,
	UserMessage,
} from '../discovery/catalog/message.ts';
import { errorResult } from '../discovery/catalog/tool.ts';
import { type AssistantMessage, callsOf } from './answerParts.ts';

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
function answersAfter(messages: readonly ChatMessage[], index: number) {
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

/** A call of an earlier answer in a request. */
export interface SentCall<Data = unknown> {
	/** Its id in the request. */
	readonly id: string;
	readonly call: ToolCall;
	/** Its result, or a text in place of a missing one. */
	readonly result: ToolCallResult;
	/** What its provider said about it; absent if another model made it. */
	readonly data: Data | undefined;
}

/** A message in a request. */
export type SentMessage<Data = unknown> =
	| UserMessage
	| (AssistantMessage & { readonly calls: readonly SentCall<Data>[]; readonly added: AddedTools });

/**
 * A conversation as requests repeat it: results stand with the calls that they answer. `dataOf`: what the provider said about a call.
 * `namesIn`: other data of an answer, as JSON, that may refer to a provider's id, which is then kept.
 */
export function sentMessages<Data extends { readonly id?: string }>(
	messages: readonly ChatMessage[],
	dataOf: (part: AnswerPart) => Data | undefined = () => undefined,
	namesIn: (parts: readonly AnswerPart[]) => string = () => '',
): SentMessage<Data>[] {
	const ids = new WireIds();
	return messages.flatMap((message, index): SentMessage<Data>[] => {
		if (message.role === 'user') return [message];
		if (message.role === 'tool') return [];
		const names = namesIn(message.parts);
		const data = message.parts.filter(({ type }) => type === 'toolCall').map(dataOf);
		const calls = answeredCalls(messages, index).map(({ call, result = missingResult(call) }, i) => {
			const own = data[i]?.id ?? '';
			const isNamed = own !== '' && names.includes(JSON.stringify(own));
			return { id: ids.next(call.id, own, isNamed), call, result, data: data[i] };
		});
		return [{ ...message, calls, added: answersAfter(messages, index).flatMap(({ added = [] }) => added) }];
	});
}
