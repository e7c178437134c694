import type Anthropic from '@anthropic-ai/sdk';
import type { TokenUsage } from '../../discovery/cost.ts';
import { isRecord } from '../../discovery/record.ts';
import type { ChatModelEvent, ToolCall } from '../chatModel.ts';
import type { Endpoint } from '../endpoint.ts';
import { cutOff, outputLimitReached, refused } from '../http/brokenAnswer.ts';
import { failureOf } from '../http/failure.ts';
import type { ModelError } from '../modelError.ts';
import { callFromJson } from '../toolArguments.ts';

/** A call whose arguments are arriving. */
interface StartedCall {
	readonly id: string;
	readonly name: string;
	json: string;
}

type Counts = Partial<Record<(typeof countNames)[number] | 'thinking_tokens', number>>;

const countNames = [
	'input_tokens',
	'cache_creation_input_tokens',
	'cache_read_input_tokens',
	'output_tokens',
] as const;

/**
 * One answer out of the events of the API: text as it comes, then the calls, then the usage. Calls come last because only the end of the
 * answer tells whether their arguments are whole. Thinking is left out: nobody asked for it, and sent back it
 * would have to match the very prompt that it came from.
 *
 * Throws a `ModelError`: `cut` where the answer breaks off or reaches the model's output limit without a call, `refused` where the model
 * refuses.
 */
export async function* answerEvents(
	events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
	endpoint: Endpoint,
	maxOutputTokens: number,
): AsyncGenerator<ChatModelEvent> {
	const answer = new Answer();
	let isComplete = false;
	for await (const event of events) {
		switch (event.type) {
			case 'message_start':
				answer.count(event.message?.usage);
				break;
			case 'content_block_start':
				answer.start(event.index, event.content_block);
				break;
			case 'content_block_delta':
				if (event.delta?.type === 'text_delta') yield { type: 'text', text: event.delta.text };
				if (event.delta?.type === 'input_json_delta') answer.add(event.index, event.delta.partial_json);
				break;
			case 'message_delta':
				answer.count(event.usage);
				answer.stop(event.delta);
				break;
			case 'message_stop':
				isComplete = true;
				yield* answer.end(endpoint, maxOutputTokens);
				// The stream is read on to its end: left here, the connection would be closed and not used again.
				break;
		}
	}
	if (!isComplete) throw cutOff(endpoint);
}

/** What is known of an answer so far, its text apart. */
class Answer {
	readonly #calls = new Map<number, StartedCall>();
	#lastBlock = -1;
	#counts: Counts = {};
	#stop: Partial<Anthropic.RawMessageDeltaEvent.Delta> = {};

	start(index: number, block: Anthropic.RawContentBlockStartEvent['content_block'] | undefined): void {
		this.#lastBlock = index;
		if (block?.type === 'tool_use') this.#calls.set(index, startedCall(block));
	}

	add(index: number, json: string): void {
		const call = this.#calls.get(index);
		if (call) call.json += json;
	}

	count(usage: object | null | undefined): void {
		this.#counts = { ...this.#counts, ...countsOf(usage) };
	}

	stop(delta: Partial<Anthropic.RawMessageDeltaEvent.Delta> | undefined): void {
		this.#stop = { ...this.#stop, ...delta };
	}

	*end(endpoint: Endpoint, maxOutputTokens: number): Generator<ChatModelEvent> {
		const { stop_reason: reason, stop_details: details } = this.#stop;
		const isFull = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
		const calls = reason === 'refusal' ? [] : [...this.#calls];
		for (const [index, call] of calls) {
			yield { type: 'toolCall', call: finishedCall(call, isFull && index === this.#lastBlock) };
		}
		const usage = usageOf(this.#counts);
		if (usage) yield { type: 'usage', usage };
		if (reason === 'refusal') throw refused(endpoint, details?.explanation ?? '');
		if (isFull && calls.length === 0) throw full(endpoint, reason, maxOutputTokens);
	}
}

/** Endpoints that do not stream arguments send them with the start. */
function startedCall({ id, name, input }: Anthropic.ToolUseBlock): StartedCall {
	const json = JSON.stringify(input ?? {});
	return { id, name, json: json === '{}' ? '' : json };
}

function finishedCall({ id, name, json }: StartedCall, isCut: boolean): ToolCall {
	if (!isCut || json.trim() !== '') return callFromJson(id, name, json);
	const fault =
		'The answer reached the output limit before the arguments were written. Say less, and make the call again.';
	return { id, name, input: {}, fault };
}

/** The numbers among what is told of the usage; later events repeat earlier ones, some with `null`. */
function countsOf(usage: object | null | undefined): Counts {
	const told: Readonly<Record<string, unknown>> = { ...usage };
	const details = isRecord(told.output_tokens_details) ? told.output_tokens_details : {};
	const counts = [
		...countNames.map((name) => [name, told[name]]),
		['thinking_tokens', details.thinking_tokens],
	];
	return Object.fromEntries(counts.filter(([, count]) => typeof count === 'number'));
}

function usageOf(counts: Counts): TokenUsage | undefined {
	if (Object.keys(counts).length === 0) return undefined;
	const {
		input_tokens = 0,
		cache_creation_input_tokens: written,
		cache_read_input_tokens: cached,
		thinking_tokens: thought,
	} = counts;
	return {
		inputTokens: input_tokens + (written ?? 0) + (cached ?? 0),
		outputTokens: counts.output_tokens ?? 0,
		...(cached !== undefined && { cachedInputTokens: cached }),
		...(written !== undefined && { cacheWriteTokens: written }),
		...(thought !== undefined && { thoughtTokens: thought }),
	};
}

/** There was no room for more. */
function full(endpoint: Endpoint, reason: Anthropic.StopReason, limit: number): ModelError {
	if (reason === 'model_context_window_exceeded') return failureOf(endpoint, { code: reason });
	return outputLimitReached(endpoint, limit);
}
