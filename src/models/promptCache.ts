import { createHash } from 'node:crypto';
import type { ChatRequest } from './chatModel.ts';

/** Digits of a hash that tell conversations apart; OpenAI takes keys of up to 64 characters. */
const keyDigits = 32;

/**
 * Names a conversation to a provider, so that its requests go to the machine that has its cache. A key for all conversations would bring a
 * new one to the tools that the last one had cached, but a machine takes about 15 requests a minute for a key and then others get
 * them: a few loops at once, of a user or of an organisation, would throw each other out in mid-conversation, where more is at stake.
 * A conversation's system prompt and first message stay as they are while it lasts.
 */
export function conversationKey({ system, messages }: Pick<ChatRequest, 'system' | 'messages'>): string {
	const first = messages.find((message) => message.role === 'user')?.text ?? '';
	return createHash('sha256')
		.update(JSON.stringify([system, first]))
		.digest('hex')
		.slice(0, keyDigits);
}

/** Marks the end of a part of the prompt that Anthropic is to keep. */
export interface CacheControl {
	readonly type: 'ephemeral';
	readonly ttl?: '1h';
}

const usual: CacheControl = { type: 'ephemeral' };
const long: CacheControl = { type: 'ephemeral', ttl: '1h' };
/** How long Anthropic keeps what it has not read again, in milliseconds, unless an hour is asked for. */
const usualLifeMs = 5 * 60_000;
/** Conversations that are watched; a forgotten one begins anew with the usual life. */
const keptConversations = 200;

/**
 * How long the prompt of each conversation is to be kept. An hour costs 2 times the price of a token to write, five minutes 1.25 times
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching, “Pricing”), and what has run out is written whole: so the hour
 * is for conversations in which a question has waited for the user, or a tool has worked, for longer than that.
 */
export class CacheLifetimes {
	readonly #askedMs = new Map<string, number>();
	readonly #slow = new Set<string>();
	readonly #nowMs: () => number;

	constructor(nowMs: () => number = () => performance.now()) {
		this.#nowMs = nowMs;
	}

	/** To be called once for each request of a conversation, before it is sent. */
	next(conversation: string): CacheControl {
		const now = this.#nowMs();
		const before = this.#askedMs.get(conversation);
		if (before !== undefined && now - before > usualLifeMs) this.#slow.add(conversation);
		this.#askedMs.delete(conversation);
		this.#askedMs.set(conversation, now);
		for (const oldest of this.#askedMs.keys()) {
			if (this.#askedMs.size <= keptConversations) break;
			this.#askedMs.delete(oldest);
			this.#slow.delete(oldest);
		}
		return this.#slow.has(conversation) ? long : usual;
	}
}

/** Breakpoints that a request may have. */
const mostBreakpoints = 4;

/** Blocks at which a breakpoint looks for what an earlier request has written, itself the first. */
const lookbackBlocks = 20;

/** What a request consists of, as far as it matters for the cache. */
interface PromptShape {
	/** Tools that are part of the prompt, which deferred ones are not. */
	readonly tools: number;
	readonly system: boolean;
	/** Messages, users and assistants in turn. */
	readonly messages: number;
}

/** Where `cache_control` stands: indices of tools and of messages, whose last block carries it. */
export interface CacheBreakpoints {
	readonly tools: readonly number[];
	readonly system: boolean;
	readonly messages: readonly number[];
}

/**
 * Where to set the breakpoints of Anthropic's prompt cache, so that each request reads what the one before it has written.
 *
 * The prompt is one sequence of blocks: tools, system, messages. A breakpoint writes one entry, for all up to it, and reads the longest
 * entry that ends at it or at one of the 19 blocks before; entries in between are not made
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "How automatic prefix checking works"). Therefore:
 *
 * - the last message, and the message that was last in the former request (the user's before the last answer): an answer with many
 *   parallel calls adds more blocks than are looked back over;
 * - the last tool: once more tools are appended, all up to there is still read. Beyond 20 tools a second one, 20 before, doubles the reach
 *   to 39 appended tools;
 * - the system prompt, where one is left: a new chat with the same tools then reads both.
 */
export function cacheBreakpoints({ tools, system, messages }: PromptShape): CacheBreakpoints {
	const atTools = [tools - 1 - lookbackBlocks, tools - 1].filter((index) => index >= 0);
	const atMessages = [messages - 3, messages - 1].filter((index) => index >= 0);
	return {
		tools: atTools,
		system: system && atTools.length + atMessages.length < mostBreakpoints,
		messages: atMessages,
	};
}
