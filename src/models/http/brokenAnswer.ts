import type { Endpoint } from '../endpoint.ts';
import { ModelError, shownDetail } from '../modelError.ts';
import { hostOf } from './failure.ts';

/** The error for an answer that ended before its time. */
export function cutOff(endpoint: Endpoint, cause?: unknown): ModelError {
	return new ModelError(
		'cut',
		`The answer of ${hostOf(endpoint)} ended in the middle. Say “continue”, or ask again.`,
		{ cause },
	);
}

/** The error for an answer that is none of the provider's protocol. `said`: what it is instead. */
export function malformed(endpoint: Endpoint, cause?: unknown, said = ''): ModelError {
	const words = shownDetail(said);
	return new ModelError(
		'malformed',
		`What ${hostOf(endpoint)} sent is no answer of a model${words && `: ${words}`}. Check "base_url" and "provider" of the client “${endpoint.name}” in the configuration file.`,
		{ cause },
	);
}

/** The error for an answer that was longer than the model may write. `tokens`: the limit, where it is known. */
export function outputLimitReached(endpoint: Endpoint, tokens?: number): ModelError {
	const limit = tokens === undefined ? '' : ` of ${tokens.toLocaleString('en')} tokens`;
	return new ModelError(
		'outputLimit',
		`The answer of ${hostOf(endpoint)} ended early: it reached the model's output limit${limit}. Say “continue”, or ask for less.`,
	);
}

/** The error for an answer that the model, or the provider's filter, refuses. `said`: its words. */
export function refused(endpoint: Endpoint, said = ''): ModelError {
	const words = shownDetail(said);
	return new ModelError(
		'refused',
		`The model at ${hostOf(endpoint)} refused to answer${words ? `: ${words}` : '.'} Try other words, or another model.`,
	);
}
