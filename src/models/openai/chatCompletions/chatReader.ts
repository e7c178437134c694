import type { TokenUsage } from '../../../common/cost.ts';
import { isRecord, type JsonRecord, recordOf, recordsIn } from '../../../common/json.ts';
import type { Origin } from '../../../discovery/catalog/message.ts';
import type { TextOrThinking } from '../../answerParts.ts';
import type { CallPiece } from '../../arrivingCalls.ts';
import { AnswerReader, endingOf, type StreamEvent } from '../../http/answerReader.ts';
import { usageIn } from '../../usage.ts';
import { textOf } from '../../wireCalls.ts';

/** Reads an answer of Chat Completions chunk by chunk. Servers differ in every field, so each is checked before it is used. */
export class ChatReader extends AnswerReader {
	/** Lists of details by the names of their fields. */
	readonly #details = new Map<string, Record<string, unknown>[]>();
	/** Origins of thoughts by the field in which they came, and are sent back. */
	readonly #fields = new Map<string, Origin>();
	/** Gemini's signature of a text. */
	#signature: JsonRecord | undefined;
	/** Whether text or a piece of a call has come. */
	#hasBegun = false;
	#hasCalls = false;
	/** The choice that is read: others are other answers, unless only they have calls, as behind Copilot's proxy. */
	#index: number | undefined;
	readonly #otherCalls: JsonRecord[] = [];
	#finishReason: string | undefined;
	#isDone = false;
	/** Tokens of request and answer; if they came several times, the last. */
	#usage: TokenUsage | undefined;

	override get isOver(): boolean {
		return this.#finishReason !== undefined;
	}

	override isWhole({ choices }: JsonRecord): boolean {
		return Array.isArray(choices) && choices.length > 0;
	}

