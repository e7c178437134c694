import { type AnswerSettings, takenSettings } from '../../common/answerSettings.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { type ChatModel, type ChatModelEvent, type ChatRequest, withCallInWords } from '../chatModel.ts';
import { cutOff } from '../http/answerErrors.ts';
import { endpointFetch } from '../http/endpointFetch.ts';
import { hostOf } from '../http/failure.ts';
import { type AnswerLimits, localAnswerLimits } from '../http/limits.ts';
import { namesField, Refusals, withExtra } from '../http/refusals.ts';
import { modelErrorOf, withRetries } from '../http/retries.ts';
import { ModelError } from '../modelError.ts';
import { type Endpoint, providerMaxTools } from '../provider.ts';
import { refusalOf, sendableTools } from '../schemas/sendableTools.ts';
import { Thinker } from '../thinker.ts';
import { type AnswerEnd, answerEvents, linesOf } from './answer.ts';
import { type WireRequest, wireMessages, wireTools } from './chatBody.ts';
import {
	type ContextSettings,
	ContextWindow,
	cutAtLimit,
	droppedNotice,
	estimatePromptTokens,
} from './contextWindow.ts';
import { type ModelDetails, modelDetails } from './modelDetails.ts';

/** Characters of one line of an answer, at most: a call with all its arguments comes in one. */
const maxLineCharacters = 16 * 1024 * 1024;
/** What Ollama knows of a model it reads from a file's head; a request that waits longer goes out without that. */
const detailsLimits: AnswerLimits = { firstByteMs: 10_000, gapMs: 10_000, bytes: 16 * 1024 * 1024 };

/** A model as the configuration has it. What is not set is asked of Ollama. */
export interface OllamaSettings extends ContextSettings {
	readonly id: string;
	readonly name: string;
	readonly images?: boolean;
	readonly answers?: AnswerSettings;
	readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** A part of a request that does not depend on the length of the context. */
type Prompt = Pick<WireRequest, 'tools' | 'messages'>;
/** How one answer is to be made. */
type Wished = NonNullable<ChatRequest['answers']>;

/**
 * A model served by Ollama, through Ollama's own API: the one that takes the length of the context (`num_ctx`). Through its
 * OpenAI-compatible API a prompt over the default of 4,096 tokens loses its beginning, tools and all, and nobody is told.
 */
export class OllamaModel implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = providerMaxTools;
	readonly loadings = ['append', 'call'] as const;
	readonly #settings: OllamaSettings;
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits;
	readonly #window: ContextWindow;
	readonly #refused: Refusals;
	readonly #thinker: Thinker;

	constructor(settings: OllamaSettings, endpoint: Endpoint, limits: AnswerLimits = localAnswerLimits) {
		this.id = settings.id;
		this.name = settings.name;
		this.#settings = settings;
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#window = new ContextWindow(settings);
		// “"…" does not support thinking”: https://github.com/ollama/ollama/blob/main/server/routes.go.
		this.#refused = new Refusals([{ name: 'think', isMeant: namesField('think', /think/i) }], settings.name);
		this.#thinker = new Thinker(endpoint, 'ollama', settings.model);
	}

