import type { AnswerSettings } from '../common/answerSettings.ts';
import type { Provider } from '../common/providers.ts';

/** Where models are served: one of the configuration's `clients`. */
export interface Endpoint {
	/** The client's name in the configuration. */
	readonly name: string;
	readonly provider: Provider;
	/** Without a trailing slash, e.g. `https://api.openai.com/v1`. */
	readonly baseUrl: string;
	/** Called for each request, so that a new key takes effect at once; `undefined` if there is none, or it may not be sent there. */
	readonly key: () => Promise<string | undefined>;
	/** Of its answers; default: by its address. */
	readonly limits?: AnswerLimits;
	/** The header for the key; default: the provider's own. */
	readonly keyHeader?: KeyHeader;
	/** Additional headers, called for each request: without those that the user has not agreed to. */
	readonly headers?: () => Promise<readonly EndpointHeader[]>;
}

/** Limits of one answer. Times in milliseconds, sizes in bytes. */
export interface AnswerLimits {
	/** From the request to the first byte of the answer's body. */
	readonly firstByteMs: number;
	/** Between two pieces of the body; a provider's keep-alive comments count as pieces. */
	readonly gapMs: number;
	/** The whole body, decompressed. */
	readonly bytes: number;
	/** From the request to the end of the body, however much comes; default: unlimited. */
	readonly totalMs?: number;
}

export type KeyHeader = 'authorization' | 'x-api-key' | 'api-key';

/** An HTTP header of the configuration. */
export interface EndpointHeader {
	readonly name: string;
	readonly value: string;
	/** Hidden wherever the endpoint repeats it. */
	readonly isSecret: boolean;
}

/** The settings of a model that its adapter needs. */
export interface ProviderModelSettings {
	readonly id: string;
	readonly name: string;
	/** The provider's name for it, e.g. `claude-opus-4-6`. */
	readonly model: string;
	/** For Ollama: the longest context to assume if Ollama does not know the model's. */
	readonly maxInputTokens?: number;
	/** For Ollama: always request a context of this length, in tokens, or the model's own if that is shorter. */
	readonly contextTokens?: number;
	/** Maximum tokens of an answer; default: as many as the provider allows. */
	readonly maxOutputTokens?: number;
	/** Whether it accepts pictures. */
	readonly images?: boolean;
	readonly answers?: AnswerSettings;
	/** Additional fields for the body of its requests. */
	readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** Maximum tools of a request: the limit of OpenAI and of the editor. Other providers have none, or a higher one. */
export const providerMaxTools = 128;
