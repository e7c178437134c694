import { isRecord, type JsonRecord, recordOf, recordsIn } from '../../common/json.ts';
import type { Origin } from '../../discovery/catalog/message.ts';
import type { CallPiece } from '../arrivingCalls.ts';
import { AnswerReader, endingOf, type StreamEvent } from '../http/answerReader.ts';
import { endpointLabel, errorAbout } from '../http/failure.ts';
import { usageIn } from '../usage.ts';
import { textOf } from '../wireCalls.ts';
import type { OllamaBody } from './chatBody.ts';
import type { ContextWindow } from './contextWindow.ts';

/** Reads the lines of an answer of Ollama. Each is an object. */
export class OllamaReader extends AnswerReader<
	Pick<OllamaBody, 'options'> & { readonly window: ContextWindow }
> {
	override readonly readsLines = true;
	/** For thoughts that come separately from the text. */
	readonly #thoughtOrigin: Origin = this.thinker.origin({});
	/** The line that ends the answer. */
	#end: JsonRecord | undefined;

	/** In several lines. */
	override isWhole({ message }: JsonRecord): boolean {
		return isRecord(message);
	}

	override isLast({ done }: JsonRecord): boolean {
		return done === true;
	}

	read(line: StreamEvent): void {
		if (line === 'done') return;
		// Ollama accepted the prompt, so the model is now loaded with this context.
		this.request.window.use(this.request.options.num_ctx);
		const { thinking, content, tool_calls: calls } = recordOf(line.message);
		const thought = textOf(thinking);
		if (thought !== '') this.answer.say({ type: 'thinking', text: thought, origin: this.#thoughtOrigin });
		this.answer.speak(textOf(content));
		for (const call of recordsIn(calls)) this.answer.call(callPiece(call));
		if (this.isLast(line)) this.#end = line;
	}

	protected outcome() {
		const reason = textOf(this.#end?.done_reason);
		const usage = usageIn(this.#end);
		const { num_ctx: contextTokens, num_predict: tokens } = this.request.options;
		const isAtLimit = tokens !== undefined && (usage?.outputTokens ?? tokens) >= tokens;
		const place = `the end of its context of ${contextTokens.toLocaleString('en')} tokens`;
		const filled = errorAbout(this.endpoint, 'outputLimit', {
			happened: `The answer of ${endpointLabel(this.endpoint)} was cut off at ${place}.`,
			advice: 'Ask for a shorter one, or raise the limit in the configuration file.',
		});
		const isOutOfTokens = endingOf(reason) === 'outOfTokens';
		return {
			reason,
			hasEnded: this.#end !== undefined,
			usage,
			tokens,
			...(isOutOfTokens && !isAtLimit && { failure: filled }),
			// Each call comes as a whole.
			mayLack: (_: unknown, isLast: boolean) => isOutOfTokens && isLast,
		};
	}
}

/** Ollama sends each call as a whole, and with an id only since 0.12.10. */
function callPiece(call: JsonRecord): CallPiece {
	const { name, index, arguments: input } = recordOf(call.function);
	return {
		id: textOf(call.id),
		index,
		name: textOf(name),
		// Some other programs with this protocol send a text.
		...(typeof input === 'string' ? { json: input } : { input }),
		...(textOf(name) !== '' && { step: 'begins' }),
	};
}
