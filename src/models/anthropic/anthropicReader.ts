import { isRecord, type JsonRecord, recordOf } from '../../common/json.ts';
import { AnswerReader, endingOf, type StreamEvent } from '../http/answerReader.ts';
import { errorAbout } from '../http/failure.ts';
import { usageIn } from '../usage.ts';
import { textOf } from '../wireCalls.ts';

/** What the origin of a part contains. */
export type AnthropicOrigin =
	/** A thought with its signature. */
	| { readonly signature: string }
	/** An encrypted thought. */
	| { readonly redacted: string }
	/** The provider's id of the call. */
	| { readonly id: string };

/** Turns the events of the API into one answer, in the order of its blocks. */
export class AnthropicReader extends AnswerReader<{ readonly max_tokens: number }> {
	/** Types of blocks by index. Some endpoints give all blocks the same index: then this is the last one. */
	readonly #blocks = new Map<string, unknown>();
	/** The thought that is arriving. */
	#thought: { readonly index: unknown; signature: string } | undefined;
	/** Of the message that is arriving. */
	#id: unknown;
	#counts: JsonRecord = {};
	/** Whether the counts are those of the whole message, and not of its beginning. */
	#isCounted = false;
	#stop: JsonRecord = {};
	#hasEnded = false;

	override get isOver(): boolean {
		return this.#hasEnded || this.#reason !== '';
	}

	/** Some gateways end the stream after this, or send nothing but pings from then on. */
	get #reason(): string {
		return textOf(this.#stop.stop_reason);
	}

	override isLast({ type }: JsonRecord): boolean {
		return type === 'message_stop';
	}

	override isWhole({ content }: JsonRecord): boolean {
		return Array.isArray(content);
	}

	read(event: StreamEvent): void {
		if (event === 'done') return;
		const { type, index } = event;
		if (type === 'message_start') this.#begin(recordOf(event.message));
		if (type === 'content_block_start') this.#start(index, recordOf(event.content_block));
		if (type === 'content_block_delta') this.#add(index, recordOf(event.delta));
		if (type === 'content_block_stop') {
			this.answer.calls.close(index);
			if (this.#thought?.index === index) this.#endThought();
		}
		if (type === 'message_delta') {
			this.#count(event.usage);
			this.#isCounted = true;
			this.#stop = { ...this.#stop, ...recordOf(event.delta) };
		}
		if (type === 'message_stop') this.#hasEnded = true;
		if (Array.isArray(event.content)) this.#readWhole(event, event.content);
	}

	/** A gateway that lost its own connection may begin again in the same stream; others send this event twice for one message. */
	#begin(message: JsonRecord): void {
		const { id, usage, content } = message;
		if (this.#blocks.size > 0 && id !== this.#id) {
			this.answer.restart();
			this.#blocks.clear();
			this.#thought = undefined;
		}
		this.#id = id;
		this.#count(usage);
		// A call that code of the provider makes comes whole with the start.
		if (Array.isArray(content) && content.length > 0) this.#readWhole(message, content);
	}

	/** A message of a server that does not stream. */
	#readWhole({ usage, ...message }: JsonRecord, content: readonly unknown[]): void {
		for (const [index, block] of content.entries()) {
			this.#start(index, recordOf(block));
			this.answer.calls.close(index);
		}
		this.#count(usage);
		this.#isCounted = true;
		this.#stop = message;
		this.#hasEnded = true;
	}

	protected outcome(streamError: unknown) {
		const reason = this.#reason;
		this.#endThought();
		const { explanation } = recordOf(this.#stop.stop_details);
		const refusal = errorAbout(this.endpoint, 'refused', { detail: textOf(explanation) });
		return {
			reason,
			hasEnded: this.#hasEnded || (reason !== '' && streamError === undefined),
			usage: this.#isCounted ? usageIn(this.#counts) : undefined,
			tokens: this.request.max_tokens,
			...(endingOf(reason) === 'filtered' && { failure: refusal }),
		};
	}

	#start(index: unknown, block: JsonRecord): void {
		this.#endThought();
		const { type, input } = block;
		this.#blocks.set(String(index), type);
		// Empty from Anthropic itself; others send a text in one piece.
		if (type === 'text') this.answer.speak(textOf(block.text));
		if (type === 'redacted_thinking') {
			const origin = this.thinker.origin({ redacted: block.data });
			this.answer.say({ type: 'thinking', text: '', origin });
		}
		if (type === 'thinking') {
			this.#thought = { index, signature: textOf(block.signature) };
			this.answer.say({ type, text: textOf(block.thinking) });
		}
		if (type === 'tool_use') {
			// Usually an empty object, and the arguments follow; others send all of them here.
			const isEmpty = isRecord(input) && Object.keys(input).length === 0;
			const [id, name] = [textOf(block.id), textOf(block.name)];
			this.answer.call({ id, name, index, step: 'begins', ...(!isEmpty && { input }) });
		}
	}

	#add(index: unknown, delta: JsonRecord): void {
		const { type } = delta;
		if (type === 'text_delta') this.answer.speak(textOf(delta.text));
		if (type === 'thinking_delta') this.answer.say({ type: 'thinking', text: textOf(delta.thinking) });
		if (type === 'signature_delta' && this.#thought) this.#thought.signature += textOf(delta.signature);
		if (type !== 'input_json_delta') return;
		// A tool of the provider, which runs it itself, has arguments as well.
		const isProviders = /.+_tool_use$/.test(textOf(this.#blocks.get(String(index))));
		if (!isProviders) this.answer.call({ index, json: textOf(delta.partial_json) });
	}

	#endThought(): void {
		const signature = this.#thought?.signature;
		if (signature === undefined) return;
		this.#thought = undefined;
		this.answer.say({ type: 'thinking', text: '', origin: this.thinker.origin({ signature }) });
	}

	/** Later events repeat the counts of earlier ones, some of them with `null`. */
	#count(usage: unknown): void {
		const counts = Object.entries(recordOf(usage)).filter(([, count]) => count !== null);
		this.#counts = { ...this.#counts, ...Object.fromEntries(counts) };
	}
}
