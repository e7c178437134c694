import { type TokenUsage, toldTokens } from '../../../discovery/cost.ts';
import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import { type SpokenPiece, ThinkTags } from '../../thought.ts';
import { usageDetails } from '../usageDetails.ts';
import { type ArrivedCall, CallAssembly } from './calls.ts';
import { type ChatThought, isMarkedThought, ThoughtAssembly } from './thoughts.ts';

/** How an answer came to its end: as it should, at the model's output limit, by a filter, by a failure, or not at all. */
export type Ending = 'complete' | 'outOfTokens' | 'filtered' | 'failed' | 'none';

/** An answer of Chat Completions as it comes in, chunk by chunk. Nothing is taken for granted: servers differ in all of it. */
export class ChatAnswer {
	readonly #calls = new CallAssembly();
	readonly #tags = new ThinkTags();
	readonly #thoughts = new ThoughtAssembly();
	/** Text or a piece of a call has come. */
	#hasBegun = false;
	#finishReason: string | undefined;
	#isDone = false;
	#usage: TokenUsage | undefined;

	/** Takes a chunk; returns what is thought and said in it. */
	add(chunk: JsonRecord | 'done'): SpokenPiece[] {
		if (chunk === 'done') {
			this.#isDone = true;
			return [];
		}
		this.#usage = usageIn(chunk.usage) ?? this.#usage;
		const choice = Array.isArray(chunk.choices) ? chunk.choices.find(isRecord) : undefined;
		if (!choice) return [];
		if (typeof choice.finish_reason === 'string' && choice.finish_reason) {
			this.#finishReason = choice.finish_reason;
		}
		const piece = this.#said(choice);
		// What came before `tool_calls`, and still comes from older servers: the one call of an answer, without an id.
		const calls = isRecord(piece.function_call) ? [{ function: piece.function_call }] : piece.tool_calls;
		this.#calls.add(calls);
		const thought = this.#thoughts.add(piece);
		const text = textOf(piece.content) + textOf(piece.refusal);
		this.#hasBegun ||= text !== '' || (Array.isArray(calls) && calls.length > 0);
		// Gemini says so of a piece, and mostly puts tags around such pieces as well.
		const isThought = isMarkedThought(piece) && !this.#tags.takes(text);
		const said = isThought ? [{ type: 'thinking' as const, text }] : this.#tags.add(text);
		return [...(thought === '' ? [] : [{ type: 'thinking' as const, text: thought }]), ...said];
	}

	/** What a choice adds. A server that does not stream says all of it at once, in a chunk or in an answer of its own. */
	#said({ delta, message }: JsonRecord): JsonRecord {
		if (isRecord(message) && !this.#hasBegun) return message;
		return isRecord(delta) ? delta : {};
	}

	/** What was held back of the text, once the answer has ended. */
	end(): SpokenPiece[] {
		return this.#tags.end();
	}

	get ending(): Ending {
		switch (this.#finishReason) {
			case undefined:
				return this.#isDone ? 'complete' : 'none';
			case 'length':
				return 'outOfTokens';
			case 'content_filter':
				return 'filtered';
			case 'error':
				return 'failed';
			default:
				return 'complete';
		}
	}

	/** Tokens of request and answer; where they came several times, they had grown, and the last counts. */
	get usage(): TokenUsage | undefined {
		return this.#usage;
	}

	get calls(): ArrivedCall[] {
		return this.#calls.calls(this.ending === 'outOfTokens');
	}

	/** What the model wants back with this answer; `undefined`: nothing. */
	thought(calls: readonly ArrivedCall[]): ChatThought | undefined {
		return this.#thoughts.whole(this.#tags.raw, calls);
	}
}

/** A text, or the texts of a list of parts. */
function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

function usageIn(usage: unknown): TokenUsage | undefined {
	if (!isRecord(usage)) return undefined;
	const inputTokens = toldTokens(usage.prompt_tokens);
	// No prompt is empty: a server that says so has not counted.
	if (!inputTokens) return undefined;
	const said = toldTokens(usage.completion_tokens) ?? 0;
	const details = usageDetails(usage);
	// Gemini and Grok count what they thought in the total only, and are paid for it as for the rest of the answer.
	const unsaid = Math.max(0, (toldTokens(usage.total_tokens) ?? 0) - inputTokens - said);
	return {
		inputTokens,
		outputTokens: said + unsaid,
		...(unsaid > 0 && { thoughtTokens: unsaid }),
		...details,
	};
}
