import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { isProvidersOwn } from '../../../common/providers.ts';
import type { ChatModelEvent, ChatRequest } from '../../chatModel.ts';
import { eventsOf } from '../../http/eventStream.ts';
import type { AnswerLimits } from '../../http/limits.ts';
import type { Endpoint, ProviderModelSettings } from '../../provider.ts';
import { loadingsWith, ProviderModel, type Writing } from '../../providerModel.ts';
import { openAiClient } from '../client.ts';
import { knowsToolSearch, remedies, responsesBody } from './body.ts';
import { answerEvents, isEnd } from './events.ts';

type Body = ResponseCreateParamsStreaming;

/** One of OpenAI's own models, through its Responses API: streamed, and with nothing stored there. */
export class ResponsesModel extends ProviderModel<Body> {
	readonly loadings;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint, limits?: AnswerLimits) {
		super(settings, endpoint, 'responses', 'openai', remedies, limits);
		this.loadings = loadingsWith(isProvidersOwn(endpoint) && knowsToolSearch(settings.model));
	}

	protected begin(): Writing<Body> {
		return { write: (request) => responsesBody(request, this.settings, this.thinker) };
	}

	protected async *ask(
		body: Body,
		{ searchTool }: ChatRequest,
		signal: AbortSignal,
	): AsyncGenerator<ChatModelEvent> {
		const client = await openAiClient(this.endpoint, this.limits);
		const sent = client.responses.create(body, { signal }).asResponse();
		const events = eventsOf(this.endpoint, sent, { isLast: isEnd });
		yield* answerEvents(events, this.endpoint, searchTool, this.thinker);
	}
}
