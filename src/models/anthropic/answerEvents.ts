import type Anthropic from '@anthropic-ai/sdk';
import { reportedTokens, type TokenUsage } from '../../common/cost.ts';
import { isRecord } from '../../common/json.ts';
import { NewCalls } from '../callIds.ts';
import type { ChatModelEvent, ToolCall } from '../chatModel.ts';
import { cutOff, malformed, outputLimitReached, refused } from '../http/answerErrors.ts';
import { explanationOf } from '../http/explanation.ts';
import { failureOf } from '../http/failure.ts';
import { modelErrorOf } from '../http/retries.ts';
import type { ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { callFromJson, callFromValue, textOf } from '../wireCalls.ts';

type Events = AsyncIterable<Anthropic.RawMessageStreamEvent>;

/**
 * The events of an answer, with every way in which reading them can fail as a `ModelError`. `contentType` is the answer's: what neither
 * claims to be a stream of events nor holds any comes from another kind of server.
 */
export async function* readableEvents(
	events: Events,
	contentType: string,
	endpoint: Endpoint,
): AsyncGenerator<Anthropic.RawMessageStreamEvent> {
	let isSilent = true;
	let isComplete = false;
	try {
		for await (const event of events) {
			isSilent = false;
			isComplete ||= event.type === 'message_stop';
			yield event;
		}
	} catch (error) {
		// Once the answer is complete, it does not matter how the connection ends.
		if (!isComplete) throw readingFailure(error, endpoint);
	}
	if (isSilent && !/event-stream/i.test(contentType)) throw malformed(endpoint);
}

function readingFailure(error: unknown, endpoint: Endpoint): ModelError {
	const ours = modelErrorOf(error);
	if (ours) return ours;
	// An `error` event in the stream, which the SDK throws with the event's data as `error`.
	if (error instanceof Error && 'error' in error && error.error !== undefined) {
		const said = typeof error.error === 'string' ? error.error : JSON.stringify(error.error);
		return failureOf(endpoint, { ...explanationOf(said), cause: error });
	}
	if (error instanceof SyntaxError) return malformed(endpoint, error);
	return cutOff(endpoint, error);
}

/** A block that the model gets back as it was: what it thought, readable and signed, or sealed. */
type ThoughtBlock = Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam;

/** One block of a model's answer, as far as a later request has to repeat it. */
export type AnswerPart =
	| { readonly type: 'thought'; readonly block: ThoughtBlock }
	| { readonly type: 'text'; readonly text: string }
	/** `id`: the provider's. */
	| { readonly type: 'call'; readonly id: string };

/** A block that is arriving. */
type StartedBlock =
	| { readonly type: 'thinking'; thinking: string; signature: string }
	| { readonly type: 'redacted_thinking'; readonly data: string }
	| { readonly type: 'text'; text: string }
	/** `input`: what came with the start, from endpoints that do not stream arguments. */
	| {
			readonly type: 'call';
			readonly id: string;
			readonly name: string;
			readonly input: unknown;
			json: string;
	  };
type StartedCall = StartedBlock & { type: 'call' };

type Counts = Partial<Record<(typeof countNames)[number] | 'thinking_tokens', number>>;

const countNames = [
	'input_tokens',
	'cache_creation_input_tokens',
	'cache_read_input_tokens',
	'output_tokens',
] as const;

/**
 * One answer out of the events of the API: text and thinking as they come, then the calls, what is to be sent back, and the usage. Calls
 * come last because only the end of the answer tells whether their arguments are whole.
 *
 * Throws a `ModelError`: `cut` where the answer breaks off or reaches the model's output limit without a call, `refused` where the model
 * refuses.
 */
export async function* answerEvents(
	events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
	endpoint: Endpoint,
	settings: AnswerSettings,
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
				// Empty from Anthropic itself; others send a text in one piece.
				if (event.content_block?.type === 'text' && event.content_block.text) {
					yield { type: 'text', text: textOf(event.content_block.text) };
				}
				break;
			case 'content_block_delta':
				answer.add(event.index, event.delta);
				if (event.delta?.type === 'text_delta') yield { type: 'text', text: textOf(event.delta.text) };
				if (event.delta?.type === 'thinking_delta') {
					yield { type: 'thinking', text: textOf(event.delta.thinking) };
				}
				break;
			case 'message_delta':
				answer.count(event.usage);
				answer.stop(event.delta);
				break;
			case 'message_stop':
				isComplete = true;
				yield* answer.end(endpoint, settings);
				// The stream is read to its end: otherwise the connection would be closed and not used again.
				break;
		}
	}
	if (!isComplete) throw cutOff(endpoint);
}

