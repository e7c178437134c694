import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources';
import { cacheBreakpoints } from '../../anthropic/cacheBreakpoints.ts';
import type { CacheControl } from '../../promptCache.ts';

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
