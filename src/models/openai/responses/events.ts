import type { ResponseOutputItem, ResponseReasoningItem } from 'openai/resources/responses/responses';
import { reportedTokens } from '../../../common/cost.ts';
import { isRecord, type JsonRecord, recordOf } from '../../../common/json.ts';
import type { AnswerPart, ToolCall } from '../../../discovery/catalog/message.ts';
import { NewCalls } from '../../callIds.ts';
import type { ChatModelEvent } from '../../chatModel.ts';
import { cutOff, outputLimitReached, refused } from '../../http/answerErrors.ts';
import { explanationOf } from '../../http/explanation.ts';
import { failureOf } from '../../http/failure.ts';
import type { ModelError } from '../../modelError.ts';
import type { Endpoint } from '../../provider.ts';
import type { Thinker } from '../../thinker.ts';
import { callFrom, textOf } from '../../wireCalls.ts';
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

/**
 * Reads the stream of one answer. Throws a `ModelError` if the answer is incomplete: calls that were finished by then have been handed out, a
 * call that was cut off has not.
 */
export async function* answerEvents(
	events: AsyncIterable<JsonRecord | 'done'>,
	endpoint: Endpoint,
	searchTool: string | undefined,
	thinker: Thinker,
): AsyncGenerator<ChatModelEvent> {
	const calls = new NewCalls();
	const seen = new Set<string>();
	let speaking: unknown;
	/** Whether text of the current message was already streamed. */
	let isStreamed = false;
	let hasParts = false;
	let hasCalled = false;
	function* separated(message: unknown): Generator<AnswerPart> {
		if (speaking !== undefined && speaking !== message) {
			yield { type: 'text', text: messageSeparator, origin: thinker.origin({ isGap: true }) };
		}
		speaking = message;
	}
	function* finish(item: JsonRecord): Generator<AnswerPart> {
		// Some gateways send this event twice, others give several calls the same item id.
		const key = item.id || item.call_id ? JSON.stringify([item.id, item.call_id]) : undefined;
		if (key !== undefined && seen.has(key)) return;
		if (key !== undefined) seen.add(key);
		const finished = finishedItem(item, searchTool);
		if (!finished) return;
		hasParts = true;
		const origin = thinker.origin(finished.data);
		if (finished.call) {
			const call = calls.add(finished.call);
			if (!call) return;
			hasCalled = true;
			yield { type: 'toolCall', call, origin };
		} else if (finished.text === undefined) yield { type: 'thinking', text: '', origin };
		else {
			// Gateways that do not stream texts send each one with its finished item.
			if (!isStreamed) yield* separated(item.id ?? '');
			yield { type: 'text', text: isStreamed ? '' : finished.text, origin };
			isStreamed = false;
		}
	}
	for await (const event of events) {
		if (event === 'done') continue;
		switch (event.type) {
			case 'response.output_text.delta':
			case 'response.refusal.delta':
				yield* separated(event.item_id);
				isStreamed = true;
				yield { type: 'text', text: textOf(event.delta) };
				break;
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
				yield { type: 'thinking', text: textOf(event.delta) };
				break;
			case 'response.reasoning_summary_part.added':
				if (Number(event.summary_index) > 0) yield { type: 'thinking', text: messageSeparator };
				break;
			case 'response.output_item.done':
				yield* finish(recordOf(event.item));
				break;
		}
		if (!isEnd(event)) continue;
		const response = recordOf(event.response);
		// Some gateways send the items only with the end of the answer.
		if (!hasParts && speaking === undefined && Array.isArray(response.output))
			for (const item of response.output) yield* finish(recordOf(item));
		// The usage comes before the failure: it was paid for, and an answer that used up its limit is not requested again.
		yield* usageOf(response.usage);
		const failure = failureOfAnswer(endpoint, response);
		// A call that was complete before the limit can be made.
		if (failure && !(failure.reason === 'outputLimit' && hasCalled)) throw failure;
		return;
	}
	throw cutOff(endpoint);
}

/** A finished item: a call, the text of a message, or else a thought. */
interface FinishedItem {
	readonly data: ResponsesOrigin;
	readonly call?: ToolCall;
	readonly text?: string;
}

function finishedItem(item: JsonRecord, searchTool: string | undefined): FinishedItem | undefined {
	const id = textOf(item.call_id) || textOf(item.id);
	const type = item.type as ResponseOutputItem['type'];
	if (type === 'reasoning') {
		const { id, summary, encrypted_content } = item as unknown as ResponseReasoningItem;
		// Without encrypted content an item would refer to the API's store, where nothing is kept.
		return encrypted_content ? { data: { reasoning: { type, id, summary, encrypted_content } } } : undefined;
	}
	if (type === 'message') {
		const content = Array.isArray(item.content) ? item.content.filter(isRecord) : [];
		const text = content
			.map((part) => textOf(part.type === 'output_text' ? part.text : part.refusal))
			.join('');
		const phase = item.phase as MessagePhase | undefined;
		return text === '' ? undefined : { text, data: { ...(phase && { phase }) } };
	}
	if (item.status === 'incomplete') return undefined;
	if (type === 'function_call') {
		const namespace = textOf(item.namespace);
		const call = callFrom(id, textOf(item.name), textOf(item.arguments));
		return { data: { id, ...(namespace && { namespace }) }, call };
	}
	// A search that the provider ran itself needs no answer from us.
	if (type !== 'tool_search_call' || searchTool === undefined || item.execution === 'server')
		return undefined;
	return { data: { id }, call: callFrom(id, searchTool, item.arguments) };
}

function* usageOf(usage: unknown): Generator<ChatModelEvent> {
	const told = recordOf(usage);
	const inputTokens = reportedTokens(told.input_tokens);
	if (inputTokens === undefined) return;
	const outputTokens = reportedTokens(told.output_tokens) ?? 0;
	yield { type: 'usage', usage: { inputTokens, outputTokens, ...usageDetails(told) } };
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
