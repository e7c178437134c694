import type { AnswerSettings } from '../common/answers/answerSettings.ts';

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
