import type Anthropic from '@anthropic-ai/sdk';
import type { Thinking } from '../../common/answerSettings.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { splitAdditions, toolsInResults } from '../nativeLoading.ts';
import { type CacheControl, cacheBreakpoints, withCacheControl } from '../promptCache.ts';
import type { ProviderModelSettings } from '../provider.ts';
import { type AcceptedRequest, commonFields } from '../providerModel.ts';
import type { Thinker } from '../thinker.ts';
import { type AnthropicMessage, anthropicMessages, textBlocks } from './messages.ts';

/** The version of the API that the types describe. */
export const anthropicVersion = '2026-10-21';

/** A request as the API takes it, with additions in the conversation. */
export type MessagesBody = Omit<Anthropic.MessageCreateParamsStreaming, 'messages'> & {
	readonly messages: readonly AnthropicMessage[];
};

/**
 * The body of a request. Apart from `cache_control`, which moves with the conversation and is not part
 * of the cached prefix, the body of a request is a prefix of the next one's.
 */
export function requestBody(
	request: AcceptedRequest & { readonly cached: CacheControl },
	{ model, images = true }: Pick<ProviderModelSettings, 'model' | 'images'>,
	thinker: Thinker,
	/** A request for more than the model's limit would be refused. */
	mostOutputTokens: number,
): MessagesBody {
	const { mustCall, answers, cached } = request;
	const { reasoningEffort, thinking, parallelToolCalls } = answers;
	const maxOutputTokens = Math.min(answers.maxOutputTokens ?? mostOutputTokens, mostOutputTokens);
	const { tools, deferred, additions } = wireTools(request);
	const messages = anthropicMessages(request.messages, { images, deferred, additions, thinker });
	/** Where turns of the user end: additions belong to the message before them. */
	const ends = [...messages.keys()].filter((at) => messages[at + 1]?.role !== 'system');
	const system = textBlocks(request.system);
	const breakpoints = cacheBreakpoints(tools.length - deferred.size, system.length > 0, ends.length);
	const isSingle = parallelToolCalls === false;
	const choice: Anthropic.ToolChoice = {
		type: mustCall ? 'any' : 'auto',
		...(isSingle && { disable_parallel_tool_use: true }),
	};
	return {
		model,
		max_tokens: maxOutputTokens,
		...(tools.length > 0 && { tools: withCacheControl(tools, breakpoints.tools, cached) }),
		...(system.length > 0 && { system: withCacheControl(system, breakpoints.system ? [0] : [], cached) }),
		messages: messages.map(({ role, content }, index) => {
			const markedBlocks = breakpoints.messages.some((end) => ends[end] === index)
				? [content.length - 1]
				: [];
			return { role, content: withCacheControl(content, markedBlocks, cached) };
		}),
		...(tools.length > 0 && (mustCall || isSingle) && { tool_choice: choice }),
		...(reasoningEffort && {
			output_config: { effort: reasoningEffort as Exclude<typeof reasoningEffort, 'none' | 'minimal'> },
		}),
		...(thinking && { thinking: thinkingField(thinking, maxOutputTokens) }),
		...commonFields(answers),
		stream: true,
	};
}

/** The fewest tokens for thoughts that Anthropic takes (reference of `thinking.budget_tokens`). */
const minThinkingTokens = 1_024;

/** Thoughts count as output, so leave room for an answer after them, or do without thoughts. */
function thinkingField(
	{ mode, tokens = 0, display }: Thinking,
	maxOutputTokens: number,
): Anthropic.ThinkingConfigParam {
	const displayField = display && { display };
	switch (mode) {
		case 'off':
			return { type: 'disabled' };
		case 'adaptive':
			return { type: 'adaptive', ...displayField };
		case 'tokens': {
			const budget = Math.min(tokens, maxOutputTokens - 1);
			return budget < minThinkingTokens
				? { type: 'disabled' }
				: { type: 'enabled', budget_tokens: budget, ...displayField };
		}
	}
}

/**
 * Writes the tools of a request, followed by those that its messages loaded natively. Deferred definitions are not part of the prompt's prefix,
 * so adding more invalidates no cached token. `deferred`: their names, the only ones that a `tool_reference` may have.
 */
function wireTools(request: AcceptedRequest) {
	const { listedTools, additions: addedTools } = splitAdditions(request);
	// The API refuses a request with only deferred tools.
	const deferred = listedTools.length > 0 ? toolsInResults(request) : [];
	const tools: readonly Anthropic.Tool[] = [
		...listedTools.map(wireTool),
		...deferred.map((tool) => ({ ...wireTool(tool), defer_loading: true })),
	];
	const additions = new Map([...addedTools].map(([name, tool]) => [name, wireTool(tool)]));
	return { tools, additions, deferred: new Set(deferred.map(({ name }) => name)) };
}

function wireTool({ name, description, inputSchema }: ToolDefinition): Anthropic.Tool {
	return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}
