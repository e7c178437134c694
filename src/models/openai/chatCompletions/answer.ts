import { reportedTokens, type TokenUsage } from '../../../common/cost.ts';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { type SpokenPiece, ThinkTags } from '../../thinkTags.ts';
import { usageDetails } from '../usageDetails.ts';
import { type ArrivedCall, CallAssembly } from './calls.ts';

/** How an answer came to its end: as it should, at the model's output limit, by a filter, by a failure, or not at all. */
export type Ending = 'complete' | 'outOfTokens' | 'filtered' | 'failed' | 'none';

/** An answer of Chat Completions, put together chunk by chunk. Servers differ in every field, so each is checked before it is used. */
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
		// The predecessor of `tool_calls`, which older servers still send: the one call of an answer, without an id.
		const calls = isRecord(piece.function_call) ? [{ function: piece.function_call }] : piece.tool_calls;
		this.#calls.add(calls);
		const thought = this.#thoughts.add(piece);
		const text = contentText(piece.content) + contentText(piece.refusal);
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

	/** The rest of the text, once the answer has ended and nothing more can be part of a tag. */
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
function contentText(content: unknown): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

function usageIn(usage: unknown): TokenUsage | undefined {
	if (!isRecord(usage)) return undefined;
	const inputTokens = reportedTokens(usage.prompt_tokens);
	// A prompt has at least one token: a server that says 0 has not counted.
	if (!inputTokens) return undefined;
	const said = reportedTokens(usage.completion_tokens) ?? 0;
	const details = usageDetails(usage);
	// Gemini and Grok count what they thought in the total only, and are paid for it as for the rest of the answer.
	const unsaid = Math.max(0, (reportedTokens(usage.total_tokens) ?? 0) - inputTokens - said);
	return {
		inputTokens,
		outputTokens: said + unsaid,
		...(unsaid > 0 && { thoughtTokens: unsaid }),
		...details,
	};
}

/** What a model that is asked by Chat Completions wants back of an answer. Each provider has a form of its own. */
export interface ChatThought {
	/**
	 * Fields of the message: `reasoning_content` (DeepSeek, Kimi), `reasoning_details` (OpenRouter), `reasoning` (vLLM, and OpenRouter where
	 * it has no details), `extra_content` (Gemini).
	 */
	readonly fields: Readonly<Record<string, unknown>>;
	/** What stood before the answer in its text, tags and all. */
	readonly before: string;
	/** What the provider called the calls, and what stood with them, in their order. */
	readonly calls: readonly { readonly id: string; readonly extra?: unknown }[];
}

/** Puts together what a model thinks from the pieces of a stream. */
class ThoughtAssembly {
	#content: string | undefined;
	#reasoning: string | undefined;
	readonly #details: Record<string, unknown>[] = [];
	#extra: JsonRecord | undefined;
	#isMarked = false;

	/** Takes a delta; returns what people can read of it. */
	add(delta: JsonRecord): string {
		const { reasoning_content: content, reasoning, reasoning_details: details, extra_content: extra } = delta;
		if (typeof content === 'string') this.#content = (this.#content ?? '') + content;
		if (typeof reasoning === 'string') this.#reasoning = (this.#reasoning ?? '') + reasoning;
		if (Array.isArray(details)) for (const detail of details.filter(isRecord)) this.#addDetail(detail);
		this.#isMarked ||= isMarkedThought(delta);
		if (isRecord(extra) && isSignature(extra)) this.#extra = extra;
		if (typeof content === 'string') return content;
		if (typeof reasoning === 'string') return reasoning;
		return thoughtParts(delta.content);
	}

	/** What is to be sent back; `undefined`: nothing. `written`: what stood before the answer in its text. */
	whole(written: string, calls: readonly ArrivedCall[]): ChatThought | undefined {
		const fields = this.#fields();
		// What Gemini shows of its thoughts is a summary for people; it wants its signature back.
		const before = this.#isMarked ? '' : written;
		if (Object.keys(fields).length === 0 && before === '' && calls.length === 0) return undefined;
		return {
			fields,
			before,
			calls: calls.map(({ id, extra }) => ({ id, ...(extra !== undefined && { extra }) })),
		};
	}

	#fields(): ChatThought['fields'] {
		const extra = this.#extra && { extra_content: this.#extra };
		if (this.#details.length > 0) return { reasoning_details: this.#details, ...extra };
		if (this.#content !== undefined) return { reasoning_content: this.#content, ...extra };
		if (this.#reasoning !== undefined) return { reasoning: this.#reasoning, ...extra };
		return { ...extra };
	}

	/** Joins the pieces of a detail, which have their type and number in common: texts are joined, all other fields are kept once. */
	#addDetail(detail: JsonRecord): void {
		const last = this.#details.at(-1);
		if (!last || last.type !== detail.type || last.index !== detail.index || last.id !== detail.id) {
			this.#details.push({ ...detail });
			return;
		}
		for (const [key, value] of Object.entries(detail)) {
			const isText = ['text', 'summary', 'data'].includes(key) && typeof value === 'string';
			if (isText) last[key] = `${typeof last[key] === 'string' ? last[key] : ''}${value}`;
			else last[key] = value ?? last[key];
		}
	}
}

/** Whether a piece of the text is marked as thought: Gemini's way. */
function isMarkedThought({ extra_content: extra }: JsonRecord): boolean {
	return isRecord(extra) && isRecord(extra.google) && extra.google.thought === true;
}

function isSignature({ google }: JsonRecord): boolean {
	return isRecord(google) && google.thought_signature !== undefined;
}

/** Mistral's form: parts of the content that hold texts of their own. */
function thoughtParts(content: unknown): string {
	if (!Array.isArray(content)) return '';
	const thoughts = content.filter(isRecord).filter(({ type }) => type === 'thinking');
	return thoughts
		.flatMap(({ thinking }) => (Array.isArray(thinking) ? thinking.filter(isRecord) : []))
		.map(({ text }) => (typeof text === 'string' ? text : ''))
		.join('');
}
