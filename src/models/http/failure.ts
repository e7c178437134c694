import type { Endpoint } from '../endpoint.ts';
import { ModelError, shownDetail } from '../modelError.ts';
import { explanationOf } from './explanation.ts';
import { failureReason, namedLimits } from './failureReason.ts';
import { failureWords } from './failureWords.ts';
import { holdsKey, withoutKeys } from './keys.ts';
import { resetOf, retryAfterOf } from './retryAfter.ts';

/** What is known of a failure. */
export interface Failure {
	/** The HTTP status; absent for an error in the middle of a stream that names none. */
	readonly status?: number | undefined;
	/** The provider's own name for it, e.g. `insufficient_quota`, `overloaded_error`. */
	readonly code?: string | undefined;
	/** The provider's own words. */
	readonly detail?: string | undefined;
	/** The length of the context that it names, in tokens. */
	readonly contextTokens?: number | undefined;
	readonly retryAfterMs?: number | undefined;
	/** No key was sent. */
	readonly keyless?: boolean;
	readonly cause?: unknown;
}

/** The error for a failing answer, by its status and body. */
export function failureOfResponse(
	endpoint: Endpoint,
	{ status, headers }: Response,
	body: string,
	keyless: boolean,
): ModelError {
	const explanation = explanationOf(body);
	const now = Date.now();
	// Other answers tell of the limits as well, but were not refused for them.
	const reset = status === 429 ? resetOf(headers, now) : undefined;
	const retryAfterMs = retryAfterOf(headers, now) ?? explanation.retryAfterMs ?? reset;
	return failureOf(endpoint, { ...explanation, status, retryAfterMs, keyless });
}

/** Who asks to wait for longer says no more than that it is long: in milliseconds, 30 days. */
const longestNamedMs = 30 * 24 * 3_600_000;

/** The error for what a provider says of itself, at the start or in the middle of a stream. */
export function failureOf(endpoint: Endpoint, failure: Failure): ModelError {
	const { status, keyless = false, cause } = failure;
	const retryAfterMs = failure.retryAfterMs && Math.min(failure.retryAfterMs, longestNamedMs);
	const reason = failureReason(failure);
	// Before it is cut: half of a key would not be recognized.
	const said = shownDetail(withoutKeys(endpoint, failure.detail ?? ''));
	const { happened, advice } = failureWords({
		host: hostOf(endpoint),
		client: endpoint.name,
		reason,
		status,
		keyless,
		said,
		retryAfterMs,
	});
	return new ModelError(reason, `${happened} ${advice}`, {
		happened,
		said,
		status,
		retryAfterMs,
		limits: namedLimits(failure.detail ?? '', failure.contextTokens),
		...(!holdsKey(endpoint, cause) && { cause }),
	});
}

/** Host and port, as people know an address. */
export function hostOf({ baseUrl, name }: Endpoint): string {
	return URL.canParse(baseUrl) ? new URL(baseUrl).host : name;
}
