import type {
	ResponseCreateParamsStreaming,
	ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { Stream } from 'openai/streaming';
import { isProvidersOwn } from '../../../common/providers.ts';
import type { Loading } from '../../../discovery/catalog/policy.ts';
import type { ToolDefinition } from '../../../discovery/catalog/tool.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../chatModel.ts';
import { malformed } from '../../http/answerErrors.ts';
import type { AnswerLimits } from '../../http/limits.ts';
import { Refusals, staleThoughts } from '../../http/refusals.ts';
import { modelErrorOf, withRetries } from '../../http/retries.ts';
import { type Endpoint, type ProviderModelSettings, providerMaxTools } from '../../provider.ts';
import { refusalOf } from '../../schemas/sendableTools.ts';
import { Thinker } from '../../thinker.ts';
import { openAiClient } from '../client.ts';
import { type RequestSettings, remedies, responsesBody, responsesLoadings } from './body.ts';
import { answerEvents, failureOfRequest } from './events.ts';

/** One of OpenAI's own models, through its Responses API: streamed, and with nothing stored there. */
export class ResponsesModel implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = providerMaxTools;
	readonly maxInputTokens: number | undefined;
	readonly loadings: readonly [Loading, ...Loading[]];
	readonly #settings: RequestSettings;
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits | undefined;
	readonly #thinker: Thinker;
	readonly #refused: Refusals;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint, limits?: AnswerLimits) {
		this.id = settings.id;
		this.name = settings.name;
		this.maxInputTokens = settings.maxInputTokens;
		this.loadings = responsesLoadings(settings.model, isProvidersOwn(endpoint));
		this.#settings = { ...settings, baseUrl: endpoint.baseUrl };
		this.#refused = new Refusals(remedies, settings.name);
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#thinker = new Thinker(endpoint, 'responses', settings.model);
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		return refusalOf(tool, 'openai');
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const made = () => responsesBody(request, this.#settings, this.#thinker, this.#refused);
		const { dropped } = made();
		for (const { name, reason } of dropped) yield { type: 'toolDropped', name, reason };
		try {
			const read = () => this.#ask(made().body, request.searchTool, signal);
			const stale = staleThoughts(this.#thinker, request.messages, this.name);
			const ask = () => this.#refused.asking(read, () => made().body, [stale]);
			yield* withRetries(ask, signal);
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}

	async *#ask(
		body: ResponseCreateParamsStreaming,
		searchTool: string | undefined,
		signal: AbortSignal,
	): AsyncGenerator<ChatModelEvent> {
		const client = await openAiClient(this.#endpoint, this.#limits);
		try {
			const { data, response } = await client.responses.create(body, { signal }).withResponse();
			yield* this.#read(data, response, searchTool);
		} catch (error) {
			throw failureOfRequest(this.#endpoint, error);
		}
	}

	/** Ends the request unless the answer came to its end. */
	async *#read(
		data: Stream<ResponseStreamEvent>,
		response: Response,
		searchTool: string | undefined,
	): AsyncGenerator<ChatModelEvent> {
		const events = data[Symbol.asyncIterator]();
		let isPlausible = isEventStream(response);
		const next = async () => {
			try {
				const event = await events.next();
				isPlausible ||= event.done !== true;
				return event;
			} catch (error) {
				// An error of ours about how the body ended says more than that there was no event in it.
				isPlausible ||= modelErrorOf(error) !== undefined;
				throw error;
			}
		};
		let isWhole = false;
		try {
			// Hides the iterator's `return`, which would close the connection even behind the end of the answer.
			const unclosed = { [Symbol.asyncIterator]: () => ({ next }) };
			yield* answerEvents(unclosed, this.#endpoint, searchTool, this.#thinker);
			isWhole = true;
		} catch (error) {
			throw isPlausible ? error : malformed(this.#endpoint, error);
		} finally {
			if (isWhole) void readOut(events);
			else data.controller.abort();
		}
	}
}

/** Not every gateway declares its stream as one, but a stream that is declared and has no event was cut. */
function isEventStream(response: Response): boolean {
	return response.headers.get('content-type')?.includes('text/event-stream') ?? false;
}

/** Reads on in the background to the end of the stream: only then can its connection serve the next request. */
async function readOut(events: AsyncIterator<unknown>): Promise<void> {
	try {
		while (!(await events.next()).done);
	} catch {
		// The answer was complete, so a failure of the connection does not matter.
	}
}
