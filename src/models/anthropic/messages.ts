import type Anthropic from '@anthropic-ai/sdk';
import {
	type AnswerPart,
	type ChatMessage,
	type ToolCallResult,
	userText,
} from '../../discovery/catalog/message.ts';
import { type ImageContent, type ResultContent, resultText } from '../../discovery/catalog/tool.ts';
import { isLegalId, type SentCall, sentCalls, WireIds } from '../callIds.ts';
import { pictureOf } from '../pictures.ts';
import type { Thinker } from '../thinker.ts';
import { legalName } from '../wireCalls.ts';
import type { AnthropicOrigin } from './answerEvents.ts';

/** A message in a request; its content is never empty. */
export interface WireMessage {
	readonly role: 'user' | 'assistant';
	readonly content: readonly Anthropic.ContentBlockParam[];
}

/**
 * Writes a conversation by the rules of the API: users and assistants in turn, beginning with a user; after each assistant's calls one message
 * with a result for every one of them. Faults (a call without a result, a result without a call, an empty answer) are repaired here, because
 * they would make every later request fail.
 */
export function wireMessages(messages: readonly ChatMessage[], taken: MessageSettings): WireMessage[] {
	const ids = new WireIds();
	const written = messages.flatMap((message, index): WireMessage[] => {
		if (message.role === 'user') return [{ role: 'user', content: userBlocks(message, taken) }];
		// Results are written with the calls that they answer.
		if (message.role === 'tool') return [];
		const legalOrigin = (part: AnswerPart) => {
			const data = taken.thinker.dataOf<AnthropicOrigin>(part);
			return data && 'id' in data && isLegalId(data.id) ? data : undefined;
		};
		return answerAndResults(message, sentCalls(messages, index, ids, legalOrigin), taken);
	});
	const turns = inTurn(written);
	if (turns[0]?.role !== 'assistant') return turns;
	return [{ role: 'user', content: textBlocks('(What came before is left out.)') }, ...turns];
}

function userBlocks(
	message: ChatMessage & { role: 'user' },
	taken: MessageSettings,
): Anthropic.ContentBlockParam[] {
	const { images = [] } = message;
	// Pictures first: according to Anthropic's documentation the model understands them better that way.
	const blocks = [...contentBlocks(images, taken.images), ...textBlocks(userText(message))];
	return blocks.length > 0 ? blocks : textBlocks('(empty message)');
}

function answerAndResults(
	message: ChatMessage & { role: 'assistant' },
	calls: readonly SentCall<unknown>[],
	taken: MessageSettings,
): WireMessage[] {
	const { thinker } = taken;
	const parts = thinker.inOrder(message.parts);
	const own = (part: AnswerPart) => thinker.dataOf<AnthropicOrigin>(part);
	const isOurs = parts.some((part) => own(part) !== undefined);
	const uses = calls.map(({ call, id }) => {
		return { type: 'tool_use', id, name: legalName(call.name), input: wellFormed(call.input) } as const;
	});
	let made = 0;
	const content = parts.flatMap((part): Anthropic.ContentBlockParam[] => {
		if (part.type === 'toolCall') return uses.slice(made, ++made);
		if (part.type === 'text') return textBlocks(isOurs ? part.text : part.text.trimEnd());
		return thoughtBlocks(part.text, own(part));
	});
	return [
		{ role: 'assistant', content: withEnd(content) },
		{ role: 'user', content: resultBlocks(calls, taken) },
	];
}

/** A thought is sent back unchanged, and only to the model that had it. */
function thoughtBlocks(thinking: string, data: AnthropicOrigin | undefined): Anthropic.ContentBlockParam[] {
	if (!data || 'id' in data) return [];
	if ('redacted' in data) return [{ type: 'redacted_thinking', data: data.redacted }];
	return [{ type: 'thinking', thinking, signature: data.signature }];
}

/** An answer with an end that the API accepts: no thought, and no trailing white space. */
function withEnd(content: readonly Anthropic.ContentBlockParam[]): Anthropic.ContentBlockParam[] {
	const end = content.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
	return content.slice(0, end + 1).map((block, i) => {
		return i === end && block.type === 'text' ? { ...block, text: block.text.trimEnd() } : block;
	});
}

