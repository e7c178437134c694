import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import type { ArrivedCall } from './calls.ts';

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
export class ThoughtAssembly {
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

	/** A detail comes in pieces, which have its type and its number in common; texts add up, all else is said once. */
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
export function isMarkedThought({ extra_content: extra }: JsonRecord): boolean {
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
