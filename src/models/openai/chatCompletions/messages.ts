import * as l10n from '@vscode/l10n';
import type {
	ChatCompletionContentPart,
	ChatCompletionCreateParamsStreaming,
	ChatCompletionMessageParam,
} from 'openai/resources';
import type { ChatRequest } from '../../chatModel.ts';
import type { Remedy } from '../../http/refusals.ts';
import { type Picture, picturesIn, pictureUrl } from '../../pictures.ts';
import { type CacheControl, cacheBreakpoints, withCacheControl } from '../../promptCache.ts';
import { type SentAnswer, type SentUser, sentMessages } from '../../sentMessages.ts';
import type { Thinker } from '../../thinker.ts';
import type { ChatOrigin } from './chatReader.ts';

/** How a conversation is written for a model. */
export interface ChatMessageSettings {
	/** Whether the model accepts pictures; otherwise a placeholder replaces each. */
	readonly images: boolean;
	/** Whose thoughts are sent back; default: nobody's. */
	readonly thinker?: Thinker | undefined;
	/** Whether the endpoint has refused something, by the name of the remedy. */
	readonly has?: (remedy: string) => boolean;
}

/** Google's own word for a signature that is not there (https://ai.google.dev/gemini-api/docs/thought-signatures, “FAQs”). */
const noSignature = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Replaces an unknown thought. Moonshot treats an empty text as none (https://github.com/earendil-works/pi/pull/4178). */
const unknownThought = ' ';

/**
 * A conversation in the format of Chat Completions. No endpoint refuses it: each call is followed by exactly one result, in the order of the
 * calls, and no message is empty.
 */
export function chatMessages(
	{ system, messages }: Pick<ChatRequest, 'system' | 'messages'>,
	{ images, thinker, has = () => false }: ChatMessageSettings,
): ChatCompletionMessageParam[] {
	const sent = sentMessages<ChatOrigin>(messages, {
		images,
		thinker: has(withoutThoughts) ? undefined : thinker,
	});
	const wireMessages = sent.flatMap((message) =>
		message.role === 'user' ? userMessage(message) : assistantMessages(message, has),
	);
	const alternating = wireMessages.flatMap((message, i) => {
		const isUnanswered = i > 0 && message.role === 'user' && wireMessages[i - 1]?.role !== 'assistant';
		return isUnanswered ? [unanswered, message] : [message];
	});
	// A model that puts its thoughts there expects them with each call, even with calls of another model.
	const sendsReasoning = sent.some(
		(message) =>
			message.role === 'assistant' && message.parts.some(({ data }) => data?.field === 'reasoning_content'),
	);
	return [
		...(system.trim() ? [{ role: 'system' as const, content: system.toWellFormed() }] : []),
		...alternating.map((message) => {
			if (message.role !== 'assistant' || thoughtFields.some((field) => field in message)) return message;
			const isFilled = has(withFilledThoughts) || (sendsReasoning && message.tool_calls);
			return isFilled ? { ...message, reasoning_content: unknownThought } : message;
		}),
	];
}

/** Fields with thoughts. */
const thoughtFields = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];

/**
 * Stands before a user's message that follows no answer, as after Stop, and before pictures of results: Mistral's API and several templates refuse
 * anything but an answer there (https://github.com/mistralai/mistral-vibe/issues/578: “Unexpected role 'user' after role 'tool'”).
 */
const unanswered: ChatCompletionMessageParam = { role: 'assistant', content: '(No answer.)' };

function userMessage({ text, pictures }: SentUser): ChatCompletionMessageParam[] {
	if (pictures.length === 0) return text ? [{ role: 'user', content: text }] : [];
	const words = text ? [{ type: 'text' as const, text }] : [];
	return [{ role: 'user', content: [...words, ...pictures.map(picturePart)] }];
}

/** How an answer's thoughts are sent back: in fields of the message, in the text before the answer, or in a part before the text. */
function sentThoughts(parts: SentAnswer<ChatOrigin>['parts']) {
	let fields: Record<string, unknown> = {};
	const texts = new Map<string, string>();
	let rawThoughts = '';
	for (const part of parts) {
		if (part.type !== 'thinking' || !part.data) continue;
		const { field, raw = '', fields: own } = part.data;
		fields = { ...fields, ...own };
		rawThoughts += raw;
		if (field) texts.set(field, `${texts.get(field) ?? ''}${part.text}`);
	}
	const [content, reasoning] = [texts.get('reasoning_content'), texts.get('reasoning')];
	// OpenRouter's details include its `reasoning`.
	if (content !== undefined) fields = { reasoning_content: content, ...fields };
	else if (reasoning !== undefined && !fields.reasoning_details) fields = { reasoning, ...fields };
	return { fields, rawThoughts, thoughtPart: texts.get('thinking') ?? '' };
}

