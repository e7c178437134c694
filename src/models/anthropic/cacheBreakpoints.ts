/** Breakpoints that a request may have. */
const most = 4;

/** Blocks at which a breakpoint looks for what an earlier request has written, itself the first. */
const lookback = 20;

/** What a request consists of, as far as it matters for the cache. */
export interface PromptShape {
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
	const atTools = [tools - 1 - lookback, tools - 1].filter((index) => index >= 0);
	const atMessages = [messages - 3, messages - 1].filter((index) => index >= 0);
	return {
		tools: atTools,
		system: system && atTools.length + atMessages.length < most,
		messages: atMessages,
	};
}