/** Removes empty messages, and joins neighbours of the same role. */
function inTurn(messages: readonly WireMessage[]): WireMessage[] {
	const turns: WireMessage[] = [];
	for (const { role, content } of messages) {
		if (content.length === 0) continue;
		const last = turns.at(-1);
		if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...content] };
		else turns.push({ role, content });
	}
	return turns;
}

/** What the model accepts. */
export interface MessageSettings {
	/** Whether the model accepts pictures. */
	readonly images: boolean;
	/** Names that a `tool_reference` may have; see `wireTools`. */
	readonly deferred: ReadonlySet<string>;
	/** Whose thoughts are sent back. */
	readonly thinker: Thinker;
}

/**
 * The message that answers all calls of one answer: a result for each, in order, followed by everything that the API does not accept inside a
 * result.
 */
function resultBlocks(
	calls: readonly SentCall<unknown>[],
	taken: MessageSettings,
): Anthropic.ContentBlockParam[] {
	const written = calls.map((call) => writtenResult(call, taken));
	return [...written.map(({ block }) => block), ...written.flatMap(({ behind }) => behind)];
}

function writtenResult(
	{ id, result }: SentCall<unknown>,
	{ images, deferred }: MessageSettings,
): { block: Anthropic.ToolResultBlockParam; behind: readonly ContentBlock[] } {
	const block = { type: 'tool_result', tool_use_id: id } as const;
	const { content: parts, isError } = result.result;
	if (isError) {
		// With `is_error`, the API accepts nothing but text.
		const content = orNoOutput(textBlocks(resultText(result.result)));
		return { block: { ...block, content, is_error: true }, behind: imageBlocks(parts, images) };
	}
	const blocks = contentBlocks(parts, images);
	const references = referencesOf(result, deferred);
	// A result with references may have no other content.
	if (references.length > 0) return { block: { ...block, content: references }, behind: blocks };
	return { block: { ...block, content: orNoOutput(blocks) }, behind: [] };
}

/** The API refuses results without any content. */
function orNoOutput(blocks: ContentBlock[]): ContentBlock[] {
	return blocks.length > 0 ? blocks : textBlocks('(no output)');
}

function referencesOf(
	{ loaded = [] }: ToolCallResult,
	deferred: ReadonlySet<string>,
): Anthropic.ToolReferenceBlockParam[] {
	const names = new Set(loaded.map(({ name }) => name));
	return [...names]
		.filter((name) => deferred.has(name))
		.map((name) => ({ type: 'tool_reference', tool_name: name }));
}

type ContentBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam;

/** Largest picture in base64 characters: the API refuses a request with a larger one (Bedrock's limit, the lowest). */
const imageCharacters = 5 * 1024 * 1024;

/** A text as a block; none for white space alone, which the API refuses. */
export function textBlocks(text: string): Anthropic.TextBlockParam[] {
	return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** A JSON value without lone surrogates, which the API refuses as broken JSON. */
function wellFormed(value: unknown): unknown {
	const text = JSON.stringify(value, (_key, inner) =>
		typeof inner === 'string' ? inner.toWellFormed() : inner,
	);
	return JSON.parse(text);
}

/** Parts as blocks, with a placeholder such as `[image image/bmp]` for what the model does not accept. */
function contentBlocks(parts: readonly ResultContent[], takesImages: boolean): ContentBlock[] {
	return parts.flatMap((part): ContentBlock[] => {
		const image = part.type === 'image' && takesImages ? imageBlock(part) : undefined;
		return image ? [image] : textBlocks(resultText({ content: [part], isError: false }));
	});
}

/** The pictures among some parts that the model accepts. */
function imageBlocks(parts: readonly ResultContent[], takesImages: boolean): ContentBlock[] {
	return contentBlocks(parts, takesImages).filter(({ type }) => type === 'image');
}

/** A picture as a block; `undefined` if the API would refuse it. */
function imageBlock(image: ImageContent): Anthropic.ImageBlockParam | undefined {
	const { mediaType, data } = pictureOf(image) ?? {};
	if (mediaType === undefined || data === undefined || data.length > imageCharacters) return undefined;
	return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
