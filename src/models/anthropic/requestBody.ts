import type Anthropic from '@anthropic-ai/sdk';
import type { Thinking } from '../../common/answerSettings.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import type { ChatRequest } from '../chatModel.ts';
import { namesField, type Remedy } from '../http/refusals.ts';
import { type CacheControl, cacheBreakpoints } from '../promptCache.ts';
import type { ProviderModelSettings } from '../provider.ts';
import { type AcceptedRequest, commonFields, commonRemedies } from '../providerModel.ts';
import { type DroppedTool, sendableTools } from '../schemas/sendableTools.ts';
import type { Thinker } from '../thinker.ts';
import { textBlocks, wireMessages } from './messages.ts';

/** What a model or an endpoint may refuse, and a request can omit. */
export const remedies: readonly Remedy[] = [
	{ name: 'tool_choice', isMeant: namesField('tool_choice', /tool_choice|forced? tool/i), notice: undefined },
	{ name: 'output_config', isMeant: namesField('output_config', /output_config|\beffort\b/i) },
	{ name: 'thinking', isMeant: namesField('thinking', /\bthinking\b/i) },
	...commonRemedies,
];

/**
 * The body of a request, and the loaded tools that it leaves out. Apart from `cache_control`, which moves with the conversation and is not part
 * of the cached prefix, the body of a request is a prefix of the next one's.
 */
export function requestBody(
	request: AcceptedRequest,
	{ model, images = true }: Pick<ProviderModelSettings, 'model' | 'images'>,
	thinker: Thinker,
	/** A request for more than the model's limit would be refused. */
	mostOutputTokens: number,
	cached: CacheControl,
): { readonly body: Anthropic.MessageCreateParamsStreaming; readonly dropped: readonly DroppedTool[] } {
	const { mustCall, answers } = request;
	const { reasoningEffort, thinking, parallelToolCalls } = answers;
	const maxOutputTokens = Math.min(answers.maxOutputTokens ?? mostOutputTokens, mostOutputTokens);
	const { tools, deferred, dropped } = wireTools(request);
	const messages = wireMessages(request.messages, { images, deferred, thinker });
	const system = textBlocks(request.system);
	const at = cacheBreakpoints(tools.length - deferred.size, system.length > 0, messages.length);
	const isSingle = parallelToolCalls === false;
	const choice: Anthropic.ToolChoice = {
		type: mustCall ? 'any' : 'auto',
		...(isSingle && { disable_parallel_tool_use: true }),
	};
	const body: Anthropic.MessageCreateParamsStreaming = {
		model,
		max_tokens: maxOutputTokens,
		...(tools.length > 0 && { tools: marked(tools, at.tools, cached) }),
		...(system.length > 0 && { system: marked(system, at.system ? [0] : [], cached) }),
		messages: messages.map(({ role, content }, index) => {
			const last = at.messages.includes(index) ? [content.length - 1] : [];
			return { role, content: marked(content, last, cached) };
		}),
		...(tools.length > 0 && (mustCall || isSingle) && { tool_choice: choice }),
		...(reasoningEffort && {
			output_config: { effort: reasoningEffort as Exclude<typeof reasoningEffort, 'none' | 'minimal'> },
		}),
		...(thinking && { thinking: thinkingField(thinking, maxOutputTokens) }),
		...commonFields(answers),
		stream: true,
	};
	return { body, dropped };
}

/** Thoughts count as output, so leave room for an answer after them. */
function thinkingField(
	{ mode, tokens = 0, display }: Thinking,
	maxOutputTokens: number,
): Anthropic.ThinkingConfigParam {
	const shown = display && { display };
	switch (mode) {
		case 'off':
			return { type: 'disabled' };
		case 'adaptive':
			return { type: 'adaptive', ...shown };
		case 'tokens':
			return { type: 'enabled', budget_tokens: Math.min(tokens, maxOutputTokens - 1), ...shown };
	}
}

function marked<Block extends object>(
	blocks: readonly Block[],
	indices: readonly number[],
	cached: CacheControl,
): Block[] {
	return blocks.map((block, index) =>
		indices.includes(index) ? { ...block, cache_control: cached } : block,
	);
}

/**
 * Writes the tools of a request, followed by those that its messages loaded natively. Deferred definitions are not part of the prompt's prefix,
 * so adding more invalidates no cached token. `deferred`: their names, the only ones that a `tool_reference` may have.
 */
function wireTools(request: AcceptedRequest) {
	const loaded = sendableTools(loadedTools(request), request.dialect);
	// The API refuses a request with only deferred tools.
	const deferred = request.tools.length > 0 ? loaded.tools : [];
	const tools: readonly Anthropic.Tool[] = [
		...request.tools.map(wireTool),
		...deferred.map((tool) => ({ ...wireTool(tool), defer_loading: true })),
	];
	return { tools, deferred: new Set(deferred.map(({ name }) => name)), dropped: loaded.dropped };
}

/** Tools that results loaded and `tools` lacks, in the order of their first appearance, each with its latest definition. */
function loadedTools({ searchTool, messages, tools }: ChatRequest): readonly ToolDefinition[] {
	if (searchTool === undefined) return [];
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	const loaded = results.flatMap((result) => result.loaded ?? []);
	const byName = new Map(loaded.map((tool) => [tool.name, tool]));
	for (const { name } of tools) byName.delete(name);
	return [...byName.values()];
}

function wireTool({ name, description, inputSchema }: ToolDefinition): Anthropic.Tool {
	return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}
