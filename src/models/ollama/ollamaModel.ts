import type { AnswerSettings } from '../../common/answerSettings.ts';
import { defined } from '../../common/json.ts';
import type { Answer } from '../answer.ts';
import { callsOf } from '../answerParts.ts';
import type { ChatRequest } from '../chatModel.ts';
import { cutOff } from '../http/answerErrors.ts';
import { endpointFetch } from '../http/endpointFetch.ts';
import { shownName } from '../http/failure.ts';
import { type AnswerLimits, localAnswerLimits } from '../http/limits.ts';
import { namesField, type Remedy } from '../http/refusals.ts';
import { modelErrorOf } from '../http/retries.ts';
import { ModelError } from '../modelError.ts';
import type { Endpoint, ProviderModelSettings } from '../provider.ts';
import { type AcceptedRequest, ProviderModel, type Writing } from '../providerModel.ts';
import { functionTools } from '../wireCalls.ts';
import { type AnswerEnd, linesOf, readAnswer } from './answer.ts';
import { type WireRequest, wireMessages } from './chatBody.ts';
import { ContextWindow, cutAtLimit, droppedNotice, estimatePromptTokens } from './contextWindow.ts';
import { type ModelDetails, modelDetails } from './modelDetails.ts';

/** Ollama reads the details of a model from the head of a file. A request does not wait longer for them. */
const detailsLimits: AnswerLimits = { firstByteMs: 10_000, gapMs: 10_000, bytes: 16 * 1024 * 1024 };

/** https://github.com/ollama/ollama/blob/main/server/routes.go: “"…" does not support thinking”. */
const remedies: readonly Remedy[] = [{ name: 'think', isMeant: namesField('think', /think/i) }];

/**
 * A model served by Ollama, through Ollama's own API, the only one with a parameter for the length of the context (`num_ctx`). Through its
 * OpenAI-compatible API a prompt over the default of 4,096 tokens silently loses its beginning, tools included.
 */
export class OllamaModel extends ProviderModel<WireRequest> {
	readonly #window: ContextWindow;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint, limits: AnswerLimits = localAnswerLimits) {
		super(settings, endpoint, 'ollama', ['append', 'call'], remedies, limits);
		this.#window = new ContextWindow(settings);
	}

	override get maxInputTokens(): number | undefined {
		return this.#window.longestTokens;
	}

	protected async begin(_: ChatRequest, signal: AbortSignal): Promise<Writing<WireRequest>> {
		this.#window.details ??= await this.#details(signal);
		const images = this.settings.images ?? this.#window.details?.images ?? false;
		let contextTokens = 0;
		/** The estimate of the prompt's length was too low. */
		const longerContext: Remedy = {
			name: 'num_ctx',
			reason: 'contextTooLong',
			isMeant: () => this.#window.longerThan(contextTokens) !== undefined,
			apply: () => {
				contextTokens = this.#window.longerThan(contextTokens) ?? contextTokens;
				return true;
			},
			notice: undefined,
			repeats: true,
		};
		const write = ({ system, messages: said, tools, answers }: AcceptedRequest) => {
			const messages = wireMessages(system, said, images, this.thinker);
			contextTokens ||= this.#window.sizeFor(estimatePromptTokens(messages, tools));
			const { maxOutputTokens, temperature, topP } = answers;
			const body: WireRequest = {
				model: this.settings.model,
				...(tools.length > 0 && { tools: functionTools(tools) }),
				messages,
				stream: true,
				truncate: false,
				shift: false,
				...thinkField(answers),
				options: {
					num_ctx: contextTokens,
					...defined({ num_predict: maxOutputTokens, temperature, top_p: topP }),
				},
			};
			return { body };
		};
		return { write, remedies: [longerContext] };
	}

	protected async ask(body: WireRequest, _: ChatRequest, signal: AbortSignal, answer: Answer): Promise<void> {
		try {
			const response = await this.#post('chat', body, signal, this.limits);
			// Ollama accepted the prompt, so the model is now loaded with this context.
			this.#window.use(body.options.num_ctx);
			const lines = linesOf(response.body ?? []);
			this.#conclude(await readAnswer(this.endpoint, lines, answer, this.thinker), body, answer);
		} catch (error) {
			if (signal.aborted) throw error;
			const failure = modelErrorOf(error) ?? cutOff(this.endpoint, error);
			throw withOllamaAdvice(failure, shownName(this.endpoint), this.settings.model);
		}
	}

	/** What the length of an answer means for the context. */
	#conclude({ limitReached, usage }: AnswerEnd, { options }: WireRequest, answer: Answer): void {
		const { num_ctx: contextTokens, num_predict: maxOutputTokens } = options;
		// Older versions drop what does not fit, whatever the request says. By then the user has read the answer.
		if (usage && usage.inputTokens + usage.outputTokens > contextTokens) {
			const longer = this.#window.longerThan(contextTokens);
			if (longer !== undefined) this.#window.use(longer);
			answer.emit({ type: 'notice', text: droppedNotice(contextTokens, longer !== undefined) });
		}
		// A call that was complete before the limit can be made.
		if (limitReached && callsOf(answer.parts).length === 0)
			throw cutAtLimit({ model: this.settings.model, maxOutputTokens }, usage?.outputTokens, contextTokens);
	}

	/** What Ollama knows about the model. None of it is required; if this fails, the next request asks again. */
	async #details(signal: AbortSignal): Promise<ModelDetails | undefined> {
		const limits: AnswerLimits = {
			firstByteMs: Math.min(this.limits.firstByteMs, detailsLimits.firstByteMs),
			gapMs: Math.min(this.limits.gapMs, detailsLimits.gapMs),
			bytes: detailsLimits.bytes,
		};
		try {
			const response = await this.#post('show', { model: this.settings.model }, signal, limits);
			return modelDetails(await response.json());
		} catch {
			return undefined;
		}
	}

	#post(path: string, body: object, signal: AbortSignal, limits: AnswerLimits): Promise<Response> {
		return endpointFetch(this.endpoint, limits)(`${this.endpoint.baseUrl}/api/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal,
		});
	}
}

/** A setting for how much the model thinks overrides one for whether it thinks. */
function thinkField({ reasoningEffort, thinking }: AnswerSettings): Pick<WireRequest, 'think'> {
	if (reasoningEffort !== undefined) return { think: reasoningEffort === 'none' ? false : reasoningEffort };
	return thinking ? { think: thinking.mode !== 'off' } : {};
}

/** The failure with better advice than to check the configuration, if Ollama's words allow it. */
function withOllamaAdvice(failure: ModelError, host: string, model: string): ModelError {
	const { reason, status, retryAfterMs } = failure;
	const advice =
		reason === 'notFound' && failure.says(/\bmodel ['"][^'"]+['"] not found/)
			? `${host} has no model “${model}”. Get it with \`ollama pull ${model}\`, or pick another model.`
			: reason === 'noTools'
				? `“${model}” cannot call tools. Pick a model that can: ollama.com/search?c=tools lists them.`
				: reason === 'unauthorized'
					? `${host} wants to know who asks “${model}”. Run \`ollama signin\` there, or set a key with the command “Discovery: Set API Key or Secret…”.`
					: undefined;
	if (advice === undefined) return failure;
	return new ModelError(reason, advice, { status, retryAfterMs, cause: failure });
}
