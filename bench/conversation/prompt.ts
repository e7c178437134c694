import type Anthropic from '@anthropic-ai/sdk';
import type { AnthropicMessage } from '../../src/models/anthropic/messages.ts';
import { requestBody } from '../../src/models/anthropic/requestBody.ts';
import type { ChatRequest } from '../../src/models/chatModel.ts';
import { Thinker } from '../../src/models/thinker.ts';
import { ToolAdapter } from '../../src/models/toolAdapter.ts';

/**
 * The pieces of a request in the order in which the model reads them: the body that the Anthropic adapter writes, which the
 * provider turns into tools, system and messages. Cache marks are not included. A deferred tool is where it is referenced
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool).
 */
export function promptOf(request: ChatRequest): string[] {
	const cached = { type: 'ephemeral' as const };
	const accepted = { ...new ToolAdapter('anthropic').adaptRequest(request).request, answers: {}, cached };
	const thinker = new Thinker({ baseUrl: '' }, 'anthropic', 'claude');
	const settings = { model: 'claude', images: false };
	const body = requestBody(accepted, settings, thinker, 1024);
	const tools = (body.tools ?? []) as readonly Anthropic.Tool[];
	const deferred = new Map(
		tools
			.filter((tool) => tool.defer_loading)
			.map(({ defer_loading: _, ...tool }) => [tool.name, tool] as const),
	);
	const pieces: unknown[] = [
		...tools.filter((tool) => !tool.defer_loading),
		...[body.system ?? []].flat(),
		...body.messages.map((message) => ({ ...message, content: expanded(message.content, deferred) })),
	];
	return pieces.map((piece) => `${JSON.stringify(piece, withoutCacheMarks)}\n`);
}

function expanded(content: AnthropicMessage['content'], deferred: ReadonlyMap<string, object>): unknown {
	return content.map((block) => {
		if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
		const inner = block.content?.map((part) =>
			part.type === 'tool_reference' ? (deferred.get(part.tool_name) ?? part) : part,
		);
		return { ...block, content: inner };
	});
}

function withoutCacheMarks(key: string, value: unknown): unknown {
	return key === 'cache_control' ? undefined : value;
}
