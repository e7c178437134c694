import { inspect } from 'node:util';
import { retryAfterOf } from '../../common/retryAfter.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { ModelError, type ModelErrorReason, shownDetail } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { explanationOf } from './explanation.ts';
import { failureReason, namedLimits } from './failureReason.ts';
import { resetOf } from './retryAfter.ts';

/** Levels of causes within causes that are searched for a key. */
const printedDepth = 6;

/** Keys that were sent to an endpoint, so that they are recognized when it repeats them. */
const sentKeys = new WeakMap<Endpoint, { readonly keys: Set<string>; redactor: Redactor }>();
/** For endpoints to which no key was sent: a proxy may repeat a key of its own. */
const noSentKeys = new Redactor();

/** Notes a key that is about to be sent. */
export function rememberKey(endpoint: Endpoint, key: string): void {
	const sent = sentKeys.get(endpoint) ?? { keys: new Set(), redactor: noSentKeys };
	if (!sent.keys.has(key)) sent.redactor = new Redactor(sent.keys.add(key));
	sentKeys.set(endpoint, sent);
}

/** A text of an endpoint's with every key in it replaced. */
function withoutKeys(endpoint: Endpoint, text: string): string {
	return (sentKeys.get(endpoint)?.redactor ?? noSentKeys).hide(text);
}

/** Whether a cause has a key in what would be printed of it. */
function holdsKey(endpoint: Endpoint, cause: unknown): boolean {
	if (cause === undefined) return false;
	const printed = inspect(cause, { depth: printedDepth });
	return withoutKeys(endpoint, printed) !== printed;
}

/** What is known of a failure. */
export interface Failure {
	/** The HTTP status; absent for an error in the middle of a stream that names none. */
	readonly status?: number | undefined;
	/** The provider's own name for it, e.g. `insufficient_quota`, `overloaded_error`. */
	readonly code?: string | undefined;
	/** The field of the request that it names as the fault. */
	readonly param?: string | undefined;
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
	// Other answers name the limits, too, but were not refused because of them.
	const reset = status === 429 ? resetOf(headers, now) : undefined;
	const retryAfterMs = retryAfterOf(headers, now) ?? explanation.retryAfterMs ?? reset;
	return failureOf(endpoint, { ...explanation, status, retryAfterMs, keyless });
}

/** A longer wait is not named in the message, only called long. In milliseconds, 30 days. */
const longestNamedMs = 30 * 24 * 3_600_000;

/** The error for what a provider says of itself, at the start or in the middle of a stream. */
export function failureOf(endpoint: Endpoint, failure: Failure): ModelError {
	const { status, keyless = false, cause } = failure;
	const retryAfterMs = failure.retryAfterMs && Math.min(failure.retryAfterMs, longestNamedMs);
	const reason = failureReason(failure);
	// Keys are removed before the text is cut: half of a key would not be recognized.
	const words = withoutKeys(endpoint, failure.detail ?? '');
	const said = shownDetail(words);
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
		words: [words, failure.code].filter(Boolean).join('\n'),
		param: failure.param,
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

/** What a sentence about a failure is made of. */
interface Circumstances {
	/** Host and port. */
	readonly host: string;
	/** The client's name in the configuration. */
	readonly client: string;
	readonly reason: ModelErrorReason;
	readonly status: number | undefined;
	/** No key was sent. */
	readonly keyless: boolean;
	/** The provider's own words, fit to be shown; empty: none. */
	readonly said: string;
	readonly retryAfterMs: number | undefined;
}

/** A failure in two sentences. */
interface FailureWords {
	/** Who failed, how, and in whose words. */
	readonly happened: string;
	/** What to do. */
	readonly advice: string;
}

/** What to say of a failure. */
function failureWords(circumstances: Circumstances): FailureWords {
	const { status, said } = circumstances;
	const code = status === undefined ? '' : ` (${status})`;
	const words = said === '' ? '' : `: ${said}`;
	const stop = /[.!?…]$/.test(words) ? '' : '.';
	return {
		happened: `${happening(circumstances)}${code}${words}${stop}`,
		advice: advice(circumstances),
	};
}

function happening({ host, reason, keyless }: Circumstances): string {
	switch (reason) {
		case 'unauthorized':
			return keyless ? `${host} requires an API key` : `${host} did not accept the API key`;
		case 'payment':
			return `The account at ${host} has no credit left`;
		case 'forbidden':
			return `${host} does not allow this`;
		case 'notFound':
			return `${host} does not know this model or address`;
		case 'rateLimited':
			return `${host} has reached its rate limit`;
		case 'overloaded':
			return `${host} is overloaded`;
		case 'contextTooLong':
			return `The conversation is longer than the model at ${host} takes`;
		case 'refused':
			return `${host} refused to answer`;
		case 'invalidRequest':
			return `${host} refused the request`;
		default:
			return `${host} failed`;
	}
}

function advice({ client, reason, retryAfterMs }: Circumstances): string {
	switch (reason) {
		case 'unauthorized':
			return 'Set the key with the command “Discovery: Set API Key or Secret…”.';
		case 'payment':
			return 'Add credit there, or pick another model.';
		case 'forbidden':
			return 'Use a key that may, or pick another model.';
		case 'notFound':
			return `Check "model" and "base_url" of the client “${client}” in the configuration file.`;
		case 'rateLimited':
			return retryAfterMs === undefined
				? 'Try again later, or pick another model.'
				: `Try again in ${duration(retryAfterMs)}, or pick another model.`;
		case 'contextTooLong':
			return 'Begin a new chat, or pick a model with a larger context.';
		case 'invalidRequest':
			return 'Pick another model, or see the log for what was sent.';
		case 'refused':
			return 'Try other words, or another model.';
		default:
			return 'Try again, or pick another model.';
	}
}

/** `20 s`, `5 min`, `3 h`. */
function duration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
