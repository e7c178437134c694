import type {
	ChatCompletionContentPart,
	ChatCompletionCreateParamsStreaming,
	ChatCompletionFunctionTool,
	ChatCompletionMessageParam,
} from 'openai/resources';
import {
	type AnswerPart,
	type ChatMessage,
	type ToolCall,
	userText,
} from '../../../discovery/catalog/message.ts';
import type { ToolDefinition } from '../../../discovery/catalog/tool.ts';
import { type ImageContent, resultText, type ToolResult } from '../../../discovery/catalog/tool.ts';
import { answerText } from '../../answerParts.ts';
import { type AnsweredCall, answeredCalls, missingResult, WireIds } from '../../callIds.ts';
import type { ChatRequest } from '../../chatModel.ts';
import { pictureUrl } from '../../pictures.ts';
import { type CacheControl, cacheBreakpoints } from '../../promptCache.ts';
import type { Thinker } from '../../thinker.ts';
import { legalName } from '../../wireCalls.ts';
import type { ChatOrigin } from './answer.ts';

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;
type UserMessage = Extract<ChatMessage, { role: 'user' }>;

/** A call with what it came to, and what both are called on the wire. */
interface SentCall {
	readonly id: string;
	readonly call: ToolCall;
	readonly result: ToolResult;
	/** Gemini's signature of the call. */
	readonly extra?: unknown;
}

/** How a conversation is told to a model. */
export interface MessageSettings {
	/** The model takes pictures; else a placeholder stands for each. */
	readonly images: boolean;
	/** Whose thoughts are sent back. Nobody's where it is left out. */
	readonly thinker?: Thinker | undefined;
	/** Calls that no thought is known of get an empty one: the model has thoughts of its own, and wants one with every call. */
	readonly fillsThoughts?: boolean;
}

/** Stands for a thought that is not known. Moonshot takes an empty text for none (https://github.com/earendil-works/pi/pull/4178). */
const unknownThought = ' ';

/**
 * A conversation as Chat Completions has it. Nothing in it is refused: each call is followed by its one result, in the order of
 * the calls, and no message is empty.
 */
export function chatMessages(
	{ system, messages }: Pick<ChatRequest, 'system' | 'messages'>,
	telling: MessageSettings,
): ChatCompletionMessageParam[] {
	const ids = new WireIds();
	const isFilled =
		telling.fillsThoughts || (telling.thinker !== undefined && hasReasoning(messages, telling.thinker));
	const said = messages.flatMap((message, index): ChatCompletionMessageParam[] => {
		if (message.role === 'user') return userMessage(message, telling.images);
		// Results are sent along with the calls that they answer.
		if (message.role === 'tool') return [];
		const how = { ...telling, fillsThoughts: isFilled };
		return assistantMessages(message, answeredCalls(messages, index), ids, how);
	});
	return [...(system.trim() ? [{ role: 'system' as const, content: system.toWellFormed() }] : []), ...said];
}

function userMessage(message: UserMessage, takesImages: boolean): ChatCompletionMessageParam[] {
	const { images = [] } = message;
	const parts = takesImages ? images.flatMap(imagePart) : [];
	const unseen = images.filter((image) => !takesImages || pictureUrl(image) === undefined);
	const words = [
		userText(message),
		...unseen.map((image) => resultText({ content: [image], isError: false })),
	]
		.filter((line) => line.trim() !== '')
		.join('\n')
		.toWellFormed();
	if (parts.length === 0) return words ? [{ role: 'user', content: words }] : [];
	return [{ role: 'user', content: [...(words ? [{ type: 'text' as const, text: words }] : []), ...parts] }];
}

/**
 * Whether this model puts its thoughts into `reasoning_content`: such a model wants them with each call, even with calls that another model
 * made.
 */
function hasReasoning(messages: readonly ChatMessage[], thinker: Thinker): boolean {
	const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
	return parts.some((part) => thinker.dataOf<ChatOrigin>(part)?.field === 'reasoning_content');
}

/** What goes back to the model of what it thought in an answer. */
interface SentThoughts {
	/** Fields of the message. */
	readonly fields: Readonly<Record<string, unknown>>;
	/** What stands before the text in the same string. */
	readonly before: string;
	/** What stands before the text as a part of its own. */
	readonly part: string;
}

function sentThoughts(parts: readonly AnswerPart[], thinker: Thinker | undefined): SentThoughts {
	let fields: Record<string, unknown> = {};
	const texts = new Map<string, string>();
	let before = '';
	for (const part of parts) {
		const data = thinker?.dataOf<ChatOrigin>(part);
		if (part.type !== 'thinking' || !data) continue;
		fields = { ...fields, ...data.fields };
		before += data.raw ?? '';
		if (data.field) texts.set(data.field, `${texts.get(data.field) ?? ''}${part.text}`);
	}
	const [content, reasoning] = [texts.get('reasoning_content'), texts.get('reasoning')];
	// OpenRouter's details say all that its `reasoning` says.
	if (content !== undefined) fields = { reasoning_content: content, ...fields };
	else if (reasoning !== undefined && !fields.reasoning_details) fields = { reasoning, ...fields };
	return { fields, before, part: texts.get('thinking') ?? '' };
}

