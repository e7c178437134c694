import type { Response, ResponseOutputItem } from 'openai/resources/responses/responses';
import { type HttpAnswer, halves, sse, whole } from '../../loopback.ts';

/** An event of a stream, without its number. */
export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A stream of events, and its end. */
export function stream(...events: readonly WireEvent[]): HttpAnswer {
	const numbered = events.map((event, sequence_number) => ({ ...event, sequence_number }));
	return whole(200, sse(...numbered), { 'content-type': 'text/event-stream; charset=utf-8' });
}

/** A whole answer that consists of some items, with all events that OpenAI sends for them. */
export function answer(
	items: readonly ResponseOutputItem[],
	usage: Partial<Response['usage']> = {},
): HttpAnswer {
	return stream(...itemEvents(items), completed(usage));
}

/** The events of some items that are finished. */
export function itemEvents(items: readonly ResponseOutputItem[]): WireEvent[] {
	return [
		{ type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
		...items.flatMap(eventsOf),
	];
}

/** The end of a whole answer. */
export function completed(usage: Partial<Response['usage']> = {}): WireEvent {
	return {
		type: 'response.completed',
		response: {
			id: 'resp_1',
			status: 'completed',
			error: null,
			incomplete_details: null,
			usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110, ...usage },
		},
	};
}

/** The end of an answer that was not let come to its end. */
export function incomplete(reason: string): WireEvent {
	return {
		type: 'response.incomplete',
		response: {
			id: 'resp_1',
			status: 'incomplete',
			error: null,
			incomplete_details: { reason },
			usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150 },
		},
	};
}

function eventsOf(item: ResponseOutputItem, output_index: number): WireEvent[] {
	return [
		{ type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
		...deltasOf(item, output_index),
		{ type: 'response.output_item.done', output_index, item },
	];
}

/** Texts and arguments come in two pieces. */
function deltasOf(item: ResponseOutputItem, output_index: number): WireEvent[] {
	const place = { item_id: item.id, output_index };
	if (item.type === 'function_call') {
		return halves(item.arguments).map((delta) => ({
			type: 'response.function_call_arguments.delta',
			...place,
			delta,
		}));
	}
	if (item.type === 'reasoning') {
		return item.summary.flatMap(({ text }, summary_index) =>
			halves(text).map((delta) => ({
				type: 'response.reasoning_summary_text.delta',
				...place,
				summary_index,
				delta,
			})),
		);
	}
	if (item.type !== 'message') return [];
	return item.content.flatMap((part, content_index) => {
		const [kind, text] = part.type === 'refusal' ? ['refusal', part.refusal] : ['output_text', part.text];
		return halves(text).map((delta) => ({ type: `response.${kind}.delta`, ...place, content_index, delta }));
	});
}

/** What a model says. */
export function said(
	text: string,
	phase?: 'commentary' | 'final_answer',
): ResponseOutputItem & { type: 'message' } {
	return {
		type: 'message',
		id: `msg_${text.length}`,
		role: 'assistant',
		status: 'completed',
		content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
		...(phase && { phase }),
	};
}

/** A call of a function, with its arguments as the model wrote them. */
export function called(
	call_id: string,
	name: string,
	json: string,
	more: { readonly namespace?: string; readonly status?: 'incomplete' } = {},
): ResponseOutputItem & { type: 'function_call' } {
	return {
		type: 'function_call',
		id: `fc_${call_id}`,
		call_id,
		name,
		arguments: json,
		status: 'completed',
		...more,
	};
}

/** A search that the model wants us to make. */
export function searched(call_id: string, input: unknown): ResponseOutputItem & { type: 'tool_search_call' } {
	return {
		type: 'tool_search_call',
		id: `tsc_${call_id}`,
		call_id,
		execution: 'client',
		status: 'completed',
		arguments: input,
	};
}

/** What a model thought, as only OpenAI can read it, and a summary. */
export function thought(
	id: string,
	encrypted_content?: string,
	summary?: string,
): ResponseOutputItem & { type: 'reasoning' } {
	return {
		type: 'reasoning',
		id,
		summary: summary === undefined ? [] : [{ type: 'summary_text', text: summary }],
		...(encrypted_content && { encrypted_content }),
	};
}
