import type { ResponseOutputItem, ResponseReasoningItem } from 'openai/resources/responses/responses';
import { type JsonRecord, recordOf, recordsIn } from '../../../common/json.ts';
import type { ArrivingCall, CallPiece } from '../../arrivingCalls.ts';
import type { ChatRequest } from '../../chatModel.ts';
import { AnswerReader, type Ending, endingOf, type StreamEvent } from '../../http/answerReader.ts';
import { explanationOf } from '../../http/explanation.ts';
import { failureOf } from '../../http/failure.ts';
import { usageIn } from '../../usage.ts';
import { textOf } from '../../wireCalls.ts';

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

type ReasoningItem = Omit<ResponseReasoningItem, 'summary'> & Partial<Pick<ResponseReasoningItem, 'summary'>>;

const messageSeparator = '\n\n';

/** Turns the events of the API into one answer. */
export class ResponsesReader extends AnswerReader<Pick<ChatRequest, 'searchTool'>> {
	/** Finished items other than calls. */
	readonly #finishedItems = new Set<string>();
	/** The place of the message that is arriving: Copilot's proxy gives each event of an item another id (https://github.com/vercel/ai/pull/18548). */
	#messagePlace: unknown;
	/** Whether text of the current message was already streamed. */
	#isStreamed = false;
	#hasItems = false;
	/** The response as it was when it ended. */
	#response: JsonRecord | undefined;

	override isLast({ type }: JsonRecord): boolean {
		return type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed';
	}

	override isWhole({ output }: JsonRecord): boolean {
		return Array.isArray(output);
	}

	read(event: StreamEvent): void {
		if (event === 'done') return;
		switch (event.type) {
			case 'response.output_text.delta':
			case 'response.refusal.delta':
				this.#separate(event.output_index ?? event.item_id);
				this.#isStreamed = true;
				this.answer.speak(textOf(event.delta));
				break;
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
				this.answer.say({ type: 'thinking', text: textOf(event.delta) });
				break;
			case 'response.reasoning_summary_part.added':
				if (Number(event.summary_index) > 0) this.answer.say({ type: 'thinking', text: messageSeparator });
				break;
			case 'response.output_item.added':
				if (recordOf(event.item).type === 'function_call')
					this.answer.call(callPiece(recordOf(event.item), event.output_index));
				break;
			case 'response.function_call_arguments.delta':
				this.answer.call({ ...placeOf(event), json: textOf(event.delta) });
				break;
			case 'response.function_call_arguments.done':
				this.answer.call({ ...placeOf(event), input: textOf(event.arguments) });
				break;
			case 'response.output_item.done':
				this.#finish(recordOf(event.item), event.output_index);
				break;
		}
		if (this.isLast(event)) this.#response = recordOf(event.response);
		// A server that does not stream sends the response itself.
		else if (event.type === undefined) this.#response = event;
	}

	/** A call that was cut off is not part of the answer. */
	protected outcome(streamError: unknown) {
		const { status, error, usage, output, incomplete_details } = this.#response ?? {};
		// Some gateways send the items, or the arguments of calls, only with the end of the answer.
		const hasContent = this.#hasItems || this.#messagePlace !== undefined;
		for (const [place, item] of (Array.isArray(output) ? output.map(recordOf) : []).entries()) {
			const id = textOf(item.call_id);
			const isNew = id !== '' && !this.answer.calls.hasArguments(id);
			if (!hasContent || isNew) this.#finish(item, place);
		}
		const reason = textOf(recordOf(incomplete_details).reason);
		const ending = this.#response ? endingOfResponse(status, reason) : 'cut';
		const isComplete = ending === 'complete' && !streamError;
		const failed = status === 'failed' ? failureOf(this.endpoint, explanationOf({ error })) : undefined;
		return {
			hasEnded: this.#response !== undefined,
			reason,
			ending,
			usage: usageIn(usage),
			failure: streamError ?? failed,
			mayLack: ({ isClosed }: ArrivingCall) => !isClosed,
			isIncluded: ({ isClosed }: ArrivingCall) => isClosed || isComplete,
		};
	}

	#separate(place: unknown): void {
		if (this.#messagePlace !== undefined && this.#messagePlace !== place) {
			const origin = this.thinker.origin({ isGap: true });
			this.answer.say({ type: 'text', text: messageSeparator, origin });
		}
		this.#messagePlace = place;
	}

	#finish(item: JsonRecord, index?: unknown): void {
		if (item.type === 'function_call' || item.type === 'tool_search_call') {
			this.#finishCall(item, index);
			return;
		}
		// Some gateways send this event twice.
		const key = item.id ? JSON.stringify(item.id) : undefined;
		if (key !== undefined && this.#finishedItems.has(key)) return;
		if (key !== undefined) this.#finishedItems.add(key);
		const finished = finishedItem(item);
		if (!finished) return;
		this.#hasItems = true;
		const origin = this.thinker.origin(finished.data);
		if (finished.text === undefined) this.answer.say({ type: 'thinking', text: '', origin });
		else {
			// Gateways that do not stream texts send each one with its finished item.
			if (!this.#isStreamed) {
				this.#separate(index ?? item.id ?? '');
				this.answer.speak(finished.text);
			}
			this.answer.say({ type: 'text', text: '', origin });
			this.#isStreamed = false;
		}
	}

	#finishCall(item: JsonRecord, index: unknown): void {
		if (item.status === 'incomplete') return;
		// A search that the provider ran itself needs no answer from us.
		const isSearch = item.type === 'tool_search_call';
		const { searchTool } = this.request;
		if (isSearch && (searchTool === undefined || item.execution === 'server')) return;
		this.#hasItems = true;
		const piece: CallPiece = { ...callPiece(item, index), step: 'ends' };
		this.answer.call(isSearch ? { ...piece, name: searchTool ?? '' } : piece);
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
function finishedItem(
	item: JsonRecord,
): { readonly data: ResponsesOrigin; readonly text?: string } | undefined {
	const type = item.type as ResponseOutputItem['type'];
	if (type === 'reasoning') {
		// The API refuses an item without a summary, which some gateways leave out when it is empty.
		const { id, encrypted_content, summary = [] } = item as unknown as ReasoningItem;
		// Without encrypted content an item would refer to the API's store, where nothing is kept.
		return encrypted_content ? { data: { reasoning: { type, id, summary, encrypted_content } } } : undefined;
	}
	if (type !== 'message') return undefined;
	const content = recordsIn(item.content);
	const text = content.map((part) => textOf(part.type === 'output_text' ? part.text : part.refusal)).join('');
	const phase = item.phase as MessagePhase | undefined;
	return text === '' ? undefined : { text, data: { ...(phase && { phase }) } };
}

/** How a response ended that has this status, and is incomplete for this reason. */
function endingOfResponse(status: unknown, reason: string): Ending {
	if (status === 'failed') return 'failed';
	if (status !== 'incomplete') return status === 'cancelled' ? 'cut' : 'complete';
	const ending = endingOf(reason);
	return ending === 'complete' || ending === 'unknown' ? 'cut' : ending;
}
