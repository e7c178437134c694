import type Anthropic from '@anthropic-ai/sdk';
import type { AddedTools, AnswerPart, ChatMessage } from '../../discovery/catalog/message.ts';
import { picturesIn, type SeenPart } from '../pictures.ts';
import { isLegalId, type SentAnswer, type SentCall, type SentUser, sentMessages } from '../sentMessages.ts';
import type { Thinker } from '../thinker.ts';
import type { AnthropicOrigin } from './anthropicReader.ts';

/** A message in a request; its content is never empty. */
export interface WireMessage {
	readonly role: 'user' | 'assistant' | 'system';
	readonly content: readonly (Anthropic.ContentBlockParam | ToolAddition)[];
}

/**
 * Gives the model a tool from here on, without a change of what came before
 * (https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages, "Define tools in a message").
 */
export interface ToolAddition {
	readonly type: 'tool_addition';
	readonly tool: { readonly type: 'tool_definition'; readonly definition: Anthropic.Tool };
}

/**
 * Writes a conversation by the rules of the API: users and assistants in turn, beginning with a user; after each assistant's calls one message
 * with a result for every one of them. Faults (a call without a result, a result without a call, an empty answer) are repaired here, because
 * they would make every later request fail.
 */
export function wireMessages(messages: readonly ChatMessage[], taken: MessageSettings): WireMessage[] {
	const legalOrigin = (part: AnswerPart) => {
		const data = taken.thinker.dataOf<AnthropicOrigin>(part);
		return data && 'id' in data && isLegalId(data.id) ? data : undefined;
	};
	const sent = sentMessages(messages, { images: taken.images, dataOf: legalOrigin });
	const written = sent.flatMap((message): WireMessage[] => [
		...(message.role === 'user'
			? [{ role: 'user' as const, content: userBlocks(message) }]
			: answerAndResults(message, taken)),
		{ role: 'system', content: additionBlocks(message.added, taken) },
	]);
	return inTurn(written);
}

function userBlocks({ text, pictures }: SentUser): Anthropic.ContentBlockParam[] {
	// Pictures first: according to Anthropic's documentation the model understands them better that way.
	const blocks = [...pictures.flatMap(contentBlocks), ...textBlocks(text)];
	return blocks.length > 0 ? blocks : textBlocks('(empty message)');
}

function answerAndResults(message: SentAnswer, taken: MessageSettings): WireMessage[] {
	const { calls } = message;
	const { thinker } = taken;
	const parts = thinker.inOrder(message.parts);
	const own = (part: AnswerPart) => thinker.dataOf<AnthropicOrigin>(part);
	const isOurs = parts.some((part) => own(part) !== undefined);
	const uses = calls.map(({ id, name, input }) => {
		return { type: 'tool_use', id, name, input: wellFormed(input) } as const;
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
	if (!data) return [];
	if ('redacted' in data) return [{ type: 'redacted_thinking', data: data.redacted }];
	return 'signature' in data ? [{ type: 'thinking', thinking, signature: data.signature }] : [];
}

/** An answer with an end that the API accepts: no thought, and no trailing white space. */
function withEnd(content: readonly Anthropic.ContentBlockParam[]): Anthropic.ContentBlockParam[] {
	const end = content.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
	return content.slice(0, end + 1).map((block, i) => {
		return i === end && block.type === 'text' ? { ...block, text: block.text.trimEnd() } : block;
	});
}

function additionBlocks(added: AddedTools = [], { additions }: MessageSettings): ToolAddition[] {
	return added.flatMap(({ name }) => {
		const definition = additions.get(name);
		return definition ? [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }] : [];
	});
}

/**
 * Removes empty messages, and joins neighbours of the same role. The API takes additions only right behind the user's turn: neighbours of the
 * user come together before them.
 */
function inTurn(messages: readonly WireMessage[]): WireMessage[] {
	const turns: WireMessage[] = [];
	for (const { role, content } of messages) {
		if (content.length === 0) continue;
		const end = turns.findLastIndex((turn) => turn.role !== 'system' || role === 'system');
		const last = turns[end];
		if (last?.role === role) turns[end] = { role, content: [...last.content, ...content] };
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
	/** Tools that are added in the conversation, by name. */
	readonly additions: ReadonlyMap<string, Anthropic.Tool>;
	/** Whose thoughts are sent back. */
	readonly thinker: Thinker;
}

/**
 * The message that answers all calls of one answer: a result for each, in order, followed by everything that the API does not accept inside a
 * result.
 */
function resultBlocks(calls: readonly SentCall[], taken: MessageSettings): Anthropic.ContentBlockParam[] {
	const written = calls.map((call) => writtenResult(call, taken));
	return [...written.map(({ block }) => block), ...written.flatMap(({ behind }) => behind)];
}

function writtenResult(
	{ id, result: { text, shown, isError, loaded } }: SentCall,
	{ deferred }: MessageSettings,
): { block: Anthropic.ToolResultBlockParam; behind: readonly ContentBlock[] } {
	const block = { type: 'tool_result', tool_use_id: id } as const;
	// With `is_error`, the API accepts nothing but text.
	if (isError)
		return {
			block: { ...block, content: textBlocks(text), is_error: true },
			behind: picturesIn(shown).flatMap(contentBlocks),
		};
	const blocks = shown.flatMap(contentBlocks);
	const names = new Set(loaded.map(({ name }) => name));
	const references = [...names]
		.filter((name) => deferred.has(name))
		.map((name) => ({ type: 'tool_reference' as const, tool_name: name }));
	// A result with references may have no other content, and none may be empty.
	if (references.length > 0) return { block: { ...block, content: references }, behind: blocks };
	return { block: { ...block, content: blocks.length > 0 ? blocks : textBlocks(text) }, behind: [] };
}

type ContentBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam;

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

/** A part as a block. */
function contentBlocks(part: SeenPart): ContentBlock[] {
	if (part.type === 'text') return textBlocks(part.text);
	const { mimeType: media_type, data } = part;
	return [{ type: 'image', source: { type: 'base64', media_type, data } }];
}