/** What the reading of an answer depends on. */
interface AnswerSettings {
	readonly maxOutputTokens: number;
	/** See `thinkerOf`. */
	readonly thinker: string;
}

/** What is known of an answer so far. */
class Answer {
	/** In the order in which they began. */
	readonly #blocks = new Map<number, StartedBlock>();
	#lastBlock = -1;
	#counts: Counts = {};
	#stop: Partial<Anthropic.RawMessageDeltaEvent.Delta> = {};

	start(index: number, block: Anthropic.RawContentBlockStartEvent['content_block'] | undefined): void {
		this.#lastBlock = index;
		const started = block && startedBlock(block);
		if (started) this.#blocks.set(index, started);
	}

	add(index: number, delta: Partial<Anthropic.RawContentBlockDelta> | undefined): void {
		const block = this.#blocks.get(index);
		if (block?.type === 'call' && delta?.type === 'input_json_delta')
			block.json += textOf(delta.partial_json);
		if (block?.type === 'text' && delta?.type === 'text_delta') block.text += textOf(delta.text);
		if (block?.type !== 'thinking') return;
		if (delta?.type === 'thinking_delta') block.thinking += textOf(delta.thinking);
		if (delta?.type === 'signature_delta') block.signature += textOf(delta.signature);
	}

	count(usage: object | null | undefined): void {
		this.#counts = { ...this.#counts, ...countsOf(usage) };
	}

	stop(delta: Partial<Anthropic.RawMessageDeltaEvent.Delta> | undefined): void {
		this.#stop = { ...this.#stop, ...delta };
	}

	*end(endpoint: Endpoint, { maxOutputTokens, thinker }: AnswerSettings): Generator<ChatModelEvent> {
		const { stop_reason: reason, stop_details: details } = this.#stop;
		const isFull = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
		const newCalls = new NewCalls();
		const calls: ToolCall[] = [];
		const parts: AnswerPart[] = [];
		for (const [index, block] of reason === 'refusal' ? [] : this.#blocks) {
			if (block.type !== 'call') parts.push(finishedPart(block));
			else {
				const call = newCalls.add(finishedCall(block, isFull && index === this.#lastBlock));
				if (!call) continue;
				parts.push({ type: 'call', id: block.id });
				calls.push(call);
			}
		}
		for (const call of calls) yield { type: 'toolCall', call };
		if (parts.some(({ type }) => type !== 'text'))
			yield { type: 'thought', thought: { by: thinker, data: parts } };
		const usage = usageOf(this.#counts);
		if (usage) yield { type: 'usage', usage };
		if (reason === 'refusal') throw refused(endpoint, textOf(details?.explanation));
		if (isFull && calls.length === 0) throw full(endpoint, reason, maxOutputTokens);
	}
}

/** Some endpoints send the whole input with the start of the block instead of streaming it. */
function startedBlock(block: Anthropic.RawContentBlockStartEvent['content_block']): StartedBlock | undefined {
	switch (block.type) {
		case 'thinking':
			return { type: 'thinking', thinking: textOf(block.thinking), signature: textOf(block.signature) };
		case 'redacted_thinking':
			return { type: 'redacted_thinking', data: block.data };
		case 'text':
			return { type: 'text', text: textOf(block.text) };
		case 'tool_use':
			return { type: 'call', id: textOf(block.id), name: textOf(block.name), input: block.input, json: '' };
		default:
			return undefined;
	}
}

function finishedPart(block: Exclude<StartedBlock, StartedCall>): AnswerPart {
	return block.type === 'text' ? { type: 'text', text: block.text } : { type: 'thought', block };
}

function finishedCall({ id, name, input, json }: StartedCall, isCut: boolean): ToolCall {
	if (json.trim() !== '') return callFromJson(id, name, json);
	const isGiven = isRecord(input) && Object.keys(input).length > 0;
	if (!isCut || isGiven) return callFromValue(id, name, input ?? {});
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
	return Object.fromEntries(counts.filter(([, count]) => reportedTokens(count) !== undefined));
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

/** The error for an answer that ran out of tokens. */
function full(endpoint: Endpoint, reason: Anthropic.StopReason, limit: number): ModelError {
	if (reason === 'model_context_window_exceeded') return failureOf(endpoint, { code: reason });
	return outputLimitReached(endpoint, limit);
}
