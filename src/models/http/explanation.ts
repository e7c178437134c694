import { isRecord, type JsonRecord, parsedJson } from '../../common/json.ts';
import { retryDelayIn } from './retryAfter.ts';

/** What is known about a failure. */
export interface Failure {
	/** The HTTP status; absent for most errors in the middle of a stream. OpenRouter gives it as a code there. */
	readonly status?: number | undefined;
	/** The provider's name for it, e.g. `insufficient_quota`, `overloaded_error`. */
	readonly code?: string | undefined;
	/** The field of the request that it blames (OpenAI's `param`). */
	readonly param?: string | undefined;
	/** The provider's own words. */
	readonly detail?: string | undefined;
	/** The context length that it mentions, in tokens. */
	readonly contextTokens?: number | undefined;
	/** How long it asks us to wait, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
	/** No key was sent. */
	readonly keyless?: boolean;
	readonly cause?: unknown;
}

/** Depth to which errors within errors are followed. */
const depth = 3;

/**
 * Code and words of an error body, in the providers' formats: `{"error": {"type": …, "code": …, "message": …}}` (OpenAI, Anthropic, and
 * OpenRouter with a number as `code` and another provider's body in `metadata.raw`), `{"error": "…"}` (Ollama), `{"message": …}`
 * (Mistral), `{"detail": …}` (FastAPI, with a list of invalid fields), `[{"error": …}]` (Google). llama.cpp adds its context length (`n_ctx`).
 */
export function explanationOf(body: unknown): Failure {
	const said: unknown = Array.isArray(body) ? body[0] : body;
	if (!isRecord(said)) return { detail: typeof said === 'string' ? said : '' };
	const error = isRecord(said.error) ? said.error : said;
	const { code, type, status, param, n_ctx: contextTokens, details } = error;
	return {
		code: [code, type, status].find((value) => typeof value === 'string'),
		status: statusOf(code) ?? statusOf(status),
		param: typeof param === 'string' && param !== '' ? param : undefined,
		detail: wordsOf(said),
		contextTokens: typeof contextTokens === 'number' ? contextTokens : undefined,
		retryAfterMs: retryDelayIn(details),
	};
}

function wordsOf(said: JsonRecord, level = 0): string {
	const { error, message, detail, msg, metadata } = said;
	const raw = isRecord(metadata) && typeof metadata.raw === 'string' ? jsonOrText(metadata.raw) : undefined;
	for (const words of [isRecord(raw) ? wordsOf(raw) : raw, error, message, detail, msg]) {
		if (typeof words === 'string' && words.trim() !== '') return words;
		if (level >= depth) continue;
		const within = Array.isArray(words)
			? listed(words, level)
			: isRecord(words)
				? wordsOf(words, level + 1)
				: '';
		if (within !== '') return within;
	}
	return '';
}

/** `body.model: Field required; …`, made of FastAPI's `loc` and `msg`. */
function listed(faults: readonly unknown[], level: number): string {
	return faults
		.filter(isRecord)
		.map((fault) => {
			const steps = Array.isArray(fault.loc) ? fault.loc.filter(isStep) : [];
			const place = steps.length > 0 ? `${steps.join('.')}: ` : '';
			return `${place}${wordsOf(fault, level + 1)}`;
		})
		.join('; ');
}

function isStep(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

function statusOf(value: unknown): number | undefined {
	const status = isStep(value) ? Number(value) : Number.NaN;
	return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

/** Parses a body as JSON; returns the text if it is not JSON. */
export function jsonOrText(text: string): unknown {
	const value = parsedJson(text);
	return value === undefined ? text : value;
}
