import { recordOf } from '../common/json.ts';
import {
	type AddedTools,
	type AnswerPart,
	type ChatMessage,
	type ToolCall,
	type ToolCallResult,
	userText,
} from '../discovery/catalog/message.ts';
import { errorResult, resultText, type ToolDefinition } from '../discovery/catalog/tool.ts';
import { answerText, callsOf, plainAnswer } from './answerParts.ts';
import { type Picture, picturesIn, type VisiblePart, visibleParts } from './pictures.ts';
import type { Thinker } from './thinker.ts';
import { legalName, textOf } from './wireCalls.ts';

/** What the user said in a request. */
export interface SentUser {
	readonly role: 'user';
	/** With a placeholder for each picture that the model cannot see; may be blank. */
	readonly text: string;
	readonly pictures: readonly Picture[];
	readonly added: AddedTools;
}

/** An answer in a request. */
export interface SentAnswer<Data = unknown> {
	readonly role: 'assistant';
	/** In the model's order; if another model made them, first the text, then the calls. */
	readonly parts: readonly SentPart<Data>[];
	readonly text: string;
	readonly calls: readonly SentCall<Data>[];
	readonly added: AddedTools;
}

/** `data`: what its provider said about it; absent if another model made it. */
export type SentPart<Data> =
	| { readonly type: 'text' | 'thinking'; readonly text: string; readonly data: Data | undefined }
	| SentCall<Data>;

/** A call of an earlier answer in a request, with its result. */
export interface SentCall<Data = unknown> {
	readonly type: 'toolCall';
	/** Its id in the request. */
	readonly id: string;
	/** A name that every provider accepts. */
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly result: SentResult;
	readonly data: Data | undefined;
}

export interface SentResult {
	/** All of it, with a placeholder for everything else; never blank. */
	readonly text: string;
	/** The same with pictures that the model can see. */
	readonly content: readonly VisiblePart[];
	readonly isError: boolean;
	readonly loaded: readonly ToolDefinition[];
}

/** How a conversation is sent. */
interface SentMessagesOptions {
	/** Whether the model accepts pictures. */
	readonly images: boolean;
	/** Whose thoughts are sent back; default: nobody's. */
	readonly thinker?: Thinker | undefined;
	/** Whether the provider accepts an id, which it gave itself or another server of its protocol. */
	readonly takesId?: (id: string) => boolean;
}

/** A conversation as requests of all protocols repeat it: results stand with the calls that they answer, and no provider refuses a text or a name. */
export function sentMessages<Data extends object>(
	messages: readonly ChatMessage[],
	{ images, thinker, takesId = () => true }: SentMessagesOptions,
): (SentUser | SentAnswer<Data>)[] {
	const ids = new WireIds();
	const sent = messages.flatMap((message, index): (SentUser | SentAnswer<Data>)[] => {
		if (message.role === 'tool') return [];
		if (message.role === 'user') {
			const { added = [] } = message;
			const imageParts = visibleParts(message.images ?? [], images);
			const words = [userText(message), ...imageParts.map((part) => (part.type === 'text' ? part.text : ''))];
			const text = words.filter((line) => line.trim() !== '').join('\n');
			return [{ role: 'user', text: text.toWellFormed(), pictures: picturesIn(imageParts), added }];
		}
		const dataOf = (part: AnswerPart) => thinker?.dataOf<Data>(part);
		const text = answerText(message.parts);
		const isOwn = message.parts.some((part) => dataOf(part) !== undefined);
		const messageParts = isOwn ? message.parts : plainAnswer(text, callsOf(message.parts)).parts;
		/** Thoughts may refer to a call by its provider's id, which is then kept. */
		const thoughts = JSON.stringify(
			messageParts.map((part) => (part.type === 'thinking' ? dataOf(part) : undefined)),
		);
		const callResults = answeredCalls(messages, index).values();
		const parts = messageParts.map((part): SentPart<Data> => {
			const { type } = part;
			const data = dataOf(part);
			if (type !== 'toolCall') return { type, text: part.text, data };
			const { id, name, input } = part.call;
			const { result = missingResult(part.call) } = callResults.next().value ?? {};
			const providerId = textOf(recordOf(data).id);
			const reusableId = takesId(providerId) ? providerId : '';
			const wireId = ids.next(
				id,
				reusableId,
				reusableId !== '' && thoughts.includes(JSON.stringify(reusableId)),
			);
			return { type, id: wireId, name: legalName(name), input, result: sentResult(result, images), data };
		});
		const calls = parts.filter((part) => part.type === 'toolCall');
		const added = answersAfter(messages, index).flatMap((answer) => answer.added ?? []);
		return [{ role: 'assistant', parts, text, calls, added }];
	});
	// Several providers refuse a conversation that begins with an answer, as one does whose beginning was trimmed.
	if (sent[0]?.role === 'assistant')
		sent.unshift({ role: 'user', text: '(What came before is left out.)', pictures: [], added: [] });
	return sent;
}

