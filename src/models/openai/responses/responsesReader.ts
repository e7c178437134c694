import type { ResponseOutputItem, ResponseReasoningItem } from 'openai/resources/responses/responses';
import { reportedTokens, type TokenUsage } from '../../../common/cost.ts';
import { isRecord, type JsonRecord, recordOf } from '../../../common/json.ts';
import type { Answer } from '../../answer.ts';
import { callsOf } from '../../answerParts.ts';
import type { CallPiece } from '../../arrivingCalls.ts';
import { cutOff, outputLimitReached, refused } from '../../http/answerErrors.ts';
import type { StreamEvent } from '../../http/eventStream.ts';
import { explanationOf } from '../../http/explanation.ts';
import { failureOf } from '../../http/failure.ts';
import type { ModelError } from '../../modelError.ts';
import type { Endpoint } from '../../provider.ts';
import type { Thinker } from '../../thinker.ts';
import { textOf } from '../../wireCalls.ts';
import { usageDetails } from '../usageDetails.ts';

/** Whether a message accompanies calls, or is the answer. */
export type MessagePhase = 'commentary' | 'final_answer';

/** What the origin of a part contains. */
export type ResponsesOrigin =
	| { readonly reasoning: ResponseReasoningItem }
	/** A message that ends here. */
	| { readonly phase?: MessagePhase }
	/** Separates two messages of one answer, for people to read. */
	| { readonly isGap: true }
	/** `id`: the provider's. `namespace`: the one under which the model called a tool that it had loaded. */
	| { readonly id: string; readonly namespace?: string };

const messageSeparator = '\n\n';

/** Whether an answer ends with an event. */
export function isEnd({ type }: JsonRecord): boolean {
	return type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed';
}

/** Turns the events of the API into one answer. */
export class ResponsesReader {
	readonly #answer: Answer;
	readonly #thinker: Thinker;
	/** The tool that the model calls by the protocol's own kind of call. */
	readonly #searchTool: string | undefined;
	/** Finished items other than calls. */
	readonly #seen = new Set<string>();
	#speaking: unknown;
	/** Whether text of the current message was already streamed. */
	#isStreamed = false;
	#hasItems = false;
	/** The response as it was when it ended. */
	#response: JsonRecord | undefined;

	constructor(answer: Answer, thinker: Thinker, searchTool: string | undefined) {
		this.#answer = answer;
		this.#thinker = thinker;
		this.#searchTool = searchTool;
	}

	read(event: StreamEvent): void {
		if (event === 'done') return;
		switch (event.type) {
			case 'response.output_text.delta':
			case 'response.refusal.delta':
				this.#separate(event.item_id);
				this.#isStreamed = true;
				this.#answer.say({ type: 'text', text: textOf(event.delta) });
				break;
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
				this.#answer.say({ type: 'thinking', text: textOf(event.delta) });
				break;
			case 'response.reasoning_summary_part.added':
				if (Number(event.summary_index) > 0) this.#answer.say({ type: 'thinking', text: messageSeparator });
				break;
			case 'response.output_item.added':
				if (recordOf(event.item).type === 'function_call')
					this.#answer.call(callPiece(recordOf(event.item), event.output_index));
				break;
			case 'response.function_call_arguments.delta':
				this.#answer.call({ ...placeOf(event), json: textOf(event.delta) });
				break;
			case 'response.function_call_arguments.done':
				this.#answer.call({ ...placeOf(event), input: textOf(event.arguments) });
				break;
			case 'response.output_item.done':
				this.#finish(recordOf(event.item), event.output_index);
				break;
		}
		if (isEnd(event)) this.#response = recordOf(event.response);
	}

	/** Finishes the answer. Throws a `ModelError` if it is incomplete. A call that was cut off is not part of it. */
	end(endpoint: Endpoint): void {
		const response = this.#response;
		if (!response) throw cutOff(endpoint);
		// Some gateways send the items only with the end of the answer.
		if (!this.#hasItems && this.#speaking === undefined && Array.isArray(response.output))
			for (const item of response.output) this.#finish(recordOf(item));
		const failure = failureOfAnswer(endpoint, response);
		this.#answer.finish(
			({ isClosed }) => !isClosed,
			({ isClosed }) => isClosed || !failure,
		);
		// The usage comes before the failure: it was paid for, and an answer that used up its limit is not requested again.
		const usage = usageOf(response.usage);
		if (usage) this.#answer.emit({ type: 'usage', usage });
		// A call that was complete before the limit can be made.
		const hasCalled = callsOf(this.#answer.parts).length > 0;
		if (failure && !(failure.reason === 'outputLimit' && hasCalled)) throw failure;
	}

	#separate(message: unknown): void {
		if (this.#speaking !== undefined && this.#speaking !== message) {
			const origin = this.#thinker.origin({ isGap: true });
			this.#answer.say({ type: 'text', text: messageSeparator, origin });
		}
		this.#speaking = message;
	}

