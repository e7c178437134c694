import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { isProvidersOwn } from '../../../common/providers.ts';
import type { Answer } from '../../answer.ts';
import type { ChatRequest } from '../../chatModel.ts';
import { readEvents } from '../../http/eventStream.ts';
import type { AnswerLimits } from '../../http/limits.ts';
import type { Endpoint, ProviderModelSettings } from '../../provider.ts';
import { loadingsWith, ProviderModel, type Writing } from '../../providerModel.ts';
import { openAiClient } from '../client.ts';
import { knowsToolSearch, remedies, responsesBody } from './body.ts';
import { isEnd, ResponsesReader } from './responsesReader.ts';

type Body = ResponseCreateParamsStreaming;

/** One of OpenAI's own models, through its Responses API: streamed, and with nothing stored there. */
export class ResponsesModel extends ProviderModel<Body> {
	constructor(settings: ProviderModelSettings, endpoint: Endpoint, limits?: AnswerLimits) {
		const isNative = isProvidersOwn(endpoint) && knowsToolSearch(settings.model);
		super(settings, endpoint, 'responses', loadingsWith(isNative), remedies, limits);
	}

	protected begin(): Writing<Body> {
		return { write: (request) => responsesBody(request, this.settings, this.thinker) };
	}

	protected async ask(
		body: Body,
		{ searchTool }: ChatRequest,
		signal: AbortSignal,
		answer: Answer,
	): Promise<void> {
		const client = await openAiClient(this.endpoint, this.limits);
		const sent = client.responses.create(body, { signal }).asResponse();
		const reader = new ResponsesReader(answer, this.thinker, searchTool);
		await readEvents(this.endpoint, sent, { isLast: isEnd }, (event) => reader.read(event));
		reader.end(this.endpoint);
	}
}
