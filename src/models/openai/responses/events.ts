import type {
	Response,
	ResponseFunctionToolCall,
	ResponseOutputItem,
	ResponseOutputMessage,
	ResponseReasoningItem,
	ResponseStreamEvent,
	ResponseToolSearchCall,
} from 'openai/resources/responses/responses';
import { isRecord } from '../../../discovery/record.ts';
import type { ChatModelEvent, ToolCall } from '../../chatModel.ts';
import type { Endpoint } from '../../endpoint.ts';
import { cutOff } from '../../http/brokenAnswer.ts';
import { callFromJson } from '../../toolArguments.ts';
import { usageDetails } from '../usageDetails.ts';
import { failureInAnswer, failureOfAnswer } from './failure.ts';
import { type AnswerPart, messageSeparator } from './memory.ts';

/** A finished item: what a later request repeats of it, and the call that it is. */
interface FinishedItem {
	readonly part: AnswerPart;
	readonly call?: ToolCall;
}

/**
 * Reads the stream of one answer and returns its parts once it is whole. Throws a `ModelError` where it is not: calls that were
 * finished by then have been handed out, one that was cut has not.
 */
export async function* answerEvents(
	events: AsyncIterable<ResponseStreamEvent>,
	endpoint: Endpoint,
	searchTool: string | undefined,
): AsyncGenerator<ChatModelEvent, readonly AnswerPart[]> {
	const parts: AnswerPart[] = [];
	let speaking: string | undefined;
	for await (const event of events) {
		switch (event.type) {
			case 'response.output_text.delta':
			case 'response.refusal.delta':
				if (speaking !== undefined && speaking !== event.item_id)
					yield { type: 'text', text: messageSeparator };
				speaking = event.item_id;
				yield { type: 'text', text: event.delta };
				break;
			case 'response.output_item.done': {
				const finished = finishedItem(event.item, searchTool);
				if (finished) parts.push(finished.part);
				if (finished?.call) yield { type: 'toolCall', call: finished.call };
				break;
			}
			case 'response.completed':
			case 'response.incomplete':
			case 'response.failed': {
				// Before the failure: what was paid for counts, and an answer that used up its limit is not asked for again.
				yield* usageOf(event.response);
				const failure = failureOfAnswer(endpoint, event.response);
				if (failure) throw failure;
				return parts;
			}
			case 'error':
				throw failureInAnswer(endpoint, { ...event });
		}
	}
	throw cutOff(endpoint);
}

function finishedItem(item: ResponseOutputItem, searchTool: string | undefined): FinishedItem | undefined {
	switch (item.type) {
		case 'reasoning':
			return reasoning(item);
		case 'message':
			return message(item);
		case 'function_call':
			return item.status === 'incomplete' ? undefined : functionCall(item);
		case 'tool_search_call':
			return item.status === 'incomplete' ? undefined : searchCall(item, searchTool);
		default:
			return undefined;
	}
}

/** Without its encrypted content an item is a reference to the API's store, where nothing is. */
function reasoning({ id, summary, encrypted_content }: ResponseReasoningItem): FinishedItem | undefined {
	if (!encrypted_content) return undefined;
	return { part: { type: 'reasoning', item: { type: 'reasoning', id, summary, encrypted_content } } };
}

function message({ content, phase }: ResponseOutputMessage): FinishedItem | undefined {
	const text = content.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join('');
	return text === '' ? undefined : { part: { type: 'text', text, ...(phase && { phase }) } };
}

function functionCall({
	call_id: id,
	name,
	namespace,
	arguments: json,
}: ResponseFunctionToolCall): FinishedItem {
	return { part: { type: 'call', id, ...(namespace && { namespace }) }, call: callFromJson(id, name, json) };
}

/** A search that the provider ran itself is none of ours. */
function searchCall(item: ResponseToolSearchCall, searchTool: string | undefined): FinishedItem | undefined {
	const id = item.call_id ?? item.id;
	if (searchTool === undefined || item.execution === 'server') return undefined;
	const input = item.arguments ?? {};
	const call = isRecord(input)
		? { id, name: searchTool, input }
		: callFromJson(id, searchTool, typeof input === 'string' ? input : JSON.stringify(input));
	return { part: { type: 'call', id }, call };
}

function* usageOf({ usage }: Response): Generator<ChatModelEvent> {
	if (!usage) return;
	const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
	yield { type: 'usage', usage: { inputTokens, outputTokens, ...usageDetails({ ...usage }) } };
}
