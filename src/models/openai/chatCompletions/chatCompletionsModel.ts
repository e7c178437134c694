import type { ChatCompletionCreateParamsStreaming } from 'openai/resources';
import type { Thinking } from '../../../common/answerSettings.ts';
import { defined } from '../../../common/json.ts';
import { isOpenAiUrl, isOpenRouterUrl, takesCacheKey } from '../../../common/providers.ts';
import type { Answer } from '../../answer.ts';
import type { ChatRequest } from '../../chatModel.ts';
import { CacheLifetimes, conversationKey } from '../../promptCache.ts';
import type { Endpoint, ProviderModelSettings } from '../../provider.ts';
import { type AcceptedRequest, commonFields, ProviderModel } from '../../providerModel.ts';
import { functionTools } from '../../wireCalls.ts';
import { ChatReader } from './chatReader.ts';
import {
	chatMessages,
	chatRemedies,
	reasoningRemedy,
	withBreakpoints,
	withoutReasoning,
} from './messages.ts';

type Body = ChatCompletionCreateParamsStreaming;

/** A model behind OpenAI's Chat Completions: at OpenAI itself, and at every other endpoint that speaks this protocol. */
export class ChatCompletionsModel extends ProviderModel<Body> {
	protected readonly path = '/chat/completions';
	readonly #cacheLifetimes = new CacheLifetimes();

	constructor(settings: ProviderModelSettings, endpoint: Endpoint) {
		super(settings, endpoint, 'chat', { first: [reasoningRemedy], remedies: chatRemedies });
	}

	protected reader(answer: Answer): ChatReader {
		return new ChatReader(this.endpoint, answer, this.thinker);
	}

	/** The body of a request. Whatever grows from request to request is as late as possible, so that each starts like the one before. */
	protected body(request: AcceptedRequest): Body {
		const { model, images = false } = this.settings;
		const { tools, mustCall, answers } = request;
		const { reasoningEffort, thinking, parallelToolCalls, maxOutputTokens } = answers;
		const body: Body = {
			model,
			...(tools.length > 0 && { tools: functionTools(tools) }),
			messages: chatMessages(request, {
				images,
				thinker: this.thinker,
				has: (remedy) => this.refused.has(remedy),
			}),
			...(mustCall && tools.length > 0 && { tool_choice: 'required' as const }),
			...(maxOutputTokens !== undefined && this.#outputLimit(maxOutputTokens)),
			...defined({
				reasoning_effort: tools.length > 0 && this.refused.has(withoutReasoning) ? 'none' : reasoningEffort,
				reasoning: thinking && openRouterReasoning(thinking),
				// Refused if there are no tools.
				parallel_tool_calls: tools.length > 0 ? parallelToolCalls : undefined,
			}),
			...commonFields(answers),
			...cacheKeyField(this.endpoint.baseUrl, request),
			stream: true,
			stream_options: { include_usage: true },
		};
		// Claude caches a prompt only on request, and among the endpoints of this protocol only OpenRouter passes that on.
		const cachesOnRequest = /(?:^|\/)claude-/.test(model) && isOpenRouterUrl(this.endpoint.baseUrl);
		return cachesOnRequest ? withBreakpoints(body, this.#cacheLifetimes.next(request)) : body;
	}

	/**
	 * OpenAI's newer models do not accept `max_tokens`. Hardly any server except OpenAI's and Azure's accepts `max_completion_tokens`, and the
	 * others say so.
	 */
	#outputLimit(tokens: number): { max_completion_tokens: number } | { max_tokens: number } {
		const isNewer = isOpenAiUrl(this.endpoint.baseUrl) !== this.refused.has('max_completion_tokens');
		return isNewer || this.refused.has('max_tokens')
			? { max_completion_tokens: tokens }
			: { max_tokens: tokens };
	}
}

/** https://openrouter.ai/docs/use-cases/reasoning-tokens: a number of tokens or a switch, and whether the thoughts are sent. */
function openRouterReasoning({ mode, tokens, display }: Thinking): object {
	return {
		...(mode === 'tokens' ? { max_tokens: tokens } : { enabled: mode === 'adaptive' }),
		...(display && { exclude: display === 'omitted' }),
	};
}

/**
 * Names the conversation to endpoints that find its cache that way: OpenAI, Azure and Moonshot in one field, OpenRouter, which then sends all
 * of it to one provider, in another (https://openrouter.ai/docs/guides/best-practices/prompt-caching, “session_id”).
 */
function cacheKeyField(baseUrl: string, request: ChatRequest): object {
	if (isOpenRouterUrl(baseUrl)) return { session_id: conversationKey(request) };
	return takesCacheKey(baseUrl) ? { prompt_cache_key: conversationKey(request) } : {};
}
