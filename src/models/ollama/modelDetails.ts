import { isRecord, recordOf } from '../../common/json.ts';
import { endpointFetch } from '../http/endpointFetch.ts';
import type { AnswerLimits } from '../http/limits.ts';
import type { Endpoint } from '../provider.ts';

/** What Ollama knows about a model; `undefined` for what it does not say. */
export interface ModelDetails {
	/** Longest context of the model, in tokens. */
	readonly contextTokens: number | undefined;
	/** `num_ctx` of its Modelfile: the length that its author chose. */
	readonly preferredContextTokens: number | undefined;
	/** Whether it accepts images. */
	readonly images: boolean | undefined;
	/** Whether it can call tools. */
	readonly tools: boolean | undefined;
}

/** Asks Ollama about a model; `undefined` if it does not answer, e.g. because the model was just removed, or the signal aborts. */
export async function modelDetails(
	endpoint: Endpoint,
	limits: AnswerLimits,
	model: string,
	signal: AbortSignal,
): Promise<ModelDetails | undefined> {
	try {
		const response = await endpointFetch(endpoint, limits, '/api/show', { body: { model }, signal });
		return detailsIn(await response.json());
	} catch {
		return undefined;
	}
}

/** Reads the answer to `POST /api/show`. */
export function detailsIn(shown: unknown): ModelDetails {
	const { model_info, capabilities, parameters } = recordOf(shown);
	return {
		contextTokens: isRecord(model_info) ? contextLength(model_info) : undefined,
		preferredContextTokens: typeof parameters === 'string' ? numCtx(parameters) : undefined,
		images: Array.isArray(capabilities) ? capabilities.includes('vision') : undefined,
		tools: Array.isArray(capabilities) ? capabilities.includes('tools') : undefined,
	};
}

/** From the metadata of the model's file, whose keys begin with the architecture: `llama.context_length`. */
function contextLength(info: Readonly<Record<string, unknown>>): number | undefined {
	const architecture = info['general.architecture'];
	return typeof architecture === 'string' ? positive(info[`${architecture}.context_length`]) : undefined;
}

/** From the Modelfile's parameters, one per line: `num_ctx                        16384`. */
function numCtx(parameters: string): number | undefined {
	return positive(Number(/^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1]));
}

function positive(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
