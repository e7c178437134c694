import type { APIError } from 'openai';
import type { Endpoint } from '../../endpoint.ts';
import { cutOff, malformed } from '../../http/brokenAnswer.ts';
import { explanationOf } from '../../http/explanation.ts';
import { failureOf } from '../../http/failure.ts';
import { modelErrorOf } from '../../http/retries.ts';
import type { ModelError } from '../../modelError.ts';

/** What went wrong, from whatever the SDK throws while a request is sent and its answer read. */
export function chatFailure(endpoint: Endpoint, error: unknown): ModelError {
	const known = modelErrorOf(error);
	if (known) return known;
	if (isProvidersWord(error)) return failureInStream(endpoint, error.error, error);
	return error instanceof SyntaxError ? malformed(endpoint, error) : cutOff(endpoint, error);
}

/** The error for what a provider says of itself under `error`, in the middle of a stream or instead of an answer. */
export function failureInStream(endpoint: Endpoint, said: unknown, cause?: unknown): ModelError {
	const { code, detail, contextTokens } = explanationOf(JSON.stringify({ error: said }));
	return failureOf(endpoint, { status: statusIn(said), code, detail, contextTokens, cause });
}

/** The SDK's error for an `error` in the stream: the only one with the provider's words and no status. */
function isProvidersWord(error: unknown): error is APIError {
	return error instanceof Error && 'error' in error && error.error !== undefined;
}

/** OpenRouter and others give the status as the error's code. */
function statusIn(said: unknown): number | undefined {
	const { code, status } = Object(said) as { readonly code?: unknown; readonly status?: unknown };
	return [code, status].map(Number).find((number) => number >= 400 && number < 600);
}
