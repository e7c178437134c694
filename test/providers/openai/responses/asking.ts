import type { ChatRequest } from '../../../../src/models/chatModel.ts';
import type { ModelError } from '../../../../src/models/modelError.ts';
import { ResponsesModel } from '../../../../src/models/openai/responses/responsesModel.ts';
import type { AnswerLimits, ProviderModelSettings } from '../../../../src/models/provider.ts';
import { answerOf, asking, endpointAt, type HttpAnswer, Loopback, roomy } from '../../loopback.ts';

/** A model that neither reasons nor searches, unless told otherwise. */
export function modelAt(
	{ url }: Pick<Loopback, 'url'>,
	settings: Partial<ProviderModelSettings> = {},
	limits?: AnswerLimits,
): ResponsesModel {
	const whole = { id: 'gpt', name: 'GPT', model: 'gpt-4.1', ...settings };
	return new ResponsesModel(whole, endpointAt(`${url}/v1`, 'openai', limits));
}

/** What comes of one request to an endpoint that answers so, and how often it was asked. */
export async function outcomeOf(answer: HttpAnswer, limits = roomy, more: Partial<ChatRequest> = {}) {
	await using server = await Loopback.start(answer);
	const { events, parts, error } = await answerOf(modelAt(server, {}, limits), asking('hello', more));
	return { events, parts, error: error as ModelError | undefined, requests: server.received.length };
}