	#finish(item: JsonRecord, index?: unknown): void {
		if (item.type === 'function_call' || item.type === 'tool_search_call') {
			this.#finishCall(item, index);
			return;
		}
		// Some gateways send this event twice.
		const key = item.id ? JSON.stringify(item.id) : undefined;
		if (key !== undefined && this.#seen.has(key)) return;
		if (key !== undefined) this.#seen.add(key);
		const finished = finishedItem(item);
		if (!finished) return;
		this.#hasItems = true;
		const origin = this.#thinker.origin(finished.data);
		if (finished.text === undefined) this.#answer.say({ type: 'thinking', text: '', origin });
		else {
			// Gateways that do not stream texts send each one with its finished item.
			if (!this.#isStreamed) this.#separate(item.id ?? '');
			this.#answer.say({ type: 'text', text: this.#isStreamed ? '' : finished.text, origin });
			this.#isStreamed = false;
		}
	}

	#finishCall(item: JsonRecord, index: unknown): void {
		if (item.status === 'incomplete') return;
		// A search that the provider ran itself needs no answer from us.
		const isSearch = item.type === 'tool_search_call';
		if (isSearch && (this.#searchTool === undefined || item.execution === 'server')) return;
		this.#hasItems = true;
		const piece: CallPiece = { ...callPiece(item, index), step: 'ends' };
		this.#answer.call(isSearch ? { ...piece, name: this.#searchTool ?? '' } : piece);
	}
}

/** The call that an event is about. OpenAI names it by its item's id, some gateways by its own. */
function placeOf({ call_id: id, item_id: item, output_index: index }: JsonRecord): CallPiece {
	return { id: textOf(id) || textOf(item), index };
}

function callPiece(item: JsonRecord, index: unknown): CallPiece {
	const namespace = textOf(item.namespace);
	const alias = textOf(item.id);
	return {
		id: textOf(item.call_id) || alias,
		alias,
		index,
		name: textOf(item.name),
		input: item.arguments,
		...(namespace && { extra: { namespace } }),
	};
}

/** A finished item: the text of a message, or else a thought. */
interface FinishedItem {
	readonly data: ResponsesOrigin;
	readonly text?: string;
}

function finishedItem(item: JsonRecord): FinishedItem | undefined {
	const type = item.type as ResponseOutputItem['type'];
	if (type === 'reasoning') {
		const { id, summary, encrypted_content } = item as unknown as ResponseReasoningItem;
		// Without encrypted content an item would refer to the API's store, where nothing is kept.
		return encrypted_content ? { data: { reasoning: { type, id, summary, encrypted_content } } } : undefined;
	}
	if (type !== 'message') return undefined;
	const content = Array.isArray(item.content) ? item.content.filter(isRecord) : [];
	const text = content.map((part) => textOf(part.type === 'output_text' ? part.text : part.refusal)).join('');
	const phase = item.phase as MessagePhase | undefined;
	return text === '' ? undefined : { text, data: { ...(phase && { phase }) } };
}

function usageOf(usage: unknown): TokenUsage | undefined {
	const told = recordOf(usage);
	const inputTokens = reportedTokens(told.input_tokens);
	if (inputTokens === undefined) return undefined;
	return { inputTokens, outputTokens: reportedTokens(told.output_tokens) ?? 0, ...usageDetails(told) };
}

/** Why an answer that has ended is incomplete; `undefined` if it is complete. */
function failureOfAnswer(endpoint: Endpoint, response: JsonRecord): ModelError | undefined {
	const { status, error, incomplete_details: details } = response;
	if (status === 'failed') return failureOf(endpoint, explanationOf({ error }));
	if (status === 'cancelled') return cutOff(endpoint);
	if (status !== 'incomplete') return undefined;
	const { reason } = recordOf(details);
	if (reason === 'content_filter') return refused(endpoint, 'the content filter stopped the answer.');
	return reason === 'max_output_tokens' ? outputLimitReached(endpoint) : cutOff(endpoint);
}