	get maxInputTokens(): number | undefined {
		return this.#window.longestTokens;
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		return refusalOf(tool, 'ollama');
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const { tools, dropped } = sendableTools(request.tools, 'ollama');
		for (const { name, reason } of dropped) yield { type: 'toolDropped', name, reason };
		try {
			yield* withRetries(() => this.#ask(withCallInWords({ ...request, tools }), signal), signal);
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}

	/** One answer; asked for again with a longer context where the estimate of the prompt's length was short of the truth. */
	async *#ask(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		this.#window.details ??= await this.#details(signal);
		const images = this.#settings.images ?? this.#window.details?.images ?? false;
		const messages = wireMessages(request.system, request.messages, images, this.#thinker);
		const prompt = { ...(request.tools.length > 0 && { tools: wireTools(request.tools) }), messages };
		let contextTokens = this.#window.sizeFor(estimatePromptTokens(messages, request.tools));
		for (;;) {
			try {
				const body = () => this.#body(prompt, request.answers ?? {}, contextTokens);
				const end = yield* this.#refused.asking(() => this.#answer(body(), signal), body);
				return yield* this.#afterwards(end, body());
			} catch (error) {
				const failure = modelErrorOf(error);
				if (failure === undefined) throw error;
				const longer = refusedForLength(failure) ? this.#window.longerThan(contextTokens) : undefined;
				if (longer === undefined) throw withOllamaAdvice(failure, this.#endpoint, this.#settings.model);
				contextTokens = longer;
			}
		}
	}

	#body(prompt: Prompt, wished: Wished, contextTokens: number): WireRequest {
		const { model, extraBody } = this.#settings;
		const { maxOutputTokens = this.#settings.maxOutputTokens, ...answers } = wished;
		const asked = { protocol: 'ollama' as const, model, baseUrl: this.#endpoint.baseUrl };
		const settings = takenSettings(asked, { ...this.#settings.answers, ...answers });
		const { temperature, topP } = settings;
		const body: WireRequest = {
			model,
			...prompt,
			stream: true,
			truncate: false,
			shift: false,
			...thinkField(settings),
			options: {
				num_ctx: contextTokens,
				...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
				...(temperature !== undefined && { temperature }),
				...(topP !== undefined && { top_p: topP }),
			},
		};
		return withExtra(this.#refused.without(body), extraBody);
	}

	async *#answer(request: WireRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent, AnswerEnd> {
		const { body } = await this.#post('chat', request, signal, this.#limits);
		// Ollama has accepted the prompt, so the model is loaded with this context.
		this.#window.use(request.options.num_ctx);
		const overlong = (): never => {
			throw new ModelError('oversized', `${hostOf(this.#endpoint)} sent too long a line. Ask for less.`);
		};
		try {
			const lines = linesOf(body ?? [], maxLineCharacters, overlong);
			return yield* answerEvents(this.#endpoint, lines, this.#thinker);
		} catch (error) {
			if (signal.aborted || modelErrorOf(error)) throw error;
			throw cutOff(this.#endpoint, error);
		}
	}

	/** What the end of an answer tells of its length. */
	*#afterwards({ limitReached, usage }: AnswerEnd, { options }: WireRequest): Generator<ChatModelEvent> {
		const { num_ctx: contextTokens, num_predict: maxOutputTokens } = options;
		// Older versions drop what does not fit, whatever the request says. The answer has been read by then.
		if (usage && usage.inputTokens + usage.outputTokens > contextTokens) {
			const longer = this.#window.longerThan(contextTokens);
			if (longer !== undefined) this.#window.use(longer);
			yield { type: 'notice', text: droppedNotice(contextTokens, longer !== undefined) };
		}
		if (limitReached)
			throw cutAtLimit({ model: this.#settings.model, maxOutputTokens }, usage?.outputTokens, contextTokens);
	}

	/** What Ollama knows of the model. Nothing of it is necessary: what fails here is asked for again with the next request. */
	async #details(signal: AbortSignal): Promise<ModelDetails | undefined> {
		const limits: AnswerLimits = {
			firstByteMs: Math.min(this.#limits.firstByteMs, detailsLimits.firstByteMs),
			gapMs: Math.min(this.#limits.gapMs, detailsLimits.gapMs),
			bytes: detailsLimits.bytes,
		};
		try {
			const response = await this.#post('show', { model: this.#settings.model }, signal, limits);
			return modelDetails(await response.json());
		} catch {
			return undefined;
		}
	}

	#post(path: string, body: object, signal: AbortSignal, limits: AnswerLimits): Promise<Response> {
		return endpointFetch(this.#endpoint, limits)(`${this.#endpoint.baseUrl}/api/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal,
		});
	}
}

/** A setting of how much the model thinks wins over one of whether it thinks. */
function thinkField({ reasoningEffort, thinking }: AnswerSettings): Pick<WireRequest, 'think'> {
	if (reasoningEffort !== undefined) return { think: reasoningEffort === 'none' ? false : reasoningEffort };
	return thinking ? { think: thinking.mode !== 'off' } : {};
}

/** Whether Ollama refused a prompt for its length, so that nothing of an answer has come. */
function refusedForLength({ reason, status }: ModelError): boolean {
	return reason === 'contextTooLong' && status !== undefined;
}

/** What to do about a failure where Ollama has a better answer than to check the configuration; else the failure itself. */
function withOllamaAdvice(failure: ModelError, endpoint: Endpoint, model: string): ModelError {
	const said = adviceFor(failure, hostOf(endpoint), model);
	if (said === undefined) return failure;
	const { reason, status, retryAfterMs } = failure;
	return new ModelError(reason, said, { status, retryAfterMs, cause: failure });
}

/** Only Ollama's words tell these cases apart. */
function adviceFor({ reason, message }: ModelError, host: string, model: string): string | undefined {
	if (reason === 'notFound' && /\bmodel ['"][^'"]+['"] not found/.test(message))
		return `${host} has no model “${model}”. Get it with \`ollama pull ${model}\`, or pick another model.`;
	if (reason === 'invalidRequest' && message.includes('does not support tools'))
		return `“${model}” cannot call tools. Pick a model that can: ollama.com/search?c=tools lists them.`;
	if (reason === 'unauthorized')
		return `${host} wants to know who asks “${model}”. Run \`ollama signin\` there, or set a key with the command “Discovery: Set API Key or Secret…”.`;
	return undefined;
}
