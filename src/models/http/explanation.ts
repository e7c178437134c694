import { isRecord, type JsonRecord } from '../../common/json.ts';
import { retryDelayIn } from './retryAfter.ts';

/** What a provider says about a failure. */
export interface Explanation {
	/** Its name for the failure, e.g. `insufficient_quota`. */
	readonly code?: string;
	/** An HTTP status given as a code; OpenRouter does that in the middle of a stream. */
	readonly status?: number;
	/** The field of the request that it blames (OpenAI's `param`). */
	readonly param?: string;
	/** Its own words. */
	readonly detail: string;
	/** The context length that it mentions, in tokens. */
	readonly contextTokens?: number;
	/** How long it asks us to wait, in milliseconds, if the body says so. */
	readonly retryAfterMs?: number;
}

/** Depth to which errors within errors are followed. */
const depth = 3;

/**
 * Code and words of an error body, in the providers' formats: `{"error": {"type": …, "code": …, "message": …}}` (OpenAI, Anthropic, and
 * OpenRouter with a number as `code` and another provider's body in `metadata.raw`), `{"error": "…"}` (Ollama), `{"message": …}`
 * (Mistral), `{"detail": …}` (FastAPI, with a list of invalid fields), `[{"error": …}]` (Google). llama.cpp adds its context length (`n_ctx`).
 */
export function explanationOf(body: string): Explanation {
	const parsed = parsedJson(body);
	const said = Array.isArray(parsed) ? parsed[0] : parsed;
	if (!isRecord(said)) return { detail: typeof said === 'string' ? said : body };
	const error = isRecord(said.error) ? said.error : said;
	const code = [error.code, error.type, error.status].find((value) => typeof value === 'string');
	const status = statusOf(error.code) ?? statusOf(error.status);
	const retryAfterMs = retryDelayIn(error.details);
	return {
		...(code !== undefined && { code }),
		...(status !== undefined && { status }),
		...(typeof error.param === 'string' && error.param !== '' && { param: error.param }),
		detail: wordsOf(said),
		...(typeof error.n_ctx === 'number' && { contextTokens: error.n_ctx }),
		...(retryAfterMs !== undefined && { retryAfterMs }),
	};
}

function wordsOf(said: JsonRecord, level = 0): string {
	const { error, message, detail, msg, metadata } = said;
	const raw =
		isRecord(metadata) && typeof metadata.raw === 'string' ? explanationOf(metadata.raw).detail : '';
	for (const words of [raw, error, message, detail, msg]) {
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

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
