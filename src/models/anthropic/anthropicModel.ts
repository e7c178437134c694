import type { Answer } from '../answer.ts';
import type { Remedy } from '../http/refusals.ts';
import { CacheLifetimes } from '../promptCache.ts';
import type { Endpoint, ProviderModelSettings } from '../provider.ts';
import { type AcceptedRequest, ProviderModel } from '../providerModel.ts';
import { AnthropicReader } from './anthropicReader.ts';
import { anthropicVersion, type MessagesBody, requestBody } from './requestBody.ts';

/**
 * Whether a model may know `defer_loading` and `tool_reference`: every Claude since 4
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool, "Model compatibility"). Up to 3.7 the version came before the
 * family: `claude-3-5-haiku-latest`, `claude-2.1`.
 */
const defersTools = /^claude-(?!v\d|instant)[a-z]/;

/**
 * The beta of the API with which a message may define a tool. Models that do not take that (before Opus 4.8, and Sonnet 5) refuse it
 * (https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages).
 */
const additionsBeta = 'inline-tools-2026-09-15';

/** Default limit of an answer, in tokens. The API requires a number, and this is the smallest limit of any model in use. */
const defaultMaxOutputTokens = 8192;

/** A model of Anthropic's, or of any endpoint that speaks its Messages API. */
export class AnthropicModel extends ProviderModel<MessagesBody> {
	protected readonly path = '/v1/messages';
	readonly #cacheLifetimes = new CacheLifetimes();
	/** Lowered when the API says that the model writes less. */
	#maxOutputTokens: number;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint) {
		/** The length of an answer was only a guess; the API names the longest. */
		const lowerLimit: Remedy = {
			name: 'max_tokens',
			appliesTo: ({ limits }) => limits.maxOutputTokens !== undefined,
			apply: ({ limits: { maxOutputTokens = Number.POSITIVE_INFINITY } }) => {
				const isLower = maxOutputTokens < this.#maxOutputTokens;
				if (isLower) this.#maxOutputTokens = maxOutputTokens;
				return isLower;
			},
		};
		super(settings, endpoint, 'anthropic', {
			first: [lowerLimit],
			forms: ['all', 'searches', 'list'],
			isNativeKnown: defersTools.test(settings.model),
		});
		this.#maxOutputTokens = settings.maxOutputTokens ?? defaultMaxOutputTokens;
	}

	protected body(request: AcceptedRequest): MessagesBody {
		const cached = this.#cacheLifetimes.next(request);
		return requestBody({ ...request, cached }, this.settings, this.thinker, this.#maxOutputTokens);
	}

	protected override headers({ messages }: MessagesBody): Readonly<Record<string, string>> {
		const hasAdditions = messages.some(({ role }) => role === 'system');
		return {
			'anthropic-version': anthropicVersion,
			...(hasAdditions && { 'anthropic-beta': additionsBeta }),
		};
	}

	protected reader(answer: Answer, body: MessagesBody): AnthropicReader {
		return new AnthropicReader(this.endpoint, answer, this.thinker, body);
	}
}
