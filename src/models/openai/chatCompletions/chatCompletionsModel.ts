import type { ChatCompletionCreateParamsStreaming } from 'openai/resources';
import { type AnswerSettings, type Thinking, takenSettings } from '../../../common/answerSettings.ts';
import { isOpenAis, isOpenRouters, takesCacheKey } from '../../../common/providers.ts';
import type { ToolDefinition } from '../../../discovery/catalog/tool.ts';
import { type ChatModel, type ChatModelEvent, type ChatRequest, withCallInWords } from '../../chatModel.ts';
import { cutOff, outputLimitReached, refused } from '../../http/answerErrors.ts';
import type { AnswerLimits } from '../../http/limits.ts';
import { Refusals, staleThoughts, withExtra } from '../../http/refusals.ts';
import { withRetries } from '../../http/retries.ts';
import { type CacheControl, CacheLifetimes, conversationKey } from '../../promptCache.ts';
import type { Endpoint } from '../../provider.ts';
import { type ProviderModelSettings, providerMaxTools } from '../../provider.ts';
import { refusalOf, sendableTools } from '../../schemas/sendableTools.ts';
import { Thinker } from '../../thinker.ts';
import { openAiClient } from '../client.ts';
import { ChatAnswer } from './answer.ts';
import { chatChunks, failureInStream } from './chunks.ts';
import { chatMessages, chatTools, withBreakpoints } from './messages.ts';
import { chatRemedies, withFilledThoughts, withoutThoughts } from './request.ts';

