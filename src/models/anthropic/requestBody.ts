import type Anthropic from '@anthropic-ai/sdk';
import type { ChatRequest } from '../chatModel.ts';
import type { DroppedTool } from '../toolSchemas/sendableTools.ts';
import { type CacheBreakpoints, cacheBreakpoints } from './cacheBreakpoints.ts';
import { textBlocks } from './wireContent.ts';
import { type WireMessage, wireMessages } from './wireMessages.ts';
import { wireTools } from './wireTools.ts';

/** What is asked of every request of one model. */
export interface BodySettings {
	/** The model's name on the wire. */
	readonly model: string;
	readonly maxOutputTokens: number;
	/** Whether the model takes pictures. */
	readonly images: boolean;
	/** Whose thoughts are sent back; see `thinkerOf`. */
	readonly thinker?: string;
}

const ephemeral = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The body of a request, and the tools that it leaves out. Without `cache_control`, which moves with the conversation and is no part of
 * the cached prefix, the body of a request is a prefix of the next one's.
 */
export function requestBody(
	request: ChatRequest,
	settings: BodySettings,
): { body: Anthropic.MessageCreateParamsStreaming; dropped: readonly DroppedTool[] } {
	const { tools, deferred, dropped } = wireTools(request);
	const { images, thinker } = settings;
	const messages = wireMessages(request.messages, { images, deferred, ...(thinker && { thinker }) });
	const system = textBlocks(request.system);
	const at = cacheBreakpoints({
		tools: tools.length - deferred.size,
		system: system.length > 0,
		messages: messages.length,
	});
	return {
		body: {
			model: settings.model,
			max_tokens: settings.maxOutputTokens,
			...(tools.length > 0 && { tools: marked(tools, at.tools) }),
			...(system.length > 0 && { system: marked(system, at.system ? [0] : []) }),
			messages: markedMessages(messages, at),
			...(request.mustCall && tools.length > 0 && { tool_choice: { type: 'any' as const } }),
			stream: true,
		},
		dropped,
	};
}

function markedMessages(messages: readonly WireMessage[], at: CacheBreakpoints): Anthropic.MessageParam[] {
	return messages.map(({ role, content }, index) => {
		const last = at.messages.includes(index) ? [content.length - 1] : [];
		return { role, content: marked(content, last) };
	});
}

function marked<Block extends object>(blocks: readonly Block[], indices: readonly number[]): Block[] {
	return blocks.map((block, index) => (indices.includes(index) ? { ...block, ...ephemeral } : block));
}
