import type { ChatModelEvent, ChatRequest } from '../../../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../../../src/models/http/limits.ts';
import { ModelError } from '../../../../src/models/modelError.ts';
import { ResponsesModel } from '../../../../src/models/openai/responses/responsesModel.ts';
import type { Endpoint, ProviderModelSettings } from '../../../../src/models/provider.ts';
import { type Answer, ResponsesEndpoint } from './endpoint.ts';

const never = new AbortController().signal;

/** So short that a test can wait for what goes over them. */
export const shortLimits: AnswerLimits = { firstByteMs: 50, gapMs: 50, bytes: 100_000 };
/** Far longer than anything here takes. */
export const patientLimits: AnswerLimits = { ...shortLimits, firstByteMs: 5_000, gapMs: 5_000 };

/** A model that neither reasons nor searches, unless told otherwise. */
export function modelAt(
	endpoint: Endpoint,
	settings: Partial<ProviderModelSettings> = {},
	limits?: AnswerLimits,
): ResponsesModel {
	return new ResponsesModel({ id: 'gpt', name: 'GPT', model: 'gpt-4.1', ...settings }, endpoint, limits);
}

/** A request that asks one thing, with whatever else is given. */
export function asking(text: string, more: Partial<ChatRequest> = {}): ChatRequest {
	return { system: 'Be brief.', messages: [{ role: 'user', text }], tools: [], ...more };
}

/** All events of an answer. */
export async function eventsOf(
	model: ResponsesModel,
	request: ChatRequest,
	signal: AbortSignal = never,
): Promise<ChatModelEvent[]> {
	return Array.fromAsync(model.stream(request, signal));
}

/** The events up to a failure, and the failure. A retry that would have to be waited for ends it as well. */
export async function failureOf(
	model: ResponsesModel,
	request: ChatRequest,
): Promise<{ readonly events: readonly ChatModelEvent[]; readonly error: ModelError | undefined }> {
	const events: ChatModelEvent[] = [];
	try {
		for await (const event of model.stream(request, never)) {
			events.push(event);
			if (event.type === 'retrying' && event.afterMs > 500) break;
		}
		return { events, error: undefined };
	} catch (error) {
		if (error instanceof ModelError) return { events, error };
		throw error;
	}
}

/** What comes of one request to an endpoint that answers so, and how often it was asked. */
export async function outcomeOf(
	answers: readonly Answer[],
	limits = patientLimits,
	more: Partial<ChatRequest> = {},
) {
	await using endpoint = new ResponsesEndpoint(...answers);
	const outcome = await failureOf(modelAt(await endpoint.start(), {}, limits), asking('hello', more));
	return { ...outcome, requests: endpoint.asked.length };
}

/** What was said, in one piece. */
export function textOf(events: readonly ChatModelEvent[]): string {
	return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
