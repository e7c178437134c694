import type Anthropic from '@anthropic-ai/sdk';
import { reportedTokens, type TokenUsage } from '../../common/cost.ts';
import { isRecord } from '../../common/json.ts';
import type { AnswerPart, ToolCall } from '../../discovery/catalog/message.ts';
import { NewCalls } from '../callIds.ts';
import type { ChatModelEvent } from '../chatModel.ts';
import { cutOff, malformed, outputLimitReached, refused } from '../http/answerErrors.ts';
import { explanationOf } from '../http/explanation.ts';
import { failureOf } from '../http/failure.ts';
import { modelErrorOf } from '../http/retries.ts';
import type { ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import type { Thinker } from '../thinker.ts';
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

/** What the origin of a part holds. */
export type AnthropicOrigin =
	/** A thought with its signature. */
	| { readonly signature: string }
	/** A sealed thought. */
	| { readonly redacted: string }
	/** What the provider called the call. */
	| { readonly id: string };

/** A block that is arriving. */
type StartedBlock = { readonly type: 'thinking'; signature: string; isOpen: boolean } | StartedCall;

interface StartedCall {
	readonly type: 'call';
	readonly id: string;
	readonly name: string;
	/** What came with the start, from endpoints that do not stream arguments. */
	readonly input: unknown;
	json: string;
	isOpen: boolean;
}

type Counts = Partial<Record<(typeof countNames)[number] | 'thinking_tokens' | 'hour_tokens', number>>;

const countNames = [
	'input_tokens',
	'cache_creation_input_tokens',
	'cache_read_input_tokens',
	'output_tokens',
] as const;

/**
 * One answer out of the events of the API, in the order of its blocks, then the usage. A call comes once the next block begins or the answer
 * ends, because only then it is known whether its arguments are whole.
 *
 * Throws a `ModelError`: `cut` where the answer breaks off or reaches the model's output limit without a call, `refused` where the model
 * refuses.
 */
export async function* answerEvents(
	events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
	endpoint: Endpoint,
	{ maxOutputTokens, thinker }: AnswerSettings,
): AsyncGenerator<ChatModelEvent> {
	const answer = new Answer(thinker);
	let isComplete = false;
	for await (const event of events) {
		switch (event.type) {
			case 'message_start':
				answer.count(event.message?.usage);
				break;
			case 'content_block_start':
				yield* answer.start(event.index, event.content_block);
				break;
			case 'content_block_delta':
				yield* answer.add(event.index, event.delta);
				break;
			case 'content_block_stop':
				yield* answer.close(event.index);
				break;
			case 'message_delta':
				answer.count(event.usage);
				answer.stop(event.delta);
				break;
			case 'message_stop':
				isComplete = true;
				yield* answer.end(endpoint, maxOutputTokens);
				// The stream is read to its end: otherwise the connection would be closed and not used again.
				break;
		}
	}
	if (!isComplete) throw cutOff(endpoint);
}

/** What the reading of an answer depends on. */
interface AnswerSettings {
	readonly maxOutputTokens: number;
	readonly thinker: Thinker;
}

/** What is known of an answer so far. */
class Answer {
	readonly #thinker: Thinker;
	/** By index. Some endpoints give one index to several blocks: the last one has it. */
	readonly #blocks = new Map<number, StartedBlock>();
	/** Calls that are not handed out yet, in their order. */
	#calls: StartedCall[] = [];
	readonly #newCalls = new NewCalls();
	#lastBlock: StartedBlock | undefined;
	#hasCalled = false;
	#counts: Counts = {};
	#stop: Partial<Anthropic.RawMessageDeltaEvent.Delta> = {};

	constructor(thinker: Thinker) {
		this.#thinker = thinker;
	}

	*start(
		index: number,
		block: Anthropic.RawContentBlockStartEvent['content_block'] | undefined,
	): Generator<AnswerPart> {
		if (this.#lastBlock?.type !== 'call') yield* this.#closed(this.#lastBlock);
		yield* this.#handOut(this.#calls.filter(({ isOpen }) => !isOpen));
		const started = block && startedBlock(block);
		this.#lastBlock = started;
		if (started) this.#blocks.set(index, started);
		if (started?.type === 'call') this.#calls.push(started);
		// Empty from Anthropic itself; others send a text in one piece.
		if (block?.type === 'text' && block.text) yield { type: 'text', text: textOf(block.text) };
		if (block?.type === 'thinking') yield { type: 'thinking', text: textOf(block.thinking) };
		if (block?.type === 'redacted_thinking') {
			yield { type: 'thinking', text: '', origin: this.#thinker.origin({ redacted: block.data }) };
		}
	}

	*add(index: number, delta: Partial<Anthropic.RawContentBlockDelta> | undefined): Generator<AnswerPart> {
		const block = this.#blocks.get(index);
		if (delta?.type === 'text_delta') yield { type: 'text', text: textOf(delta.text) };
		if (delta?.type === 'thinking_delta') yield { type: 'thinking', text: textOf(delta.thinking) };
		if (block?.type === 'call' && delta?.type === 'input_json_delta')
			block.json += textOf(delta.partial_json);
		if (block?.type === 'thinking' && delta?.type === 'signature_delta')
			block.signature += textOf(delta.signature);
	}

	/** The end of a block. */
	*close(index: number): Generator<AnswerPart> {
		yield* this.#closed(this.#blocks.get(index));
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
		if (reason !== 'refusal') {
			if (this.#lastBlock?.type !== 'call') yield* this.#closed(this.#lastBlock);
			yield* this.#handOut(this.#calls, isFull ? this.#lastBlock : undefined);
		}
		const usage = usageOf(this.#counts);
		if (usage) yield { type: 'usage', usage };
		if (reason === 'refusal') throw refused(endpoint, textOf(details?.explanation));
		if (isFull && !this.#hasCalled) throw full(endpoint, reason, maxOutputTokens);
	}

	*#closed(block: StartedBlock | undefined): Generator<AnswerPart> {
		if (!block?.isOpen) return;
		block.isOpen = false;
		if (block.type !== 'thinking') return;
		const { signature } = block;
		yield { type: 'thinking', text: '', origin: this.#thinker.origin({ signature }) };
	}

	/** `cut`: the block in which the answer reached its limit. */
	*#handOut(calls: readonly StartedCall[], cut?: StartedBlock): Generator<AnswerPart> {
		this.#calls = this.#calls.filter((one) => !calls.includes(one));
		for (const started of calls) {
			const call = this.#newCalls.add(finishedCall(started, started === cut));
			if (!call) continue;
			this.#hasCalled = true;
			yield { type: 'toolCall', call, origin: this.#thinker.origin({ id: started.id }) };
		}
	}
}

/** Some endpoints send the whole input with the start of the block instead of streaming it. */
function startedBlock(block: Anthropic.RawContentBlockStartEvent['content_block']): StartedBlock | undefined {
	const isOpen = true;
	switch (block.type) {
		case 'thinking':
			return { type: 'thinking', signature: textOf(block.signature), isOpen };
		case 'tool_use':
			return {
				type: 'call',
				id: textOf(block.id),
				name: textOf(block.name),
				input: block.input,
				json: '',
				isOpen,
			};
		default:
			return undefined;
	}
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
		[
			'hour_tokens',
			isRecord(told.cache_creation) ? told.cache_creation.ephemeral_1h_input_tokens : undefined,
		],
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
		hour_tokens: hour,
	} = counts;
	return {
		inputTokens: input_tokens + (written ?? 0) + (cached ?? 0),
		outputTokens: counts.output_tokens ?? 0,
		...(cached !== undefined && { cachedInputTokens: cached }),
		...(written !== undefined && { cacheWriteTokens: written }),
		...(hour && { hourCacheWriteTokens: hour }),
		...(thought !== undefined && { thoughtTokens: thought }),
	};
}

/** The error for an answer that ran out of tokens. */
function full(endpoint: Endpoint, reason: Anthropic.StopReason, limit: number): ModelError {
	if (reason === 'model_context_window_exceeded') return failureOf(endpoint, { code: reason });
	return outputLimitReached(endpoint, limit);
}
