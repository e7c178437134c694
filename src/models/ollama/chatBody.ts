import {
	type AnswerPart,
	type ChatMessage,
	type ToolCall,
	type ToolCallResult,
	userText,
} from '../../discovery/catalog/message.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { type ImageContent, type ResultContent, resultText } from '../../discovery/catalog/tool.ts';
import { answerText } from '../answerParts.ts';
import { answeredCalls, WireIds } from '../callIds.ts';
import { pictureOf } from '../pictures.ts';
import type { Thinker } from '../thinker.ts';

/**
 * What Ollama's own API takes and gives (github.com/ollama/ollama, `api/types.go`, `docs/api.md`), as far as it is used here. What
 * comes in is typed as unknown: another program may stand at the address.
 */

/** A tool as `/api/chat` takes it. */
export interface WireTool {
	readonly type: 'function';
	readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** One message as `/api/chat` takes it. */
export type WireMessage =
	| { readonly role: 'system'; readonly content: string }
	| { readonly role: 'user'; readonly content: string; readonly images?: readonly string[] }
	| {
			readonly role: 'assistant';
			readonly content: string;
			readonly thinking?: string;
			readonly tool_calls?: readonly WireCall[];
	  }
	| {
			readonly role: 'tool';
			readonly content: string;
			readonly images?: readonly string[];
			readonly tool_name: string;
			readonly tool_call_id: string;
	  };

/** A call of an earlier answer; versions before 0.12.10 know no `id`, and pass over it. */
export interface WireCall {
	readonly id: string;
	readonly function: { readonly name: string; readonly arguments: object };
}

/** The body of `POST /api/chat`; the fields in the order of their bytes, what changes least first. */
export interface WireRequest {
	readonly model: string;
	readonly tools?: readonly WireTool[];
	readonly messages: readonly WireMessage[];
	readonly stream: true;
	/** Not to drop the oldest messages silently where the prompt is over `num_ctx`, but to refuse it. Versions before 0.12 pass over it. */
	readonly truncate: false;
	/** Not to drop the first half of the context silently once an answer fills it, but to end the answer. As above. */
	readonly shift: false;
	/** Whether the model thinks, or how much; others than models that can refuse it. */
	readonly think?: boolean | string;
	readonly options: {
		readonly num_ctx: number;
		readonly num_predict?: number;
		readonly temperature?: number;
		readonly top_p?: number;
	};
}

/** One line of the answer to `POST /api/chat`. */
export interface WireLine {
	readonly message?: unknown;
	readonly done?: unknown;
	readonly done_reason?: unknown;
	readonly prompt_eval_count?: unknown;
	readonly eval_count?: unknown;
	readonly error?: unknown;
}

/** What the origin of a part holds; nothing for a thought that came apart from the text. */
export interface OllamaOrigin {
	/** A thought in the text of the answer, tags and all. */
	readonly raw?: string;
	/** What Ollama called the call; empty where it gave it no id. */
	readonly id?: string;
}

/** A call with what it came to, and what both are called on the wire. */
interface SentCall {
	readonly id: string;
	readonly call: ToolCall;
	readonly result: ToolCallResult | undefined;
}

/**
 * A conversation as Ollama takes it. Images go to models that see (`images`) only; others get a placeholder for them. `thinker`: whose
 * thoughts are sent back.
 */
export function wireMessages(
	system: string,
	messages: readonly ChatMessage[],
	images: boolean,
	thinker?: Thinker,
): WireMessage[] {
	const ids = new WireIds();
	const wire: WireMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
	for (const [index, message] of messages.entries()) {
		if (message.role === 'user') wire.push(userMessage(userText(message), message.images ?? [], images));
		// Results are sent along with the calls that they answer.
		if (message.role !== 'assistant' || message.parts.length === 0) continue;
		const own = (part: AnswerPart) => thinker?.dataOf<OllamaOrigin>(part);
		const origins = message.parts.filter(({ type }) => type === 'toolCall').map(own);
		const calls = answeredCalls(messages, index).map(({ call, result }, i) => ({
			id: ids.next(call.id, origins[i]?.id),
			call,
			result,
		}));
		const thoughts = message.parts.flatMap((part) => {
			const data = part.type === 'thinking' ? own(part) : undefined;
			return part.type === 'thinking' && data ? [{ text: part.text, raw: data.raw }] : [];
		});
		const thinking = thoughts.map(({ text, raw }) => (raw === undefined ? text : '')).join('');
		const before = thoughts.map(({ raw = '' }) => raw).join('');
		wire.push(
			assistantMessage(before + answerText(message.parts), thinking, calls),
			...toolMessages(calls, images),
		);
	}
	return wire;
}

/** Tools as Ollama takes them. */
export function wireTools(tools: readonly ToolDefinition[]): WireTool[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: inputSchema },
	}));
}

function userMessage(text: string, shown: readonly ImageContent[], images: boolean): WireMessage {
	const { pictures, rest } = withoutPictures(shown, images);
	const content = rest.length > 0 ? [text, resultText({ content: rest, isError: false })].join('\n') : text;
	return { role: 'user', content, ...(pictures.length > 0 && { images: pictures }) };
}

function assistantMessage(content: string, thinking: string, calls: readonly SentCall[]): WireMessage {
	const tool_calls = calls.map(({ id, call: { name, input } }) => ({
		id,
		function: { name, arguments: input },
	}));
	return {
		role: 'assistant',
		content,
		...(thinking && { thinking }),
		...(calls.length > 0 && { tool_calls }),
	};
}

/** The results of an answer's calls, in the order of the calls: many chat templates pair them by position only. */
function toolMessages(calls: readonly SentCall[], images: boolean): WireMessage[] {
	return calls.flatMap(({ id, call, result: answer }): WireMessage[] => {
		if (!answer) return [];
		const { result } = answer;
		const { pictures, rest } = withoutPictures(result.content, images);
		const content = resultText({ ...result, content: rest });
		return [
			{
				role: 'tool',
				content,
				...(pictures.length > 0 && { images: pictures }),
				tool_name: call.name,
				tool_call_id: id,
			},
		];
	});
}

/** The pictures that the model takes, and all else: with a picture that it cannot read, Ollama refuses the whole request. */
function withoutPictures<Part extends ResultContent>(
	parts: readonly Part[],
	takesImages: boolean,
): { readonly pictures: readonly string[]; readonly rest: readonly Part[] } {
	const pictures: string[] = [];
	const rest = parts.filter((part) => {
		const picture = takesImages && part.type === 'image' ? pictureOf(part) : undefined;
		if (picture) pictures.push(picture.data);
		return !picture;
	});
	return { pictures, rest };
}
