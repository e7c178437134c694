import type Anthropic from '@anthropic-ai/sdk';
import {
	type AnswerPart,
	type ChatMessage,
	type ToolCallResult,
	userText,
} from '../../discovery/catalog/message.ts';
import { type ImageContent, type ResultContent, resultText } from '../../discovery/catalog/tool.ts';
import { type AnsweredCall, answeredCalls, isLegalId, WireIds } from '../callIds.ts';
import { pictureOf } from '../pictures.ts';
import type { Thinker } from '../thinker.ts';
import { legalName } from '../wireCalls.ts';
import type { AnthropicOrigin } from './answerEvents.ts';

/** A message on the wire; its content is never empty. */
export interface WireMessage {
	readonly role: 'user' | 'assistant';
	readonly content: readonly Anthropic.ContentBlockParam[];
}

/**
 * A conversation as the API takes it: users and assistants in turn, beginning with a user; after each assistant's calls one message with a
 * result for every one of them. What breaks these rules (a call without a result, a result without a call, an empty
 * answer) is mended here, since it would spoil every request from then on.
 */
export function wireMessages(messages: readonly ChatMessage[], taken: MessageSettings): WireMessage[] {
	const ids = new WireIds();
	const written = messages.flatMap((message, index): WireMessage[] => {
		if (message.role === 'user') return [{ role: 'user', content: userBlocks(message, taken) }];
		// Results are written with the calls that they answer.
		if (message.role === 'tool') return [];
		return answerAndResults(message, answeredCalls(messages, index), ids, taken);
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
	// Pictures first: the model reads them better so, says Anthropic's documentation.
	const blocks = [...contentBlocks(images, taken.images), ...textBlocks(userText(message))];
	return blocks.length > 0 ? blocks : textBlocks('(empty message)');
}

function answerAndResults(
	message: ChatMessage & { role: 'assistant' },
	answered: readonly AnsweredCall[],
	ids: WireIds,
	taken: MessageSettings,
): WireMessage[] {
	const { thinker } = taken;
	const parts = thinker ? thinker.inOrder(message.parts) : message.parts;
	const own = (part: AnswerPart) => thinker?.dataOf<AnthropicOrigin>(part);
	const isOurs = parts.some((part) => own(part) !== undefined);
	const given = parts.filter(({ type }) => type === 'toolCall').map(own);
	const calls = answered.map(({ call, result }, i) => {
		const data = given[i];
		const theirs = data && 'id' in data && isLegalId(data.id) ? data.id : undefined;
		return { call, result, id: ids.next(call.id, theirs) };
	});
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

/** A thought goes back as it was, and only to the model that had it. */
function thoughtBlocks(thinking: string, data: AnthropicOrigin | undefined): Anthropic.ContentBlockParam[] {
	if (!data || 'id' in data) return [];
	if ('redacted' in data) return [{ type: 'redacted_thinking', data: data.redacted }];
	return [{ type: 'thinking', thinking, signature: data.signature }];
}

/** An answer with an end that the API accepts: not a thought, and no white space in the last message. */
function withEnd(content: readonly Anthropic.ContentBlockParam[]): Anthropic.ContentBlockParam[] {
	const end = content.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
	return content.slice(0, end + 1).map((block, i) => {
		return i === end && block.type === 'text' ? { ...block, text: block.text.trimEnd() } : block;
	});
}

/** Without empty messages, neighbours of one role made one. */
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

/** What of results can be sent. */
export interface MessageSettings {
	/** Whether the model takes pictures. */
	readonly images: boolean;
	/** Names that a `tool_reference` may have; see `wireTools.ts`. */
	readonly deferred: ReadonlySet<string>;
	/** Whose thoughts are sent back. */
	readonly thinker?: Thinker;
}

/** A call's id on the wire, and its result if there is one. */
export interface SentCall {
	readonly id: string;
	readonly result: ToolCallResult | undefined;
}

/**
 * The message that answers all calls of one answer: a result for each, in their order, and behind them what the API does not take inside
 * of a result.
 */
function resultBlocks(calls: readonly SentCall[], taken: MessageSettings): Anthropic.ContentBlockParam[] {
	const written = calls.map((call) => writtenResult(call, taken));
	return [...written.map(({ block }) => block), ...written.flatMap(({ behind }) => behind)];
}

function writtenResult(
	{ id, result }: SentCall,
	{ images, deferred }: MessageSettings,
): { block: Anthropic.ToolResultBlockParam; behind: readonly ContentBlock[] } {
	const block = { type: 'tool_result', tool_use_id: id } as const;
	if (result === undefined) {
		return { block: { ...block, content: textBlocks('The call was not run.'), is_error: true }, behind: [] };
	}
	const { content: parts, isError } = result.result;
	if (isError) {
		// With `is_error`, the API takes nothing but text.
		const content = orNoOutput(textBlocks(resultText(result.result)));
		return { block: { ...block, content, is_error: true }, behind: imageBlocks(parts, images) };
	}
	const blocks = contentBlocks(parts, images);
	const references = referencesOf(result, deferred);
	// References stand alone: a result that has any takes no other content.
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

/** A block of a user's message or of a result. */
type ContentBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam;

/** Largest picture that is sent, as base64: the API refuses a request with a larger one (Bedrock's limit, the lowest). */
const imageCharacters = 5 * 1024 * 1024;

/** A text as a block; none for what is only white space, which the API refuses. */
export function textBlocks(text: string): Anthropic.TextBlockParam[] {
	return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** A value of JSON without halves of surrogate pairs: the API takes a body that has any for broken JSON. */
function wellFormed(value: unknown): unknown {
	const text = JSON.stringify(value, (_key, inner) =>
		typeof inner === 'string' ? inner.toWellFormed() : inner,
	);
	return JSON.parse(text);
}

/** Pieces as blocks; what the model does not take as a placeholder such as `[image image/bmp]`. */
function contentBlocks(parts: readonly ResultContent[], takesImages: boolean): ContentBlock[] {
	return parts.flatMap((part): ContentBlock[] => {
		const image = part.type === 'image' && takesImages ? imageBlock(part) : undefined;
		return image ? [image] : textBlocks(resultText({ content: [part], isError: false }));
	});
}

/** Of some pieces the pictures that the model takes. */
function imageBlocks(parts: readonly ResultContent[], takesImages: boolean): ContentBlock[] {
	return contentBlocks(parts, takesImages).filter(({ type }) => type === 'image');
}

/** A picture as a block; `undefined`: the API would refuse it. */
function imageBlock(image: ImageContent): Anthropic.ImageBlockParam | undefined {
	const { mediaType, data } = pictureOf(image) ?? {};
	if (mediaType === undefined || data === undefined || data.length > imageCharacters) return undefined;
	return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