function assistantMessages(
	{ parts, text, calls }: SentAnswer<ChatOrigin>,
	has: (remedy: string) => boolean,
): ChatCompletionMessageParam[] {
	const { fields, rawThoughts, thoughtPart } = sentThoughts(parts);
	const content = contentOf(`${rawThoughts}${text}`, thoughtPart);
	if (calls.length === 0) return content === null ? [] : [{ role: 'assistant', content, ...fields }];
	// Of calls side by side, Gemini signs only the first.
	const isUnsigned = has(withSignatures) && calls.every(({ data }) => data?.extra === undefined);
	const tool_calls = calls.map(({ id, name, input, data }, i) => {
		const extra = isUnsigned && i === 0 ? noSignature : data?.extra;
		const calledFunction = { name, arguments: JSON.stringify(input) };
		return {
			id,
			type: 'function' as const,
			function: calledFunction,
			...(extra !== undefined && { extra_content: extra }),
		};
	});
	// A tool's message accepts only text, so the pictures of a turn follow in a user message.
	const pictures = calls.flatMap(({ id, name, result }): ChatCompletionContentPart[] => {
		const pictureParts = picturesIn(result.content).map(picturePart);
		return pictureParts.length > 0
			? [{ type: 'text', text: `From the result of ${name} (call ${id}):` }, ...pictureParts]
			: [];
	});
	return [
		{ role: 'assistant', content: content ?? (has(withEmptyTexts) ? '' : null), ...fields, tool_calls },
		...calls.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result.text })),
		...(pictures.length > 0 ? [{ role: 'user' as const, content: pictures }] : []),
	];
}

/** The content of an answer. The SDK's types have no thoughts as parts, which Mistral uses. */
function contentOf(answer: string, thought: string): string | null {
	const text = answer.trim() ? answer.toWellFormed() : null;
	if (thought === '') return text;
	const parts: object[] = [{ type: 'thinking', thinking: [{ type: 'text', text: thought.toWellFormed() }] }];
	if (text !== null) parts.push({ type: 'text', text });
	return parts as unknown as string;
}

function picturePart(picture: Picture): ChatCompletionContentPart {
	return { type: 'image_url', image_url: { url: pictureUrl(picture) } };
}

/**
 * A request with the breakpoints of Anthropic's prompt cache, which OpenRouter passes on: at parts of any message's content, and at tools
 * (https://openrouter.ai/docs/guides/best-practices/prompt-caching, “Anthropic Claude”). See `cacheBreakpoints` for their places.
 */
export function withBreakpoints(
	body: ChatCompletionCreateParamsStreaming,
	cached: CacheControl,
): ChatCompletionCreateParamsStreaming {
	const { tools = [], messages } = body;
	const last = messages.length - 1;
	// The last message of the previous request: the one before the last answer.
	const previousEnd = messages.findLastIndex(({ role }) => role === 'assistant') - 1;
	const hasPreviousEnd = messages[previousEnd]?.role === 'user' || messages[previousEnd]?.role === 'tool';
	const hasSystem = messages[0]?.role === 'system';
	const at = cacheBreakpoints(tools.length, hasSystem, hasPreviousEnd ? 3 : 1);
	const ends = [last, ...(hasPreviousEnd ? [previousEnd] : []), ...(at.system ? [0] : [])];
	return {
		...body,
		...(tools.length > 0 && { tools: withCacheControl(tools, at.tools, cached) }),
		messages: messages.map((message, i) => {
			if (!ends.includes(i) || !message.content) return message;
			const { content } = message;
			const parts: object[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
			return {
				...message,
				content: withCacheControl(parts, [parts.length - 1], cached),
			} as ChatCompletionMessageParam;
		}),
	};
}

/** Fields for thoughts, and how refusals describe a missing one. */
const thoughtField = /\breasoning(?:_content|_details)?\b|extra_content|thinking_blocks/;
const missing = /missing|must be (?:passed|provided|included)|required/i;
/** Names of remedies that are not fields of a body. */
export const withoutThoughts = 'thoughts are left out';
export const withFilledThoughts = 'missing thoughts are filled in';
export const withSignatures = 'missing signatures of thoughts are filled in';
export const withEmptyTexts = 'empty texts instead of null';
export const withoutReasoning = 'tools are called without reasoning';

/** GPT from 5.4 on reasons by default, so leaving the field out is refused as well: https://github.com/BerriAI/litellm/pull/34569. */
export const reasoningRemedy: Remedy = {
	name: withoutReasoning,
	appliesTo: (failure) => failure.says(/function tools with reasoning_effort/i),
	notice: (model) =>
		l10n.t(
			'Through this API, “{0}” cannot reason and call tools, so it does not reason. To change this, set {1} for the model.',
			model,
			'"api": "responses"',
		),
};

/** What a model or a server may refuse besides fields that any request can do without. */
export const chatRemedies: readonly Remedy[] = [
	// OpenAI's own form of an answer that consists of calls; some servers take only texts, and others refuse empty ones.
	{
		name: withEmptyTexts,
		appliesTo: (failure) =>
			failure.says(/\bcontent\b.{0,60}(?:must be a string|expected a string|valid string|<nil>)/i),
	},
	// Gemini since 3, for calls that another model made.
	{ name: withSignatures, appliesTo: (failure) => failure.says(/missing a .?thought.?signature/i) },
	{ name: withFilledThoughts, appliesTo: (failure) => failure.says(thoughtField) && failure.says(missing) },
	{ name: withoutThoughts, appliesTo: (failure) => failure.says(thoughtField) },
];
