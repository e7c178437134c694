import type { Response } from 'openai/resources/responses/responses';
import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import type { Endpoint } from '../../endpoint.ts';
import { cutOff, malformed, outputLimitReached, refused } from '../../http/brokenAnswer.ts';
import { failureOf } from '../../http/failure.ts';
import { modelErrorOf } from '../../http/retries.ts';
import { ModelError } from '../../modelError.ts';

/** Codes of failures that are the provider's, or the account's; the others are of the request, and would come again. */
const notOfTheRequest = /server|timeout|rate_limit|overloaded|quota|billing/i;

/** Why an answer that has ended is not whole; `undefined` where it is. */
export function failureOfAnswer(endpoint: Endpoint, response: Response): ModelError | undefined {
	switch (response.status) {
		case 'failed':
			return failureInAnswer(endpoint, { ...response.error });
		case 'incomplete':
			return incomplete(endpoint, response.incomplete_details?.reason);
		case 'cancelled':
			return cutOff(endpoint);
		default:
			return undefined;
	}
}

function incomplete(endpoint: Endpoint, reason: string | undefined): ModelError {
	switch (reason) {
		case 'content_filter':
			return refused(endpoint, 'the content filter stopped the answer.');
		case 'max_output_tokens':
			return outputLimitReached(endpoint);
		default:
			return cutOff(endpoint);
	}
}

/** The error for an `error` event, or for the error of a failed answer: `code`, `type` and `message` of either. */
export function failureInAnswer(endpoint: Endpoint, said: JsonRecord): ModelError {
	// An `error` event that names nothing else has its own type there.
	const names = [said.code, said.type].filter((name) => typeof name === 'string' && name !== 'error');
	const code = String(names[0] ?? '');
	const detail = typeof said.message === 'string' ? said.message : '';
	// Policies are named, e.g. `image_content_policy_violation`; `invalid_prompt` is OpenAI's word for one that a prompt went against.
	if (/policy|^invalid_prompt$/.test(code)) {
		return new ModelError('refused', failureOf(endpoint, { status: 400, detail }).message);
	}
	// What would have been 400, had it shown before the answer began.
	const status = code === '' || notOfTheRequest.test(code) ? undefined : 400;
	return failureOf(endpoint, { status, code, detail });
}

/** The error for whatever the SDK throws: ours inside of it, what the API said, or a connection that broke. */
export function failureOfRequest(endpoint: Endpoint, error: unknown): ModelError {
	const known = modelErrorOf(error);
	if (known) return known;
	if (error instanceof SyntaxError) return malformed(endpoint, error);
	const said = error instanceof Error && 'error' in error ? error.error : undefined;
	return isRecord(said) ? failureInAnswer(endpoint, said) : cutOff(endpoint, error);
}
