import { reportedTokens, type TokenUsage } from '../../common/cost.ts';
import { defined, isRecord, type JsonRecord, recordOf } from '../../common/json.ts';
import type { AnswerPart, ToolCall } from '../../discovery/catalog/message.ts';
import { NewCalls } from '../callIds.ts';
import type { ChatModelEvent } from '../chatModel.ts';
import { cutOff, outputLimitReached, refused } from '../http/answerErrors.ts';
import { failureOf } from '../http/failure.ts';
import type { Endpoint } from '../provider.ts';
import type { Thinker } from '../thinker.ts';
import { callFrom, textOf } from '../wireCalls.ts';

/** What the origin of a part contains. */
export type AnthropicOrigin =
	/** A thought with its signature. */
	| { readonly signature: string }
	/** An encrypted thought. */
	| { readonly redacted: string }
	/** The provider's id of the call. */
	| { readonly id: string };

/**
 * Turns the events of the API into one answer, in the order of its blocks, then the usage. Throws a `ModelError`: `cut` if the answer breaks
 * off, `outputLimit` if it reaches the limit without a call, `refused` if the model refuses.
 */
export async function* answerEvents(
	events: AsyncIterable<JsonRecord | 'done'>,
	endpoint: Endpoint,
	thinker: Thinker,
	maxOutputTokens: number,
): AsyncGenerator<ChatModelEvent> {
	const answer = new Answer(thinker);
	for await (const event of events) {
		if (event === 'done') continue;
		const { type, index } = event;
		if (type === 'message_start') answer.count(recordOf(event.message).usage);
		if (type === 'content_block_start') yield* answer.start(index, recordOf(event.content_block));
		if (type === 'content_block_delta') yield* answer.add(index, recordOf(event.delta));
		if (type === 'content_block_stop') yield* answer.close(index);
		if (type === 'message_delta') {
			answer.count(event.usage);
			answer.stop(recordOf(event.delta));
		}
		if (type === 'message_stop') {
			yield* answer.end(endpoint, maxOutputTokens);
			return;
		}
	}
	throw cutOff(endpoint);
}

/** A thought or a call that is arriving. */
interface StartedBlock {
	readonly type: 'thinking' | 'call';
	readonly id: string;
	readonly name: string;
	/** Arguments that came with the start, from endpoints that do not stream them. */
	readonly input: unknown;
	/** The arguments, or the signature, as far as they have come. */
	text: string;
	isOpen: boolean;
}

/** One answer, as far as it has come. */
class Answer {
	readonly #thinker: Thinker;
	/** By index. Some endpoints give all blocks the same index: then this is the last one. */
	readonly #blocks = new Map<unknown, StartedBlock>();
	#last: StartedBlock | undefined;
	/** Everything from the first call on. Only the end of the answer says whether the arguments of the last call are complete. */
	readonly #held: (AnswerPart | StartedBlock)[] = [];
	#counts: JsonRecord = {};
	#stop: JsonRecord = {};

	constructor(thinker: Thinker) {
		this.#thinker = thinker;
	}

	*start(index: unknown, block: JsonRecord): Generator<AnswerPart> {
		yield* this.#closed(this.#last);
		this.#last = undefined;
		const { type } = block;
		// Empty from Anthropic itself; others send a text in one piece.
		if (type === 'text' && block.text) yield* this.#part({ type: 'text', text: textOf(block.text) });
		if (type === 'redacted_thinking') {
			const origin = this.#thinker.origin({ redacted: block.data });
			yield* this.#part({ type: 'thinking', text: '', origin });
		}
		if (type !== 'thinking' && type !== 'tool_use') return;
		const isCall = type === 'tool_use';
		const started: StartedBlock = {
			type: isCall ? 'call' : 'thinking',
			id: textOf(block.id),
			name: textOf(block.name),
			input: block.input,
			text: textOf(block.signature),
			isOpen: true,
		};
		this.#last = started;
		this.#blocks.set(index, started);
		if (isCall) this.#held.push(started);
		else yield* this.#part({ type: 'thinking', text: textOf(block.thinking) });
	}

