import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { gptVersion } from '../../../common/answerSettings.ts';
import { isOpenAis } from '../../../common/providers.ts';
import type { Answer } from '../../answer.ts';
import type { ChatRequest } from '../../chatModel.ts';
import type { AnswerLimits } from '../../http/limits.ts';
import type { Remedy } from '../../http/refusals.ts';
import type { Endpoint, ProviderModelSettings } from '../../provider.ts';
import { type AcceptedRequest, loadingsWith, ProviderModel, type Writing } from '../../providerModel.ts';
import { knowsToolSearch, remedies, responsesBody } from './body.ts';
import { ResponsesReader } from './responsesReader.ts';

type Body = ResponseCreateParamsStreaming;

/** Tools that the user loaded are then at the end of the list. */
const withoutAdditions: Remedy = {
	name: 'additional_tools',
	isMeant: (failure, body) => hasAdditions(body) && failure.says(/additional_tools/i),
	notice: undefined,
};

function hasAdditions(body: object): boolean {
	const { input } = body as Body;
	return typeof input === 'object' && input.some(({ type }) => type === 'additional_tools');
}

/** One of OpenAI's own models, through its Responses API: streamed, and with nothing stored there. */
export class ResponsesModel extends ProviderModel<Body> {
	protected readonly path = '/responses';
	/** Whether it is a GPT, whose own way is `tool_search`. Others may know `additional_tools`, as Ollama does. */
	readonly #searches: boolean;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint, limits?: AnswerLimits) {
		const { model } = settings;
		const isGpt = gptVersion(model) > 0;
		const isNativeKnown = isGpt ? knowsToolSearch(model) : !isOpenAis(endpoint.baseUrl);
		super(settings, endpoint, 'responses', loadingsWith(isNativeKnown), remedies, limits);
		this.#searches = isGpt;
	}

	protected begin(): Writing<Body> {
		const write = (request: AcceptedRequest) => {
			const form = { searches: this.#searches, adds: !this.refused.has(withoutAdditions.name) };
			return responsesBody(request, this.settings, this.thinker, form);
		};
		// A model that only knows additions has no way of its own without them.
		if (!this.#searches) return { write };
		return {
			write,
			remedies: [withoutAdditions],
			lastResorts: [{ ...withoutAdditions, isMeant: (_, body) => hasAdditions(body) }],
		};
	}

	protected reader(answer: Answer, _: Body, { searchTool }: ChatRequest): ResponsesReader {
		return new ResponsesReader(this.endpoint, answer, this.thinker, searchTool);
	}
}
