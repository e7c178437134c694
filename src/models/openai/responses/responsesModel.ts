import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { gptVersion } from '../../../common/answerSettings.ts';
import { isOpenAis } from '../../../common/providers.ts';
import type { Answer } from '../../answer.ts';
import type { ChatRequest } from '../../chatModel.ts';
import type { AnswerLimits } from '../../http/limits.ts';
import type { Endpoint, ProviderModelSettings } from '../../provider.ts';
import { loadingsWith, ProviderModel, type Writing } from '../../providerModel.ts';
import { knowsToolSearch, responsesBody } from './body.ts';
import { ResponsesReader } from './responsesReader.ts';

type Body = ResponseCreateParamsStreaming;

/** One of OpenAI's own models, through its Responses API: streamed, and with nothing stored there. */
export class ResponsesModel extends ProviderModel<Body> {
	protected readonly path = '/responses';
	readonly #searches: boolean;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint, limits?: AnswerLimits) {
		const { model } = settings;
		const isGpt = gptVersion(model) > 0;
		const isNativeKnown = isGpt ? knowsToolSearch(model) : !isOpenAis(endpoint.baseUrl);
		// A model that only knows additions has no way of its own without them.
		const forms = isGpt ? (['all', 'searches', 'list'] as const) : (['all', 'list'] as const);
		super(settings, endpoint, 'responses', loadingsWith(isNativeKnown), forms, limits);
		this.#searches = isGpt;
	}

	protected begin(): Writing<Body> {
		return { write: (request) => responsesBody(request, this.settings, this.thinker, this.#searches) };
	}

	protected reader(answer: Answer, _: Body, request: ChatRequest): ResponsesReader {
		return new ResponsesReader(this.endpoint, answer, this.thinker, request);
	}
}
