import {
	type AddedTools,
	type AnswerPart,
	type ChatMessage,
	type ToolCallResult,
	userText,
} from '../discovery/catalog/message.ts';
import { resultText, type ToolDefinition } from '../discovery/catalog/tool.ts';
import type { AssistantMessage } from './answerParts.ts';
import { answeredCalls, answersAfter, missingResult, WireIds } from './callIds.ts';
import { type Picture, picturesIn, type SeenPart, seenParts } from './pictures.ts';
import { legalName } from './wireCalls.ts';

/** What the user said in a request. */
export interface SentUser {
	readonly role: 'user';
	/** With a placeholder for each picture that the model cannot see; may be blank. */
	readonly text: string;
	readonly pictures: readonly Picture[];
	readonly added: AddedTools;
}

/** An answer in a request, with its calls and their results. */
export interface SentAnswer<Data = unknown> extends AssistantMessage {
	readonly calls: readonly SentCall<Data>[];
	readonly added: AddedTools;
}

/** A call of an earlier answer in a request. */
export interface SentCall<Data = unknown> {
	/** Its id in the request. */
	readonly id: string;
	/** A name that every provider accepts. */
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly result: SentResult;
	/** What its provider said about it; absent if another model made it. */
	readonly data: Data | undefined;
}

export interface SentResult {
	/** All of it, with a placeholder for everything else; never blank. */
	readonly text: string;
	/** The same with pictures that the model can see. */
	readonly shown: readonly SeenPart[];
	readonly isError: boolean;
	readonly loaded: readonly ToolDefinition[];
}

/** How a conversation is repeated. */
interface Repeating<Data> {
	/** Whether the model accepts pictures. */
	readonly images: boolean;
	/** What the provider said about a call. */
	readonly dataOf?: (part: AnswerPart) => Data | undefined;
	/** Other data of an answer, as JSON, that may refer to a provider's id, which is then kept. */
	readonly namesIn?: (parts: readonly AnswerPart[]) => string;
}

/** A conversation as requests of all protocols repeat it: results stand with the calls that they answer, and no provider refuses a text or a name. */
export function sentMessages<Data extends { readonly id?: string }>(
	messages: readonly ChatMessage[],
	{ images, dataOf = () => undefined, namesIn = () => '' }: Repeating<Data>,
): (SentUser | SentAnswer<Data>)[] {
	const ids = new WireIds();
	const sent = messages.flatMap((message, index): (SentUser | SentAnswer<Data>)[] => {
		if (message.role === 'tool') return [];
		if (message.role === 'user') {
			const { added = [] } = message;
			const shown = seenParts(message.images ?? [], images);
			const words = [userText(message), ...shown.map((part) => (part.type === 'text' ? part.text : ''))];
			const text = words.filter((line) => line.trim() !== '').join('\n');
			return [{ role: 'user', text: text.toWellFormed(), pictures: picturesIn(shown), added }];
		}
		const names = namesIn(message.parts);
		const data = message.parts.filter(({ type }) => type === 'toolCall').map(dataOf);
		const calls = answeredCalls(messages, index).map(({ call, result = missingResult(call) }, i) => {
			const own = data[i]?.id ?? '';
			const isNamed = own !== '' && names.includes(JSON.stringify(own));
			const { name, input } = call;
			const id = ids.next(call.id, own, isNamed);
			return { id, name: legalName(name), input, result: sentResult(result, images), data: data[i] };
		});
		return [{ ...message, calls, added: answersAfter(messages, index).flatMap(({ added = [] }) => added) }];
	});
	// Several providers refuse a conversation that begins with an answer, as one does whose beginning was trimmed.
	if (sent[0]?.role === 'assistant')
		sent.unshift({ role: 'user', text: '(What came before is left out.)', pictures: [], added: [] });
	return sent;
}

function sentResult({ result, loaded = [] }: ToolCallResult, images: boolean): SentResult {
	const said = resultText(result).toWellFormed();
	const text = said.trim() === '' ? 'The tool returned nothing.' : said;
	return { text, shown: seenParts(result.content, images), isError: result.isError, loaded };
}
