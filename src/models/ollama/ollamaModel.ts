import { defined } from '../../common/json.ts';
import type { Answer } from '../answer.ts';
import { limitsOf } from '../http/limits.ts';
import type { Remedy } from '../http/refusals.ts';
import { modelLimits } from '../knownLimits.ts';
import type { AnswerLimits, Endpoint, ProviderModelSettings } from '../provider.ts';
import { type AcceptedRequest, ProviderModel } from '../providerModel.ts';
import { functionTools } from '../wireCalls.ts';
import { type OllamaBody, ollamaMessages } from './chatBody.ts';
import { ContextWindow, estimatePromptTokens, modelDetails } from './contextWindow.ts';
import { OllamaReader } from './ollamaReader.ts';

/** Ollama reads the details of a model from the head of a file. A request does not wait longer for them. */
const detailsLimits: AnswerLimits = { firstByteMs: 10_000, gapMs: 10_000, bytes: 16 * 1024 * 1024 };

/**
 * A model served by Ollama, through Ollama's own API, the only one with a parameter for the length of the context (`num_ctx`). Through its
 * OpenAI-compatible API a prompt over the default of 4,096 tokens silently loses its beginning, tools included.
 */
export class OllamaModel extends ProviderModel<OllamaBody> {
	protected readonly path = '/api/chat';
	readonly #window: ContextWindow;

	constructor(settings: ProviderModelSettings, endpoint: Endpoint) {
		const window = new ContextWindow(settings);
		/** The estimate of the prompt's length was too low. */
		const longerContext: Remedy = {
			name: 'num_ctx',
			reasons: ['contextTooLong'],
			appliesTo: () => true,
			apply: (_, body) => window.grow((body as OllamaBody).options.num_ctx),
			repeats: true,
		};
		super(settings, endpoint, 'ollama', { first: [longerContext] });
		this.#window = window;
	}

	override get maxInputTokens(): number | undefined {
		return this.#window.maxContextTokens;
	}

	/** None of it is required; if this fails, the next request asks again. */
	protected override async prepare(signal: AbortSignal): Promise<void> {
		const firstByteMs = Math.min(limitsOf(this.endpoint).firstByteMs, detailsLimits.firstByteMs);
		const request = { signal, limits: { ...detailsLimits, firstByteMs } };
		this.#window.details ??= await modelDetails(this.endpoint, this.settings.model, request);
	}

	protected body({ system, messages: conversation, tools, answers }: AcceptedRequest): OllamaBody {
		const { model } = this.settings;
		// Without details, as the model's list of abilities says: the user saw there whether it takes pictures.
		const { images } = modelLimits('ollama', model, this.settings, this.#window.details);
		const messages = ollamaMessages(system, conversation, images, this.thinker);
		const { maxOutputTokens, temperature, topP, reasoningEffort: effort, thinking } = answers;
		return {
			model,
			...(tools.length > 0 && { tools: functionTools(tools) }),
			messages,
			stream: true,
			truncate: false,
			shift: false,
			// How much the model thinks overrides whether it thinks.
			...defined({ think: (effort === 'none' ? false : effort) ?? (thinking && thinking.mode !== 'off') }),
			options: {
				num_ctx: this.#window.sizeFor(estimatePromptTokens(messages, tools)),
				...defined({ num_predict: maxOutputTokens, temperature, top_p: topP }),
			},
		};
	}

	protected reader(answer: Answer, { options }: OllamaBody): OllamaReader {
		return new OllamaReader(this.endpoint, answer, this.thinker, { options, window: this.#window });
	}
}
