import type {
	Response,
	ResponseFunctionToolCall,
	ResponseOutputItem,
	ResponseOutputMessage,
	ResponseReasoningItem,
	ResponseStreamEvent,
	ResponseToolSearchCall,
} from 'openai/resources/responses/responses';
import { reportedTokens } from '../../../common/cost.ts';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import type { AnswerPart, ToolCall } from '../../../discovery/catalog/message.ts';
import { NewCalls } from '../../callIds.ts';
import type { ChatModelEvent } from '../../chatModel.ts';
import { cutOff, malformed, outputLimitReached, refused } from '../../http/answerErrors.ts';
import { failureOf } from '../../http/failure.ts';
import { modelErrorOf } from '../../http/retries.ts';
import { ModelError } from '../../modelError.ts';
import type { Endpoint } from '../../provider.ts';
import type { Thinker } from '../../thinker.ts';
import { callFromJson, callFromValue, textOf } from '../../wireCalls.ts';
import { usageDetails } from '../usageDetails.ts';

/** Whether a message is said on the way, or is the answer. */
export type MessagePhase = 'commentary' | 'final_answer';

/** What the origin of a part holds. */
export type ResponsesOrigin =
	| { readonly reasoning: ResponseReasoningItem }
	/** A message that ends here. */
	| { readonly phase?: MessagePhase }
	/** Stands between two messages of one answer, for people to read. */
	| { readonly isGap: true }
	/** `id`: the provider's. `namespace`: under which the model called a tool that it had loaded. */
	| { readonly id: string; readonly namespace?: string };

/** What stands between two messages of one answer. */
const messageSeparator = '\n\n';

/**
 * Reads the stream of one answer. Throws a `ModelError` where it is not whole: calls that were finished by then have been handed out, one
 * that was cut has not.
 */
export async function* answerEvents(
	events: AsyncIterable<ResponseStreamEvent>,
	endpoint: Endpoint,
	searchTool: string | undefined,
	thinker: Thinker,
): AsyncGenerator<ChatModelEvent> {
	const calls = new NewCalls();
	const seen = new Set<string>();
	let speaking: string | undefined;
	/** Text of the message that is being said has been told. */
	let isTold = false;
	let hasParts = false;
	let hasCalled = false;
	function* separated(message: string | undefined): Generator<AnswerPart> {
		if (speaking !== undefined && speaking !== message) {
			yield { type: 'text', text: messageSeparator, origin: thinker.origin({ isGap: true }) };
		}
		speaking = message;
	}
	function* finish(item: ResponseOutputItem): Generator<AnswerPart> {
		const key = itemKey(item);
		// Some gateways send this event twice.
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
			// Gateways that do not stream texts send each whole, with the item.
			if (!isTold) yield* separated(item.id ?? '');
			yield { type: 'text', text: isTold ? '' : finished.text, origin };
		}
		if (item.type === 'message') isTold = false;
	}
	for await (const event of events) {
		switch (event.type) {
			case 'response.output_text.delta':
			case 'response.refusal.delta':
				yield* separated(event.item_id);
				isTold = true;
				yield { type: 'text', text: textOf(event.delta) };
				break;
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
				yield { type: 'thinking', text: textOf(event.delta) };
				break;
			case 'response.reasoning_summary_part.added':
				if (event.summary_index > 0) yield { type: 'thinking', text: messageSeparator };
				break;
			case 'response.output_item.done':
				yield* finish(event.item);
				break;
			case 'response.completed':
			case 'response.incomplete':
			case 'response.failed': {
				// Some gateways send the items only with the end of the answer.
				if (!hasParts && speaking === undefined)
					for (const item of event.response.output ?? []) yield* finish(item);
				// The usage comes before the failure: it was paid for, and an answer that used up its limit is not asked for again.
				yield* usageOf(event.response);
				const failure = failureOfAnswer(endpoint, event.response);
				// A call that came whole before the limit can be made.
				if (failure && !(failure.reason === 'outputLimit' && hasCalled)) throw failure;
				return;
			}
			case 'error':
				throw failureInAnswer(endpoint, { ...event });
		}
	}
	throw cutOff(endpoint);
}

/** Identifies an item; `undefined` where nothing does. Some gateways give several calls the id of one item. */
function itemKey(item: ResponseOutputItem): string | undefined {
	const call = 'call_id' in item ? item.call_id : undefined;
	return item.id || call ? JSON.stringify([item.id, call]) : undefined;
}

