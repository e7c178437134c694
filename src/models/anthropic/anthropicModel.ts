import type Anthropic from '@anthropic-ai/sdk';
import { isProvidersOwn } from '../../common/providers.ts';
import type { Loading } from '../../discovery/catalog/policy.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../chatModel.ts';
import { type AnswerLimits, answerLimits } from '../http/limits.ts';
import { Refusals, type Remedy, staleThoughts } from '../http/refusals.ts';
import { withRetries } from '../http/retries.ts';
import { CacheLifetimes, conversationKey } from '../promptCache.ts';
import { type Endpoint, type ProviderModelSettings, providerMaxTools } from '../provider.ts';
import { refusalOf } from '../schemas/sendableTools.ts';
import { Thinker } from '../thinker.ts';
import { answerEvents, readableEvents } from './answerEvents.ts';
import { anthropicClient } from './client.ts';
import { type BodySettings, remedies, requestBody } from './requestBody.ts';

/**
 * Whether a model knows `defer_loading` and `tool_reference`: Sonnet 4, Opus 4 and Haiku 4.5, what came after them, and every family
 * that is newer (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool, "Model compatibility").
 */
function defersTools(model: string): boolean {
	// Up to 3.7 the version stood before the family: `claude-3-5-haiku-latest`, `claude-instant-1.2`, `claude-2.1`.
	const [, family, major, minor] = /^claude-([a-z]+)(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?!\d)/.exec(model) ?? [];
	if (family === undefined || family === 'instant' || family === 'v') return false;
	if (major === undefined) return true;
	const oldest = family === 'haiku' ? 4.5 : 4;
	return Number(`${major}.${minor ?? 0}`) >= oldest;
}

/**
 * Ways in which a loaded tool can reach a model, the best first. Endpoints that only speak Anthropic's protocol mostly do not know
 * deferral, and say so with an error; a user who knows better can insist.
 */
export function anthropicLoadings(model: string, isProvidersOwn: boolean): readonly [Loading, ...Loading[]] {
	return isProvidersOwn && defersTools(model) ? ['native', 'append', 'call'] : ['append', 'native', 'call'];
}

/** Tokens of an answer, at most, where nothing is set. The API wants a number, and the smallest limit of a model in use is this. */
const defaultMaxOutputTokens = 8192;

/** A model of Anthropic's, or of any endpoint that speaks its Messages API. */
export class AnthropicModel implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = providerMaxTools;
	readonly maxInputTokens: number | undefined;
	readonly loadings: readonly [Loading, ...Loading[]];
	/** The length of an answer is lowered where the API says that it is too long for the model. */
	#body: BodySettings & { readonly thinker: Thinker };
	readonly #refused: Refusals;
	readonly #cacheLifetimes: CacheLifetimes;
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits;

	/** `nowMs`: a clock that never goes back, in milliseconds. */
	constructor(
		settings: ProviderModelSettings,
		endpoint: Endpoint,
		limits = answerLimits,
		nowMs?: () => number,
	) {
		this.#cacheLifetimes = new CacheLifetimes(nowMs);
		const { id, name, model, maxInputTokens } = settings;
		const { maxOutputTokens = defaultMaxOutputTokens, images = true, answers, extraBody } = settings;
		this.id = id;
		this.name = name;
		this.maxInputTokens = maxInputTokens;
		this.loadings = anthropicLoadings(model, isProvidersOwn(endpoint));
		const set = { ...(answers && { answers }), ...(extraBody && { extraBody }) };
		this.#body = {
			model,
			maxOutputTokens,
			images,
			...set,
			thinker: new Thinker(endpoint, 'messages', model),
		};
		this.#refused = new Refusals(remedies, name);
		this.#endpoint = endpoint;
		this.#limits = limits;
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		return refusalOf(tool, 'anthropic');
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const cached = this.#cacheLifetimes.next(conversationKey(request));
		const made = () => requestBody(request, this.#body, this.#refused, cached);
		const { dropped } = made();
		for (const tool of dropped) yield { type: 'toolDropped', ...tool };
		const own = [this.#lowerLimit, staleThoughts(this.#body.thinker, request.messages, this.name)];
		const ask = () =>
			this.#refused.asking(
				() => this.#ask(made().body, signal),
				() => made().body,
				own,
			);
		try {
			yield* withRetries(ask, signal);
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}

	/** The length of an answer was only guessed; the API names the longest. */
	readonly #lowerLimit: Remedy = {
		name: 'max_tokens',
		isMeant: ({ limits }) => limits.maxOutputTokens !== undefined,
		apply: ({ limits: { maxOutputTokens } }) => {
			const lowers = maxOutputTokens !== undefined && maxOutputTokens < this.#body.maxOutputTokens;
			if (lowers) this.#body = { ...this.#body, maxOutputTokens };
			return lowers;
		},
		notice: undefined,
	};

	async *#ask(
		body: Anthropic.MessageCreateParamsStreaming,
		signal: AbortSignal,
	): AsyncGenerator<ChatModelEvent> {
		const client = await anthropicClient(this.#endpoint, this.#limits);
		const { data, response } = await client.messages.create(body, { signal }).withResponse();
		const contentType = response.headers.get('content-type') ?? '';
		const events = readableEvents(data, contentType, this.#endpoint);
		yield* answerEvents(events, this.#endpoint, { ...this.#body, maxOutputTokens: body.max_tokens });
	}
}
