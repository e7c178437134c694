import type { APIError } from 'openai';
import type { Endpoint } from '../endpoint.ts';
import { explanationOf, failureOf, hostOf } from '../http/failure.ts';
import { modelErrorOf } from '../http/retries.ts';
import { ModelError } from '../modelError.ts';

/** What went wrong, from whatever the SDK throws while a request is sent and its answer read. */
export function chatFailure(endpoint: Endpoint, error: unknown): ModelError {
	const known = modelErrorOf(error);
	if (known) return known;
	if (isProvidersWord(error)) return failureInStream(endpoint, error.error, error);
	return error instanceof SyntaxError ? malformed(endpoint, error) : cutOff(endpoint, error);
}

/** The error for what a provider says of itself under `error`, in the middle of a stream or instead of an answer. */
export function failureInStream(endpoint: Endpoint, said: unknown, cause?: unknown): ModelError {
	const { code, detail } = explanationOf(JSON.stringify({ error: said }));
	return failureOf(endpoint, { status: statusIn(said), code, detail, cause });
}

/** The error for an answer that ended before its time. */
export function cutOff(endpoint: Endpoint, cause?: unknown): ModelError {
	return new ModelError(
		'cut',
		`The answer of ${hostOf(endpoint)} was cut off. Say “continue”, or ask again.`,
		{ cause },
	);
}

/** The error for an answer that is something else than Chat Completions. */
export function malformed(endpoint: Endpoint, cause?: unknown): ModelError {
	return new ModelError(
		'malformed',
		`What ${hostOf(endpoint)} sent is no answer of a model. Check "base_url" of the client “${endpoint.name}” in the configuration file; it mostly ends in /v1.`,
		{ cause },
	);
}

/** The error for an answer that was longer than the model may write. */
export function outOfTokens(endpoint: Endpoint): ModelError {
	return new ModelError(
		'cut',
		`The answer of ${hostOf(endpoint)} ended early: it reached the model's output limit. Say “continue”, or ask for less.`,
	);
}

/** The error for an answer that the provider's filter stopped. */
export function filtered(endpoint: Endpoint): ModelError {
	return new ModelError(
		'refused',
		`The content filter of ${hostOf(endpoint)} stopped the answer. Try other words, or another model.`,
	);
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