	read(chunk: StreamEvent): void {
		if (chunk === 'done') {
			this.#isDone = true;
			return;
		}
		const choices = recordsIn(chunk.choices);
		// Groq uses another field, Moonshot the choice.
		const usages = [chunk.usage, recordOf(chunk.x_groq).usage, choices[0]?.usage];
		this.#usage = usages.filter(isRecord).map(usageIn).find(Boolean) ?? this.#usage;
		for (const choice of choices) {
			const index = Number(choice.index ?? 0);
			this.#index ??= index;
			if (index === this.#index) this.#read(choice);
			else this.#otherCalls.push(...callsOfChoice(this.#contentOf(choice)));
		}
	}

	#read(choice: JsonRecord): void {
		// OpenRouter gives the provider's own reason as well, and only that one tells of a malformed call.
		const { finish_reason: reason, native_finish_reason: native } = choice;
		const isMalformed = endingOf(textOf(native)) === 'malformedCall';
		this.#finishReason = (isMalformed ? textOf(native) : textOf(reason)) || this.#finishReason;
		const piece = this.#contentOf(choice);
		const calls = callsOfChoice(piece);
		for (const call of calls) this.answer.call(callPiece(call));
		const text = contentText(piece.content) + contentText(piece.refusal);
		this.#hasBegun ||= text !== '' || calls.length > 0;
		this.#hasCalls ||= calls.length > 0;
		this.answer.say(...this.#thought(piece));
		// Gemini marks pieces of the text as thoughts.
		this.answer.speak(text, recordOf(recordOf(piece.extra_content).google).thought === true);
	}

	/** What a choice adds. A server that does not stream sends everything at once, in a chunk or in a JSON body. */
	#contentOf({ delta, message }: JsonRecord): JsonRecord {
		if (isRecord(message) && !this.#hasBegun) return message;
		return isRecord(delta) ? delta : {};
	}

	/** The thoughts in a piece, outside its text. */
	#thought(piece: JsonRecord): TextOrThinking[] {
		const { reasoning_content: content, reasoning, extra_content: extra } = piece;
		for (const field of ['reasoning_details', 'thinking_blocks']) {
			const details = piece[field];
			const list = this.#details.get(field) ?? [];
			for (const detail of recordsIn(details)) addDetail(list, detail);
			if (list.length > 0) this.#details.set(field, list);
		}
		if (isRecord(extra) && recordOf(extra.google).thought_signature !== undefined) this.#signature = extra;
		if (typeof content === 'string') return [this.#inField('reasoning_content', content)];
		if (typeof reasoning === 'string') return [this.#inField('reasoning', reasoning)];
		const text = thoughtParts(piece.content);
		if (text === '') return [];
		// Mistral expects its thoughts back as parts of the content.
		return [this.#inField('thinking', text)];
	}

	#inField(field: string, text: string): TextOrThinking {
		const origin = this.#fields.get(field) ?? this.thinker.origin({ field });
		this.#fields.set(field, origin);
		return { type: 'thinking', text, origin };
	}

	/** Some servers break the connection after the end of the answer. */
	protected outcome(streamError: unknown) {
		const reason = this.#finishReason ?? '';
		if (!this.#hasCalls) for (const call of this.#otherCalls) this.answer.call(callPiece(call));
		const fields = {
			...Object.fromEntries(this.#details),
			...(this.#signature && { extra_content: this.#signature }),
		};
		if (Object.keys(fields).length > 0)
			this.answer.say({ type: 'thinking', text: '', origin: this.thinker.origin({ fields }) });
		return {
			reason,
			// Only a reason for the end says that the model got to it; without one, no error may have come.
			hasEnded: reason !== '' || (this.#isDone && !streamError),
			usage: this.#usage,
			...(reason === '' && { mayLack: () => true }),
		};
	}
}

/** The calls in a piece. Older servers still send the predecessor of `tool_calls`: the only call of an answer, without an id. */
function callsOfChoice(piece: JsonRecord): readonly JsonRecord[] {
	const calls = isRecord(piece.function_call) ? [{ function: piece.function_call }] : piece.tool_calls;
	return recordsIn(calls);
}

/** A piece of a call. `arguments` is JSON text; some servers send an object. */
function callPiece({ index, id, function: calledFunction, extra_content: extra }: JsonRecord): CallPiece {
	const { name, arguments: input } = recordOf(calledFunction);
	return {
		index,
		id: textOf(id),
		name: textOf(name),
		...(isRecord(input) ? { input } : { json: textOf(input) }),
		...(isRecord(extra) && { extra: { extra } }),
	};
}

/** The text of a string or of a list of parts. */
function contentText(content: unknown): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content.map((part) => (isRecord(part) ? textOf(part.text) : '')).join('');
}

/** What the origin of a part contains. It differs between providers. */
export interface ChatOrigin {
	/** The field with the text of a thought: `reasoning_content` (DeepSeek, Kimi), `reasoning` (vLLM, OpenRouter), `thinking` (Mistral, in the content). */
	readonly field?: string;
	/** A thought in the text of the answer, including its tags. */
	readonly raw?: string;
	/** Fields of the message: `reasoning_details` (OpenRouter), `thinking_blocks` (LiteLLM), `extra_content` (Gemini). */
	readonly fields?: Readonly<Record<string, unknown>>;
	/** The provider's id of the call. */
	readonly id?: string;
	/** Gemini's signature of the call. */
	readonly extra?: unknown;
}

/** Joins the pieces of a detail, which share their type and index: texts are concatenated, other fields are replaced. */
function addDetail(list: Record<string, unknown>[], piece: JsonRecord): void {
	const last = list.at(-1);
	// A block without an index ends with its signature; a redacted block comes complete.
	const isOpen = last && last.type === piece.type && last.index === piece.index && last.id === piece.id;
	const isWhole = Boolean(last?.signature) || last?.type === 'redacted_thinking';
	if (!isOpen || (last.index === undefined && isWhole)) {
		list.push({ ...piece });
		return;
	}
	for (const [key, value] of Object.entries(piece)) {
		const isText = ['text', 'summary', 'data', 'thinking'].includes(key) && typeof value === 'string';
		if (isText) last[key] = `${typeof last[key] === 'string' ? last[key] : ''}${value}`;
		else last[key] = value ?? last[key];
	}
}

/** Mistral's format: parts of the content that contain texts. */
function thoughtParts(content: unknown): string {
	const thoughts = recordsIn(content);
	return thoughts.map(({ type, thinking }) => (type === 'thinking' ? contentText(thinking) : '')).join('');
}
