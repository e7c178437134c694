import type Anthropic from '@anthropic-ai/sdk';
import { unmarked } from './asking.ts';

type Marked = { cache_control?: unknown };

/**
 * Anthropic's prompt cache as its documentation describes it: a prompt is one sequence of blocks (tools, system, messages); each breakpoint
 * writes an entry for all up to it, and reads the longest entry that ends at one of the 20 blocks up to it.
 */
export class PromptCache {
	readonly #entries = new Set<string>();

	/** Blocks of a request, and how many of them are read from the cache. */
	ask(body: Anthropic.MessageCreateParamsStreaming): { blocks: number; read: number } {
		const blocks = blocksOf(body);
		const prefixes = blocks.map((_, index) => JSON.stringify(unmarked(blocks.slice(0, index + 1))));
		const breakpoints = blocks.flatMap(({ block }, index) => (block.cache_control ? [index] : []));
		const reads = breakpoints.flatMap((at) => {
			const reach = prefixes.slice(Math.max(0, at - 19), at + 1);
			const found = reach.findLastIndex((prefix) => this.#entries.has(prefix));
			return found < 0 ? [] : [Math.max(0, at - 19) + found + 1];
		});
		for (const at of breakpoints) this.#entries.add(prefixes[at] ?? '');
		return { blocks: blocks.length, read: Math.max(0, ...reads) };
	}
}

/** Deferred tools are no part of the prompt. */
function blocksOf({
	tools = [],
	system = [],
	messages,
}: Anthropic.MessageCreateParamsStreaming): { role: string; block: Marked }[] {
	const fixed = (tools as Anthropic.Tool[]).filter((tool) => !tool.defer_loading);
	return [
		...fixed.map((block) => ({ role: 'tool', block })),
		...(system as Anthropic.TextBlockParam[]).map((block) => ({ role: 'system', block })),
		...messages.flatMap(({ role, content }) =>
			(content as Anthropic.TextBlockParam[]).map((block) => ({ role, block })),
		),
	];
}
