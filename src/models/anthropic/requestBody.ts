import type Anthropic from '@anthropic-ai/sdk';
import {
	type AnswerSettings,
	canBeForced,
	type Thinking,
	takenSettings,
} from '../../common/answerSettings.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { type ChatRequest, withCallInWords } from '../chatModel.ts';
import { namesField, Refusals, type Remedy, withExtra } from '../http/refusals.ts';
import { type CacheBreakpoints, type CacheControl, cacheBreakpoints } from '../promptCache.ts';
import { type DroppedTool, sendableTools } from '../schemas/sendableTools.ts';
import type { Thinker } from '../thinker.ts';
import { textBlocks, type WireMessage, wireMessages } from './messages.ts';

/** The settings of a model that its requests depend on. */
export interface BodySettings {
	/** The provider's name for the model. */
	readonly model: string;
	readonly maxOutputTokens: number;
	/** Whether the model accepts pictures. */
	readonly images: boolean;
	readonly answers?: AnswerSettings;
	readonly extraBody?: Readonly<Record<string, unknown>>;
	/** Whose thoughts are sent back. */
	readonly thinker?: Thinker;
}

/** What a model or an endpoint may refuse, and a request can omit. */
export const remedies: readonly Remedy[] = [
	{ name: 'tool_choice', isMeant: namesField('tool_choice', /tool_choice|forced? tool/i), notice: undefined },
	{ name: 'output_config', isMeant: namesField('output_config', /output_config|\beffort\b/i) },
	{ name: 'thinking', isMeant: namesField('thinking', /\bthinking\b/i) },
	{ name: 'temperature' },
	{ name: 'top_p' },
	{ name: 'service_tier' },
];

/**
 * The body of a request, and the tools that it leaves out. Apart from `cache_control`, which moves with the conversation and is not part of the
 * cached prefix, the body of a request is a prefix of the next one's.
 */
export function requestBody(
	given: ChatRequest,
	settings: BodySettings,
	refused: Refusals = new Refusals([], settings.model),
	cached: CacheControl = { type: 'ephemeral' },
): { body: Anthropic.MessageCreateParamsStreaming; dropped: readonly DroppedTool[] } {
	const { model, images, thinker, extraBody } = settings;
	const { maxOutputTokens: fewer = settings.maxOutputTokens, ...wished } = given.answers ?? {};
	// A request for more than the model's limit would be refused.
	const maxOutputTokens = Math.min(fewer, settings.maxOutputTokens);
	const asked = { protocol: 'anthropic' as const, model };
	const answers = takenSettings(asked, { ...settings.answers, ...wished });
	const isForced = canBeForced(asked, answers) && !refused.has('tool_choice');
	const request = isForced ? given : withCallInWords(given);
	const { tools, deferred, dropped } = wireTools(request);
	const messages = wireMessages(request.messages, { images, deferred, ...(thinker && { thinker }) });
	const system = textBlocks(request.system);
	const at = cacheBreakpoints({
		tools: tools.length - deferred.size,
		system: system.length > 0,
		messages: messages.length,
	});
	const body: Anthropic.MessageCreateParamsStreaming = {
		model,
		max_tokens: maxOutputTokens,
		...(tools.length > 0 && { tools: marked(tools, at.tools, cached) }),
		...(system.length > 0 && { system: marked(system, at.system ? [0] : [], cached) }),
		messages: markedMessages(messages, at, cached),
		...(tools.length > 0 && toolChoice(request, answers)),
		...answerFields(answers, maxOutputTokens),
		stream: true,
	};
	return { body: withExtra(refused.without(body), extraBody), dropped };
}

function toolChoice(
	{ mustCall }: ChatRequest,
	{ parallelToolCalls }: AnswerSettings,
): Pick<Anthropic.MessageCreateParamsStreaming, 'tool_choice'> {
	const single = parallelToolCalls === false && { disable_parallel_tool_use: true };
	if (!mustCall && !single) return {};
	return { tool_choice: { type: mustCall ? 'any' : 'auto', ...single } };
}

function answerFields(
	{ reasoningEffort, thinking, temperature, topP, serviceTier }: AnswerSettings,
	maxOutputTokens: number,
): Partial<Anthropic.MessageCreateParamsStreaming> {
	return {
		...(reasoningEffort !== undefined && {
			output_config: { effort: reasoningEffort as Exclude<typeof reasoningEffort, 'none' | 'minimal'> },
		}),
		...(thinking && { thinking: thinkingField(thinking, maxOutputTokens) }),
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { top_p: topP }),
		...(serviceTier !== undefined && { service_tier: serviceTier as 'auto' }),
	};
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

function markedMessages(
	messages: readonly WireMessage[],
	at: CacheBreakpoints,
	cached: CacheControl,
): Anthropic.MessageParam[] {
	return messages.map(({ role, content }, index) => {
		const last = at.messages.includes(index) ? [content.length - 1] : [];
		return { role, content: marked(content, last, cached) };
	});
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

/** The tools of a request in Anthropic's format. */
interface WireTools {
	/** The tools of the request in their order, then those with `defer_loading`. */
	readonly tools: readonly Anthropic.Tool[];
	/** Names of tools with `defer_loading`: a `tool_reference` may name no others. */
	readonly deferred: ReadonlySet<string>;
	readonly dropped: readonly DroppedTool[];
}

/**
 * Writes the tools of a request, followed by those that its messages loaded natively. Deferred definitions are not part of the prompt's prefix,
 * so adding more invalidates no cached token.
 */
export function wireTools(request: ChatRequest): WireTools {
	const fixed = sendableTools(request.tools, 'anthropic');
	const loaded = sendableTools(loadedTools(request), 'anthropic');
	// The API refuses a request with only deferred tools.
	const deferred = fixed.tools.length > 0 ? loaded.tools : [];
	return {
		tools: [
			...fixed.tools.map(wireTool),
			...deferred.map((tool) => ({ ...wireTool(tool), defer_loading: true })),
		],
		deferred: new Set(deferred.map(({ name }) => name)),
		dropped: [...fixed.dropped, ...loaded.dropped],
	};
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