/** A model behind OpenAI's Chat Completions: at OpenAI itself, and wherever that protocol is spoken. */
export class ChatCompletionsModel implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = providerMaxTools;
	readonly maxInputTokens: number | undefined;
	readonly loadings = ['append', 'call'] as const;
	readonly #settings: ProviderModelSettings;
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits | undefined;
	readonly #refused: Refusals;
	readonly #cacheLifetimes = new CacheLifetimes();
	readonly #thinker: Thinker;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint, limits?: AnswerLimits) {
		this.id = settings.id;
		this.name = settings.name;
		this.maxInputTokens = settings.maxInputTokens;
		this.#settings = settings;
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#refused = new Refusals(chatRemedies(endpoint), settings.name);
		this.#thinker = new Thinker(endpoint, 'chat', settings.model);
	}

	get #dialect(): 'gemini' | 'openai' {
		return /gemini/i.test(this.#settings.model) ? 'gemini' : 'openai';
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		return refusalOf(tool, this.#dialect);
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const { tools, dropped } = sendableTools(request.tools, this.#dialect);
		for (const { name, reason } of dropped) yield { type: 'toolDropped', name, reason };
		const cached = this.#cacheControl(request);
		const body = () => this.#body(request, tools, cached);
		const stale = staleThoughts(this.#thinker, request.messages, this.name);
		let answer = new ChatAnswer(this.#thinker);
		const read = () => {
			answer = new ChatAnswer(this.#thinker);
			return this.#read(answer, body(), signal);
		};
		try {
			yield* withRetries(() => this.#refused.asking(read, body, [stale]), signal);
		} catch (error) {
			if (!signal.aborted) throw error;
		}
		// From here on nothing is asked for again, however the answer ended.
		if (!signal.aborted) yield* this.#conclude(answer);
	}

	/** Streams the texts of an answer; throws where it does not come to its end, by `signal` too. */
	async *#read(
		answer: ChatAnswer,
		body: ChatCompletionCreateParamsStreaming,
		signal: AbortSignal,
	): AsyncGenerator<ChatModelEvent> {
		const client = await openAiClient(this.#endpoint, this.#limits);
		try {
			for await (const chunk of chatChunks(client, this.#endpoint, body, signal)) {
				yield* answer.add(chunk);
			}
		} catch (error) {
			// Some servers break the connection after the end of the answer.
			if (answer.ending === 'none' || answer.ending === 'failed') throw error;
		}
		if (answer.ending === 'none') throw cutOff(this.#endpoint);
		if (answer.ending === 'failed') throw failureInStream(this.#endpoint, undefined);
	}

	/** What an answer comes to once all of it is there. A call of an answer that a filter stopped is not made. */
	*#conclude(answer: ChatAnswer): Generator<ChatModelEvent> {
		const rest = answer.end();
		yield* rest;
		if (answer.usage) yield { type: 'usage', usage: answer.usage };
		if (answer.ending === 'filtered') throw refused(this.#endpoint, 'the content filter stopped the answer.');
		const calls = rest.some(({ type }) => type === 'toolCall');
		if (answer.ending === 'outOfTokens' && !calls) throw outputLimitReached(this.#endpoint);
	}

	/** The body of a request. What grows from request to request stands last where possible, so that each begins like the one before. */
	#body(
		given: ChatRequest,
		tools: readonly ToolDefinition[],
		cached: CacheControl | undefined,
	): ChatCompletionCreateParamsStreaming {
		const { model, images = false, extraBody } = this.#settings;
		const request = this.#refused.has('tool_choice') ? withCallInWords(given) : given;
		const { maxOutputTokens = this.#settings.maxOutputTokens, ...answers } = given.answers ?? {};
		const asked = { protocol: 'chat' as const, model, baseUrl: this.#endpoint.baseUrl };
		const settings = takenSettings(asked, { ...this.#settings.answers, ...answers });
		const thinker = this.#refused.has(withoutThoughts) ? undefined : this.#thinker;
		const fillsThoughts = this.#refused.has(withFilledThoughts);
		const body: ChatCompletionCreateParamsStreaming = {
			model,
			...(tools.length > 0 && { tools: chatTools(tools) }),
			messages: chatMessages(request, { images, thinker, fillsThoughts }),
			...(request.mustCall && tools.length > 0 && { tool_choice: 'required' as const }),
			...(maxOutputTokens !== undefined && this.#outputLimit(maxOutputTokens)),
			...answerFields(settings, tools.length > 0),
			...cacheKeyField(this.#endpoint.baseUrl, given),
			stream: true,
			stream_options: { include_usage: true },
		};
		const marked = cached ? withBreakpoints(body, cached) : body;
		return withExtra(this.#refused.without(marked), extraBody);
	}

	/** Claude caches a prompt only where it is asked to, and of all that speak this protocol only OpenRouter passes that on. */
	#cacheControl(request: ChatRequest): CacheControl | undefined {
		const isClaude = /(?:^|\/)claude-/.test(this.#settings.model);
		const asks = isClaude && isOpenRouters(this.#endpoint.baseUrl);
		return asks ? this.#cacheLifetimes.next(conversationKey(request)) : undefined;
	}

	/**
	 * OpenAI's newer models take no `max_tokens`; hardly any server but OpenAI's and Azure's takes `max_completion_tokens`, and then
	 * it says so.
	 */
	#outputLimit(tokens: number): { max_completion_tokens: number } | { max_tokens: number } {
		const isNewer = isOpenAis(this.#endpoint.baseUrl) !== this.#refused.has('max_completion_tokens');
		return isNewer || this.#refused.has('max_tokens')
			? { max_completion_tokens: tokens }
			: { max_tokens: tokens };
	}
}

/** Settings as Chat Completions has them. `parallel_tool_calls` is refused where there are no tools. */
function answerFields(
	settings: AnswerSettings,
	withTools: boolean,
): Partial<ChatCompletionCreateParamsStreaming> {
	const { reasoningEffort, thinking, temperature, topP, parallelToolCalls, serviceTier } = settings;
	return {
		...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
		...(thinking && { reasoning: openRouterReasoning(thinking) }),
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { top_p: topP }),
		...(parallelToolCalls !== undefined && withTools && { parallel_tool_calls: parallelToolCalls }),
		...(serviceTier !== undefined && { service_tier: serviceTier as 'auto' }),
	};
}

/** https://openrouter.ai/docs/use-cases/reasoning-tokens: either how much, or that at all, and whether it comes along. */
function openRouterReasoning({ mode, tokens, display }: Thinking): object {
	return {
		...(mode === 'tokens' ? { max_tokens: tokens } : { enabled: mode === 'adaptive' }),
		...(display && { exclude: display === 'omitted' }),
	};
}

/**
 * Names the conversation to whoever finds its cache by that: OpenAI, Azure and Moonshot under their name for it, OpenRouter, which asks one
 * provider with all of it then, under its own (https://openrouter.ai/docs/guides/best-practices/prompt-caching, “session_id”).
 */
function cacheKeyField(baseUrl: string, request: ChatRequest): object {
	if (isOpenRouters(baseUrl)) return { session_id: conversationKey(request) };
	return takesCacheKey(baseUrl) ? { prompt_cache_key: conversationKey(request) } : {};
}