/** A finished item: a call, the text of a message, or else a thought. */
interface FinishedItem {
	readonly data: ResponsesOrigin;
	readonly call?: ToolCall;
	readonly text?: string;
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

/** Without encrypted content an item would refer to the API's store, where nothing is kept. */
function reasoning({ id, summary, encrypted_content }: ResponseReasoningItem): FinishedItem | undefined {
	if (!encrypted_content) return undefined;
	return { data: { reasoning: { type: 'reasoning', id, summary, encrypted_content } } };
}

function message({ content, phase }: ResponseOutputMessage): FinishedItem | undefined {
	const text = content.map((part) => textOf(part.type === 'output_text' ? part.text : part.refusal)).join('');
	return text === '' ? undefined : { text, data: { ...(phase && { phase }) } };
}

function functionCall({
	call_id: id,
	name,
	namespace,
	arguments: json,
}: ResponseFunctionToolCall): FinishedItem {
	return { data: { id, ...(namespace && { namespace }) }, call: callFromJson(id, textOf(name), json) };
}

/** A search that the provider ran itself is not for us to answer. */
function searchCall(item: ResponseToolSearchCall, searchTool: string | undefined): FinishedItem | undefined {
	const id = item.call_id ?? item.id;
	if (searchTool === undefined || item.execution === 'server') return undefined;
	const input = item.arguments ?? {};
	const call =
		typeof input === 'string' ? callFromJson(id, searchTool, input) : callFromValue(id, searchTool, input);
	return { data: { id }, call };
}

function* usageOf({ usage }: Response): Generator<ChatModelEvent> {
	const [inputTokens, outputTokens] = [
		reportedTokens(usage?.input_tokens),
		reportedTokens(usage?.output_tokens) ?? 0,
	];
	if (!usage || inputTokens === undefined) return;
	yield { type: 'usage', usage: { inputTokens, outputTokens, ...usageDetails({ ...usage }) } };
}

/** Codes of failures that are the provider's, or the account's; the others are of the request, and would come again. */
const notOfTheRequest = /server|timeout|rate_limit|overloaded|quota|billing/i;

/** Why an answer that has ended is not whole; `undefined` where it is. */
function failureOfAnswer(endpoint: Endpoint, response: Response): ModelError | undefined {
	switch (response.status) {
		case 'failed':
			return failureInAnswer(endpoint, { ...response.error });
		case 'incomplete':
			return incomplete(endpoint, response.incomplete_details?.reason);
		case 'cancelled':
			return cutOff(endpoint);
		default:
			return undefined;
	}
}

function incomplete(endpoint: Endpoint, reason: string | undefined): ModelError {
	switch (reason) {
		case 'content_filter':
			return refused(endpoint, 'the content filter stopped the answer.');
		case 'max_output_tokens':
			return outputLimitReached(endpoint);
		default:
			return cutOff(endpoint);
	}
}

/** The error for an `error` event, or for the error of a failed answer: `code`, `type` and `message` of either. */
function failureInAnswer(endpoint: Endpoint, said: JsonRecord): ModelError {
	// An `error` event that names nothing else has its own type there.
	const names = [said.code, said.type].filter((name) => typeof name === 'string' && name !== 'error');
	const code = String(names[0] ?? '');
	const detail = typeof said.message === 'string' ? said.message : '';
	// Policies are named, e.g. `image_content_policy_violation`; `invalid_prompt` is OpenAI's word for one that a prompt went against.
	if (/policy|^invalid_prompt$/.test(code)) {
		return new ModelError('refused', failureOf(endpoint, { status: 400, detail }).message);
	}
	// The provider would have answered 400 had it noticed before the answer began.
	const status = code === '' || notOfTheRequest.test(code) ? undefined : 400;
	return failureOf(endpoint, { status, code, detail });
}

/** The error for whatever the SDK throws: ours inside of it, what the API said, or a connection that broke. */
export function failureOfRequest(endpoint: Endpoint, error: unknown): ModelError {
	const known = modelErrorOf(error);
	if (known) return known;
	if (error instanceof SyntaxError) return malformed(endpoint, error);
	const said = error instanceof Error && 'error' in error ? error.error : undefined;
	return isRecord(said) ? failureInAnswer(endpoint, said) : cutOff(endpoint, error);
}
