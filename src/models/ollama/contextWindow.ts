import { defined, recordOf } from '../../common/json.ts';
import { estimateDefinitionTokens, estimateTokens } from '../../common/tokens.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { type EndpointRequest, endpointFetch } from '../http/endpointFetch.ts';
import type { ModelFacts } from '../knownLimits.ts';
import { failures, ModelError } from '../modelError.ts';
import type { Endpoint, ProviderModelSettings } from '../provider.ts';
import { textOf } from '../wireCalls.ts';
import type { OllamaMessage } from './chatBody.ts';

/** Tokens that a chat template adds to each message or tool. */
const framingTokens = 12;
/** Tokens of an image by Ollama's own estimate (`server/prompt.go`). */
const imageTokens = 768;

/** Estimated tokens of a prompt. */
export function estimatePromptTokens(
	messages: readonly OllamaMessage[],
	tools: readonly ToolDefinition[],
): number {
	const pictures = messages.flatMap(({ images = [] }) => images);
	const words = messages.map((message) => JSON.stringify({ ...message, images: undefined }));
	const definitions = tools.map((tool) => framingTokens + estimateDefinitionTokens(tool));
	const counts = words.map((text) => framingTokens + estimateTokens(text));
	return [...counts, ...definitions].reduce((sum, tokens) => sum + tokens, imageTokens * pictures.length);
}

/** Smallest context that is requested, in tokens; each larger one is twice as long. */
const minContextTokens = 8_192;
/** Largest context that is requested if the model's limit is unknown, in tokens. */
const fallbackMaxContextTokens = 1_048_576;
/** Default room for an answer, in tokens: a thinking model uses most of it before it says a word. */
const answerRoomTokens = 4_096;
/** Safety factor for the estimate of a prompt, which is made for OpenAI's vocabulary and not for the model's. */
export const estimateMargin = 1.2;

/** Chooses the context length of one model for each request. It never shrinks, because each change reloads the model. */
export class ContextWindow {
	/** What Ollama says about the model, once known. */
	details: ModelDetails | undefined;
	readonly #settings: ProviderModelSettings;
	#usedTokens = 0;

	constructor(settings: ProviderModelSettings) {
		this.#settings = settings;
	}

	/** The longest context that may be requested, in tokens; `undefined` if unknown. */
	get maxContextTokens(): number | undefined {
		const { contextTokens, maxInputTokens } = this.#settings;
		const own = this.details?.contextTokens;
		return contextTokens === undefined
			? (own ?? maxInputTokens)
			: Math.min(contextTokens, own ?? contextTokens);
	}

	/**
	 * The context length (`num_ctx`) for a prompt, in tokens. Ollama reserves memory for the whole context and reloads the model whenever its
	 * length changes, so it starts small and doubles instead of following the prompt's length. Throws a `ModelError` if the prompt is too long.
	 */
	sizeFor(promptTokens: number): number {
		const { model, maxOutputTokens, contextTokens } = this.#settings;
		const maxPromptTokens = this.maxContextTokens ?? fallbackMaxContextTokens;
		if (promptTokens >= maxPromptTokens) {
			const [promptText, limitText] = [promptTokens, maxPromptTokens].map((tokens) =>
				tokens.toLocaleString('en'),
			);
			const happened = `The conversation, of about ${promptText} tokens, is too long for “${model}”, which takes ${limitText}.`;
			throw new ModelError('contextTooLong', `${happened} ${failures.contextTooLong[1]}`);
		}
		const neededTokens = promptTokens * estimateMargin + (maxOutputTokens ?? answerRoomTokens);
		let size = minContextTokens;
		while (size < neededTokens) size *= 2;
		const chosen = contextTokens ?? this.details?.preferredContextTokens ?? 0;
		return Math.min(maxPromptTokens, Math.max(size, chosen, this.#usedTokens));
	}

	/** Requests the next longer context from now on: one of this many tokens was too short. Returns whether there is one. */
	grow(tokens: number): boolean {
		const longest = this.maxContextTokens ?? fallbackMaxContextTokens;
		this.use(Math.min(longest, tokens * 2));
		return tokens < longest;
	}

	/** Remembers that the model runs with a context of this many tokens, or must from now on. */
	use(tokens: number): void {
		this.#usedTokens = Math.max(this.#usedTokens, tokens);
	}
}

/** What Ollama knows about a model. */
interface ModelDetails extends Pick<ModelFacts, 'contextTokens' | 'images' | 'tools'> {
	/** `num_ctx` of its Modelfile: the length that its author chose. */
	readonly preferredContextTokens?: number;
}

/** Asks Ollama about a model; `undefined` if it does not answer, e.g. because the model was just removed, or the signal aborts. */
export async function modelDetails(
	endpoint: Endpoint,
	model: string,
	request: EndpointRequest,
): Promise<ModelDetails | undefined> {
	try {
		const response = await endpointFetch(endpoint, '/api/show', { ...request, body: { model } });
		return detailsIn(await response.json());
	} catch {
		return undefined;
	}
}

/** Reads the answer to `POST /api/show`. */
export function detailsIn(body: unknown): ModelDetails {
	const { model_info, capabilities, parameters } = recordOf(body);
	const info = recordOf(model_info);
	const can = (what: string) => (Array.isArray(capabilities) ? capabilities.includes(what) : undefined);
	return defined({
		// Its keys begin with the architecture: `llama.context_length`.
		contextTokens: positive(info[`${textOf(info['general.architecture'])}.context_length`]),
		// A Modelfile's parameters, one per line: `num_ctx                        16384`.
		preferredContextTokens: positive(Number(/^num_ctx\s+(\d+)\s*$/m.exec(textOf(parameters))?.[1])),
		images: can('vision'),
		tools: can('tools'),
	});
}

function positive(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