function sentResult({ result, loaded = [] }: ToolCallResult, images: boolean): SentResult {
	const fullText = resultText(result).toWellFormed();
	const text = fullText.trim() === '' ? 'The tool returned nothing.' : fullText;
	return { text, content: visibleParts(result.content, images), isError: result.isError, loaded };
}

/** Longest id in characters: OpenAI's Chat Completions refuses longer ones (“Expected a string with maximum length 40”). */
const maxIdLength = 40;
/** Accepted by all providers; Anthropic refuses every other id. */
const legalId = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * The ids of calls in requests: at most 40 legal characters, unique within a conversation. They are assigned in the order of the
 * conversation, so they do not change while it grows.
 */
export class WireIds {
	readonly #usedIds = new Set<string>();

	/**
	 * The id in requests for the next call, whose own id is `id`. `provider`: the id that this provider gave it. It is reused if possible,
	 * because models are trained on the format of their provider's ids. `isNamed`: other data that is sent back refers to that id, so it is
	 * kept whatever its length.
	 */
	next(id: string, provider = '', isNamed = false): string {
		const fits =
			provider !== '' && (isNamed || provider.length <= maxIdLength) && !this.#usedIds.has(provider);
		let free = fits ? provider : id;
		// Calls of other extensions may have any id. Nine letters and digits please every server.
		for (let n = this.#usedIds.size; !fits && (!isLegalId(free) || this.#usedIds.has(free)); n++)
			free = `c${String(n).padStart(8, '0')}`;
		this.#usedIds.add(free);
		return free;
	}
}

/** Whether every provider accepts an id. */
export function isLegalId(id: string): boolean {
	return legalId.test(id);
}

/**
 * The calls of the answer at `index`, each with its result from the `tool` messages right after it. Of two calls with the same id, which only
 * another extension can have made, the second gets the second result.
 */
export function answeredCalls(
	messages: readonly ChatMessage[],
	index: number,
): { readonly call: ToolCall; readonly result: ToolCallResult | undefined }[] {
	const message = messages[index];
	if (message?.role !== 'assistant') return [];
	const results = answersAfter(messages, index).flatMap(({ results }) => results);
	const unmatched = Map.groupBy(results.toReversed(), ({ callId }) => callId);
	return callsOf(message.parts).map((call) => ({ call, result: unmatched.get(call.id)?.pop() }));
}

/** The messages with results right after the answer at `index`. */
export function answersAfter(messages: readonly ChatMessage[], index: number) {
	const answers = [];
	for (let at = index + 1; ; at += 1) {
		const message = messages[at];
		if (message?.role !== 'tool') return answers;
		answers.push(message);
	}
}

/** A result for a call without one: providers refuse a conversation with a missing result. */
export function missingResult({ id }: ToolCall): ToolCallResult {
	return { callId: id, result: errorResult('There is no result: the call was not made, or was stopped.') };
}