function assistantMessages(
	{ parts }: AssistantMessage,
	answered: readonly AnsweredCall[],
	ids: WireIds,
	{ images, thinker, fillsThoughts = false }: MessageSettings,
): ChatCompletionMessageParam[] {
	const { fields, before, part } = sentThoughts(parts, thinker);
	const content = contentOf(`${before}${answerText(parts)}`, part);
	if (answered.length === 0) return content === null ? [] : [{ role: 'assistant', content, ...fields }];
	const origins = parts.flatMap((one) => (one.type === 'toolCall' ? [thinker?.dataOf<ChatOrigin>(one)] : []));
	// OpenRouter's details may name the call that they belong to.
	const named = JSON.stringify(fields);
	const calls = answered.map(({ call, result }, i): SentCall => {
		const { id = '', extra } = origins[i] ?? {};
		return {
			id: ids.next(call.id, id, id !== '' && named.includes(JSON.stringify(id))),
			call,
			result: (result ?? missingResult(call)).result,
			...(extra !== undefined && { extra }),
		};
	});
	const filled = fillsThoughts && Object.keys(fields).length === 0 && { reasoning_content: unknownThought };
	return [
		{ role: 'assistant', content, ...fields, ...filled, tool_calls: calls.map(sentCall) },
		...calls.map(toolMessage),
		...(images ? picturesMessage(calls) : []),
	];
}

/** The content of an answer. The SDK's types do not know thoughts as parts, which are Mistral's. */
function contentOf(written: string, thought: string): string | null {
	const text = written.trim() ? written.toWellFormed() : null;
	if (thought === '') return text;
	const parts: object[] = [{ type: 'thinking', thinking: [{ type: 'text', text: thought.toWellFormed() }] }];
	if (text !== null) parts.push({ type: 'text', text });
	return parts as unknown as string;
}

function sentCall({ id, call: { name, input }, extra }: SentCall) {
	return {
		id,
		type: 'function' as const,
		function: { name: legalName(name), arguments: JSON.stringify(input) },
		...(extra !== undefined && { extra_content: extra }),
	};
}

function toolMessage({ id, result }: SentCall): ChatCompletionMessageParam {
	const text = resultText(result).toWellFormed();
	return { role: 'tool', tool_call_id: id, content: text.trim() ? text : 'The tool returned nothing.' };
}

/** A tool's message takes text only, so the pictures of a turn follow in a message of the user's. */
function picturesMessage(calls: readonly SentCall[]): ChatCompletionMessageParam[] {
	const content = calls.flatMap(({ id, call, result }): ChatCompletionContentPart[] => {
		const parts = result.content.filter((part) => part.type === 'image').flatMap(imagePart);
		return parts.length === 0
			? []
			: [{ type: 'text', text: `From the result of ${legalName(call.name)} (call ${id}):` }, ...parts];
	});
	return content.length === 0 ? [] : [{ role: 'user', content }];
}

function imagePart(image: ImageContent): ChatCompletionContentPart[] {
	const url = pictureUrl(image);
	return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
}

/** Tools as Chat Completions has them; one definition is the same bytes in every request, wherever it stands. */
export function chatTools(tools: readonly ToolDefinition[]): ChatCompletionFunctionTool[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: inputSchema },
	}));
}

/**
 * A request with the breakpoints of Anthropic's prompt cache, as OpenRouter passes them on: at parts of a message's content, whatever its
 * role, and at tools (https://openrouter.ai/docs/guides/best-practices/prompt-caching, “Anthropic Claude”). They stand where
 * Anthropic's own API gets them; see `cacheBreakpoints`.
 */
export function withBreakpoints(
	body: ChatCompletionCreateParamsStreaming,
	cached: CacheControl,
): ChatCompletionCreateParamsStreaming {
	const { tools = [], messages } = body;
	const last = messages.length - 1;
	// What was last in the request before: the message in front of the last answer.
	const former = messages.findLastIndex(({ role }) => role === 'assistant') - 1;
	const isFormer = messages[former]?.role === 'user' || messages[former]?.role === 'tool';
	const hasSystem = messages[0]?.role === 'system';
	const at = cacheBreakpoints({ tools: tools.length, system: hasSystem, messages: isFormer ? 3 : 1 });
	const marked = new Set([last, ...(isFormer ? [former] : []), ...(at.system ? [0] : [])]);
	return {
		...body,
		...(tools.length > 0 && {
			tools: tools.map((tool, i) => (at.tools.includes(i) ? { ...tool, cache_control: cached } : tool)),
		}),
		messages: messages.map((message, i) => (marked.has(i) ? markedMessage(message, cached) : message)),
	};
}

/** A text becomes the one part of its content; of several parts, the last one is marked. */
function markedMessage(
	message: ChatCompletionMessageParam,
	cached: CacheControl,
): ChatCompletionMessageParam {
	const { content } = message;
	if (typeof content !== 'string' && !Array.isArray(content)) return message;
	const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
	const marked = parts.map((part, i) => (i === parts.length - 1 ? { ...part, cache_control: cached } : part));
	return { ...message, content: marked } as ChatCompletionMessageParam;
}
