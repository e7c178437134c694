import { hash } from 'node:crypto';
import type { ChatRequest } from './chatModel.ts';

/** Digits of the hash that identifies a conversation; OpenAI accepts keys of up to 64 characters. */
const keyDigits = 32;

/**
 * Identifies a conversation to a provider, so that its requests reach the machine with its cache. One key for all conversations would let a
 * new one reuse the cached tools of the last one. But a machine accepts about 15 requests a minute for a key: a few loops at once would evict
 * each other in mid-conversation, which costs more. The system prompt and the beginning never change within a conversation.
 */
export function conversationKey({ system, messages, conversation }: ChatRequest): string {
	const beginning = conversation ?? messages.find((message) => message.role === 'user')?.text ?? '';
	return hash('sha256', JSON.stringify([system, beginning])).slice(0, keyDigits);
}

/** Marks the end of a part of the prompt that Anthropic should cache. */
export interface CacheControl {
	readonly type: 'ephemeral';
	readonly ttl?: '1h';
}

const shortCache: CacheControl = { type: 'ephemeral' };
const hourCache: CacheControl = { type: 'ephemeral', ttl: '1h' };
/** Default lifetime of Anthropic's cache since the last read, in milliseconds. */
const shortCacheMs = 5 * 60_000;
/** Conversations that are remembered; a forgotten one starts again with the default lifetime. */
const keptConversations = 200;

/**
 * Chooses the cache lifetime of each conversation. Writing costs 2 times the price of a token for an hour, and 1.25 times for five minutes
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching, “Pricing”), and an expired cache is written again completely. So
 * the hour is for conversations in which a question or a tool once took longer than five minutes.
 */
export class CacheLifetimes {
	readonly #conversations = new Map<string, { readonly askedMs: number; readonly isSlow: boolean }>();

	/** For a request that is about to be sent. Asking again for the same request changes nothing. */
	next(request: ChatRequest): CacheControl {
		const conversation = conversationKey(request);
		const askedMs = performance.now();
		const previous = this.#conversations.get(conversation);
		const isSlow = previous !== undefined && (previous.isSlow || askedMs - previous.askedMs > shortCacheMs);
		this.#conversations.delete(conversation);
		this.#conversations.set(conversation, { askedMs, isSlow });
		const [oldest = ''] = this.#conversations.keys();
		if (this.#conversations.size > keptConversations) this.#conversations.delete(oldest);
		return isSlow ? hourCache : shortCache;
	}
}

/** Maximum breakpoints of a request. */
const maxBreakpoints = 4;

/** Blocks, including its own, in which a breakpoint looks for the entry of an earlier request. */
const lookbackBlocks = 20;

/**
 * Places the breakpoints of Anthropic's prompt cache, so that each request reads what the previous one wrote.
 *
 * The prompt is one sequence of blocks: tools, system, messages. A breakpoint writes one entry, for everything up to it, and reads the longest
 * entry that ends at it or at one of the 19 blocks before it
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "How automatic prefix checking works"). Therefore:
 *
 * - the last message, and the last message of the previous request (the user's before the last answer): an answer with many parallel calls
 *   adds more than 20 blocks;
 * - the last tool: after more tools were appended, everything up to it is still read. From 20 tools on, a second breakpoint 20 tools earlier
 *   doubles the reach to 39 appended tools;
 * - the system prompt, if a breakpoint is left: a new chat with the same tools then reads both.
 *
 * Takes the number of tools in the prompt, without deferred ones, and of messages of users and assistants in turn. Returns indices of tools and
 * of messages; the last block of each gets a `cache_control`.
 */
export function cacheBreakpoints(tools: number, system: boolean, messages: number) {
	const atTools = [tools - 1 - lookbackBlocks, tools - 1].filter((index) => index >= 0);
	const atMessages = [messages - 3, messages - 1].filter((index) => index >= 0);
	return {
		tools: atTools,
		system: system && atTools.length + atMessages.length < maxBreakpoints,
		messages: atMessages,
	};
}

/** Blocks of a prompt with breakpoints at these indices. */
export function withCacheControl<Block extends object>(
	blocks: readonly Block[],
	indices: readonly number[],
	cached: CacheControl,
): Block[] {
	return blocks.map((block, i) => (indices.includes(i) ? { ...block, cache_control: cached } : block));
}
