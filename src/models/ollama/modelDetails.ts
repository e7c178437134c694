import { isRecord } from '../../common/json.ts';

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

/** Reads the answer to `POST /api/show`. */
export function modelDetails(shown: unknown): ModelDetails {
	const { model_info, capabilities, parameters } = isRecord(shown) ? shown : {};
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
