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
import { NewCalls } from '../../callIds.ts';
import type { ChatModelEvent, ToolCall } from '../../chatModel.ts';
import { cutOff, malformed, outputLimitReached, refused } from '../../http/answerErrors.ts';
import { failureOf } from '../../http/failure.ts';
import { modelErrorOf } from '../../http/retries.ts';
import { ModelError } from '../../modelError.ts';
import type { Endpoint } from '../../provider.ts';
import { callFromJson, callFromValue, textOf } from '../../wireCalls.ts';
import { usageDetails } from '../usageDetails.ts';

/** Whether a message is said on the way, or is the answer. */
export type MessagePhase = 'commentary' | 'final_answer';

/** One item of a model's answer, as far as a later request has to repeat it. */
export type AnswerPart =
	| { readonly type: 'reasoning'; readonly item: ResponseReasoningItem }
	| { readonly type: 'text'; readonly text: string; readonly phase?: MessagePhase }
	/** `id`: the provider's. `namespace`: under which the model called a tool that it had loaded. */
	| { readonly type: 'call'; readonly id: string; readonly namespace?: string };

/** What stands between two messages of one answer. */
const messageSeparator = '\n\n';

/** A finished item: what a later request repeats of it, and the call that it is. */
interface FinishedItem {
	readonly part: AnswerPart;
	readonly call?: ToolCall;
}

/**
 * Reads the stream of one answer. Throws a `ModelError` where it is not whole: calls that were finished by then have been handed out, one
 * that was cut has not. `thinker`: see `thinkerOf`.
 */
export async function* answerEvents(
	events: AsyncIterable<ResponseStreamEvent>,
	endpoint: Endpoint,
	searchTool: string | undefined,
	thinker: string,
): AsyncGenerator<ChatModelEvent> {
	const parts: AnswerPart[] = [];
	const calls = new NewCalls();
	const seen = new Set<string>();
	let speaking: string | undefined;
	/** Text of the message that is being said has been told. */
	let isTold = false;
	function* finish(item: ResponseOutputItem): Generator<ChatModelEvent> {
		// Some gateways send this event twice.
		const { id = '' } = item;
		if (id !== '' && seen.has(id)) return;
		seen.add(id);
		const finished = finishedItem(item, searchTool);
		const call = finished?.call && calls.add(finished.call);
		if (finished && (call || !finished.call)) parts.push(finished.part);
		if (call) yield { type: 'toolCall', call };
		if (item.type !== 'message') return;
		// Gateways that do not stream texts send each whole, with the item.
		if (!isTold && finished?.part.type === 'text') {
			if (speaking !== undefined) yield { type: 'text', text: messageSeparator };
			speaking = item.id;
			yield { type: 'text', text: finished.part.text };
		}
		isTold = false;
	}
	for await (const event of events) {
		switch (event.type) {
			case 'response.output_text.delta':
			case 'response.refusal.delta':
				if (speaking !== undefined && speaking !== event.item_id)
					yield { type: 'text', text: messageSeparator };
				speaking = event.item_id;
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
				if (parts.length === 0 && speaking === undefined)
					for (const item of event.response.output ?? []) yield* finish(item);
				// The usage comes before the failure: it was paid for, and an answer that used up its limit is not asked for again.
				yield* usageOf(event.response);
				const failure = failureOfAnswer(endpoint, event.response);
				if (failure) throw failure;
				if (parts.some(({ type }) => type !== 'text')) {
					yield { type: 'thought', thought: { by: thinker, data: parts } };
				}
				return;
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

/** Without encrypted content an item would refer to the API's store, where nothing is kept. */
function reasoning({ id, summary, encrypted_content }: ResponseReasoningItem): FinishedItem | undefined {
	if (!encrypted_content) return undefined;
	return { part: { type: 'reasoning', item: { type: 'reasoning', id, summary, encrypted_content } } };
}

function message({ content, phase }: ResponseOutputMessage): FinishedItem | undefined {
	const text = content.map((part) => textOf(part.type === 'output_text' ? part.text : part.refusal)).join('');
	return text === '' ? undefined : { part: { type: 'text', text, ...(phase && { phase }) } };
}

function functionCall({
	call_id: id,
	name,
	namespace,
	arguments: json,
}: ResponseFunctionToolCall): FinishedItem {
	return {
		part: { type: 'call', id, ...(namespace && { namespace }) },
		call: callFromJson(id, textOf(name), json),
	};
}

/** A search that the provider ran itself is not for us to answer. */
function searchCall(item: ResponseToolSearchCall, searchTool: string | undefined): FinishedItem | undefined {
	const id = item.call_id ?? item.id;
	if (searchTool === undefined || item.execution === 'server') return undefined;
	const input = item.arguments ?? {};
	const call =
		typeof input === 'string' ? callFromJson(id, searchTool, input) : callFromValue(id, searchTool, input);
	return { part: { type: 'call', id }, call };
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
