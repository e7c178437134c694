import type Anthropic from '@anthropic-ai/sdk';
import { exactJson } from '../../common/exactJson.ts';
import type { AddedTools, ChatMessage } from '../../discovery/catalog/message.ts';
import { picturesIn, type VisiblePart } from '../pictures.ts';
import { isLegalId, type SentAnswer, type SentCall, sentMessages } from '../sentMessages.ts';
import type { Thinker } from '../thinker.ts';
import type { AnthropicOrigin } from './anthropicReader.ts';

/** A message in a request; its content is never empty. */
export interface AnthropicMessage {
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
export function anthropicMessages(
	messages: readonly ChatMessage[],
	settings: AnthropicMessageSettings,
): AnthropicMessage[] {
	const { images, thinker } = settings;
	const sent = sentMessages<AnthropicOrigin>(messages, { images, thinker, takesId: isLegalId });
	const unmerged = sent.flatMap((message): AnthropicMessage[] => {
		const added: AnthropicMessage = { role: 'system', content: additionBlocks(message.added, settings) };
		if (message.role === 'assistant') return [...answerAndResults(message, settings), added];
		// Pictures first: according to Anthropic's documentation the model understands them better that way.
		const blocks = [...message.pictures.flatMap(contentBlocks), ...textBlocks(message.text)];
		return [{ role: 'user', content: blocks.length > 0 ? blocks : textBlocks('(empty message)') }, added];
	});
	return mergeTurns(unmerged);
}

function answerAndResults(
	{ parts, calls }: SentAnswer<AnthropicOrigin>,
	settings: AnthropicMessageSettings,
): AnthropicMessage[] {
	const isOurs = parts.some(({ data }) => data !== undefined);
	const content = parts.flatMap((part): Anthropic.ContentBlockParam[] => {
		if (part.type === 'toolCall') return [useBlock(part)];
		const { type, text, data } = part;
		if (type === 'text') return textBlocks(isOurs ? text : text.trimEnd());
		// A thought is sent back unchanged, and only to the model that had it.
		if (data && 'redacted' in data) return [{ type: 'redacted_thinking', data: data.redacted }];
		return data && 'signature' in data ? [{ type, thinking: text, signature: data.signature }] : [];
	});
	return [
		{ role: 'assistant', content: withLegalEnd(content) },
		{ role: 'user', content: resultBlocks(calls, settings) },
	];
}

function useBlock({ id, name, input }: SentCall): Anthropic.ToolUseBlockParam {
	// Without lone surrogates, which the API refuses as broken JSON.
	const json = JSON.stringify(input, (_, value) =>
		typeof value === 'string' ? value.toWellFormed() : value,
	);
	return { type: 'tool_use', id, name, input: exactJson(json) };
}

/** An answer with an end that the API accepts: no thought, and no trailing white space. */
function withLegalEnd(content: readonly Anthropic.ContentBlockParam[]): Anthropic.ContentBlockParam[] {
	const end = content.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
	return content.slice(0, end + 1).map((block, i) => {
		return i === end && block.type === 'text' ? { ...block, text: block.text.trimEnd() } : block;
	});
}

function additionBlocks(added: AddedTools = [], { additions }: AnthropicMessageSettings): ToolAddition[] {
	return added.flatMap(({ name }) => {
		const definition = additions.get(name);
		return definition ? [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }] : [];
	});
}

/**
 * Removes empty messages, and joins neighbours of the same role. The API takes additions only right behind the user's turn: neighbours of the
 * user come together before them.
 */
function mergeTurns(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
	const turns: AnthropicMessage[] = [];
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
export interface AnthropicMessageSettings {
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
function resultBlocks(
	calls: readonly SentCall[],
	{ deferred }: AnthropicMessageSettings,
): Anthropic.ContentBlockParam[] {
	const afterResults: ContentBlock[] = [];
	const results = calls.map(({ id, result }): Anthropic.ToolResultBlockParam => {
		const { text, content, isError, loaded } = result;
		const block = { type: 'tool_result', tool_use_id: id } as const;
		// With `is_error`, the API accepts nothing but text.
		if (isError) {
			afterResults.push(...picturesIn(content).flatMap(contentBlocks));
			return { ...block, content: textBlocks(text), is_error: true };
		}
		const blocks = content.flatMap(contentBlocks);
		const names = [...new Set(loaded.map(({ name }) => name))].filter((name) => deferred.has(name));
		// A result with references may have no other content, and none may be empty.
		if (names.length === 0) return { ...block, content: blocks.length > 0 ? blocks : textBlocks(text) };
		afterResults.push(...blocks);
		return { ...block, content: names.map((name) => ({ type: 'tool_reference', tool_name: name })) };
	});
	return [...results, ...afterResults];
}

type ContentBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam;

/** A text as a block; none for white space alone, which the API refuses. */
export function textBlocks(text: string): Anthropic.TextBlockParam[] {
	return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** A part as a block. */
function contentBlocks(part: VisiblePart): ContentBlock[] {
	if (part.type === 'text') return textBlocks(part.text);
	const { mimeType: media_type, data } = part;
	return [{ type: 'image', source: { type: 'base64', media_type, data } }];
}
