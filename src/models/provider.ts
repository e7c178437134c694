import type { AnswerSettings } from '../common/answerSettings.ts';
import type { Provider } from '../common/providers.ts';

/** Where models are asked, as the configuration's `clients` name it. Models of one client share one endpoint. */
export interface Endpoint {
	/** The client's name in the configuration. */
	readonly name: string;
	readonly provider: Provider;
	/** Without a slash at its end, e.g. `https://api.openai.com/v1`. */
	readonly baseUrl: string;
	/** Asked for each request, so that a key takes effect once it is set; `undefined`: there is none, or it may not go there. */
	readonly key: () => Promise<string | undefined>;
	/** Under which name the key is sent; without it, as the provider wants it. */
	readonly keyHeader?: KeyHeader;
	/** Sent besides the key, asked for each request: what the user has not agreed to is not among it. */
	readonly headers?: () => Promise<readonly EndpointHeader[]>;
}

export type KeyHeader = 'authorization' | 'x-api-key' | 'api-key';

/** An HTTP header of the configuration. */
export interface EndpointHeader {
	readonly name: string;
	readonly value: string;
	/** Never to be shown, wherever the endpoint repeats it. */
	readonly isSecret: boolean;
}

/** What an adapter knows of a model of the configuration. */
export interface ProviderModelSettings {
	readonly id: string;
	readonly name: string;
	/** As the provider names it, e.g. `claude-opus-4-6`. */
	readonly model: string;
	readonly maxInputTokens?: number;
	/** Most tokens of an answer; without it, as many as the provider allows. */
	readonly maxOutputTokens?: number;
	/** Whether it takes pictures. */
	readonly images?: boolean;
	/** How it is asked to answer. */
	readonly answers?: AnswerSettings;
	/** Further fields of the body of its requests. */
	readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** Most tools of a request: OpenAI's limit, and the editor's; other providers set none, or a higher one. */
export const providerMaxTools = 128;
