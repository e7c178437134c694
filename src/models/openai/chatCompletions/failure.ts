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
	return failureOf(endpoint, { ...explanationOf(JSON.stringify({ error: said })), cause });
}

/** The SDK's error for an `error` in the stream: the only one with the provider's words and no status. */
function isProvidersWord(error: unknown): error is APIError {
	return error instanceof Error && 'error' in error && error.error !== undefined;
}