	*add(index: unknown, delta: JsonRecord): Generator<AnswerPart> {
		const block = this.#blocks.get(index);
		if (delta.type === 'text_delta') yield* this.#part({ type: 'text', text: textOf(delta.text) });
		if (delta.type === 'thinking_delta')
			yield* this.#part({ type: 'thinking', text: textOf(delta.thinking) });
		if (block?.type === 'call' && delta.type === 'input_json_delta') block.text += textOf(delta.partial_json);
		if (block?.type === 'thinking' && delta.type === 'signature_delta') block.text += textOf(delta.signature);
	}

	/** The end of a block. */
	*close(index: unknown): Generator<AnswerPart> {
		yield* this.#closed(this.#blocks.get(index));
	}

	/** Later events repeat the counts of earlier ones, some of them with `null`. */
	count(usage: unknown): void {
		const told = recordOf(usage);
		const counts = {
			...told,
			thinking_tokens: recordOf(told.output_tokens_details).thinking_tokens,
			hour_tokens: recordOf(told.cache_creation).ephemeral_1h_input_tokens,
		};
		const known = Object.entries(counts).filter(([, count]) => reportedTokens(count) !== undefined);
		this.#counts = { ...this.#counts, ...Object.fromEntries(known) };
	}

	stop(delta: JsonRecord): void {
		this.#stop = { ...this.#stop, ...delta };
	}

	*end(endpoint: Endpoint, maxOutputTokens: number): Generator<ChatModelEvent> {
		const { stop_reason: reason, stop_details: details } = this.#stop;
		const isFull = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
		const calls = new NewCalls();
		let hasCalled = false;
		yield* this.#closed(this.#last);
		for (const held of reason === 'refusal' ? [] : this.#held) {
			if (!('isOpen' in held)) {
				yield held;
				continue;
			}
			const call = calls.add(finishedCall(held, isFull && held === this.#last));
			if (!call) continue;
			hasCalled = true;
			yield { type: 'toolCall', call, origin: this.#thinker.origin({ id: held.id }) };
		}
		const usage = usageOf(this.#counts);
		if (usage) yield { type: 'usage', usage };
		if (reason === 'refusal') throw refused(endpoint, textOf(recordOf(details).explanation));
		if (!isFull || hasCalled) return;
		throw reason === 'max_tokens'
			? outputLimitReached(endpoint, maxOutputTokens)
			: failureOf(endpoint, { code: reason });
	}

	*#closed(block: StartedBlock | undefined): Generator<AnswerPart> {
		if (!block?.isOpen) return;
		block.isOpen = false;
		const { type, text: signature } = block;
		if (type === 'thinking')
			yield* this.#part({ type, text: '', origin: this.#thinker.origin({ signature }) });
	}

	*#part(part: AnswerPart): Generator<AnswerPart> {
		if (this.#held.length > 0) this.#held.push(part);
		else yield part;
	}
}

function finishedCall({ id, name, input, text: json }: StartedBlock, isCut: boolean): ToolCall {
	// Usually an empty object, which the text replaces; others send the whole input here.
	const isEmpty = !input || (isRecord(input) && Object.keys(input).length === 0);
	return callFrom(id, name, json.trim() === '' && !isEmpty ? input : json, isCut);
}

function usageOf(counts: JsonRecord): TokenUsage | undefined {
	const count = (name: string) => reportedTokens(counts[name]);
	const written = count('cache_creation_input_tokens');
	const cached = count('cache_read_input_tokens');
	const [input, output] = [count('input_tokens'), count('output_tokens')];
	if ([input, output, written, cached].every((one) => one === undefined)) return undefined;
	return {
		inputTokens: (input ?? 0) + (written ?? 0) + (cached ?? 0),
		outputTokens: output ?? 0,
		...defined({
			cachedInputTokens: cached,
			cacheWriteTokens: written,
			hourCacheWriteTokens: count('hour_tokens') || undefined,
			thoughtTokens: count('thinking_tokens'),
		}),
	};
}
