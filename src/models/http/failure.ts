import { inspect } from 'node:util';
import { parsedJson } from '../../common/json.ts';
import { retryAfterOf } from '../../common/retryAfter.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { ModelError, type ModelErrorReason, shownDetail } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { explanationOf, type Failure } from './explanation.ts';
import { failureReason, namedLimits } from './failureReason.ts';
import { resetOf } from './retryAfter.ts';

/** Depth to which causes are searched for a key. */
const printedDepth = 6;

/** Keys that were sent to an endpoint, to recognise them when it repeats them. */
const sentKeys = new WeakMap<Endpoint, { readonly keys: Set<string>; redactor: Redactor }>();
/** For endpoints without a key: a proxy may repeat a key of its own. */
const noSentKeys = new Redactor();

/** Remembers a key that is about to be sent. */
export function rememberKey(endpoint: Endpoint, key: string): void {
	const sent = sentKeys.get(endpoint) ?? { keys: new Set(), redactor: noSentKeys };
	if (!sent.keys.has(key)) sent.redactor = new Redactor(sent.keys.add(key));
	sentKeys.set(endpoint, sent);
}

/** An endpoint's text with every key in it replaced. */
function withoutKeys(endpoint: Endpoint, text: string): string {
	return (sentKeys.get(endpoint)?.redactor ?? noSentKeys).hide(text);
}

/** Whether a printed cause would contain a key. */
function holdsKey(endpoint: Endpoint, cause: unknown): boolean {
	if (cause === undefined) return false;
	const printed = inspect(cause, { depth: printedDepth });
	return withoutKeys(endpoint, printed) !== printed;
}

/** The error for a response with a failure status. */
export function failureOfResponse(
	endpoint: Endpoint,
	{ status, headers }: Response,
	body: string,
	keyless: boolean,
): ModelError {
	const explanation = explanationOf(parsedJson(body) ?? body);
	const now = Date.now();
	// Other responses mention the limits, too, but were not refused because of them.
	const reset = status === 429 ? resetOf(headers, now) : undefined;
	const retryAfterMs = retryAfterOf(headers, now) ?? explanation.retryAfterMs ?? reset;
	return failureOf(endpoint, { ...explanation, status, retryAfterMs, keyless });
}

/** A message mentions at most this wait: 30 days, in milliseconds. */
const longestNamedMs = 30 * 24 * 3_600_000;

/** The error for a failure that a provider reports, at the start or in the middle of a stream. */
export function failureOf(endpoint: Endpoint, failure: Failure): ModelError {
	const { status, keyless = false, cause } = failure;
	const retryAfterMs = failure.retryAfterMs && Math.min(failure.retryAfterMs, longestNamedMs);
	const reason = failureReason(failure);
	// Keys are removed before the text is cut: half a key would not be recognised.
	const words = withoutKeys(endpoint, failure.detail ?? '');
	const said = shownDetail(words);
	const [did, todo] = sentences[reason] ?? ['failed', 'Try again, or pick another model.'];
	const what = reason === 'unauthorized' && keyless ? 'requires an API key' : did;
	const inWords = said === '' ? '' : `: ${said}`;
	const stop = /[.!?…]$/.test(inWords) ? '' : '.';
	const happened = `${hostOf(endpoint)} ${what}${status === undefined ? '' : ` (${status})`}${inWords}${stop}`;
	const advice =
		reason === 'rateLimited' && retryAfterMs !== undefined
			? `Try again in ${duration(retryAfterMs)}, or pick another model.`
			: typeof todo === 'string'
				? todo
				: todo(endpoint.name);
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

/** Host and port of an endpoint. */
export function hostOf({ baseUrl, name }: Endpoint): string {
	return URL.canParse(baseUrl) ? new URL(baseUrl).host : name;
}

/** For each reason what happened, as a sentence about the host without its end, and what to do; by the client's name in the configuration. */
const sentences: Readonly<
	Partial<
		Record<ModelErrorReason, readonly [happened: string, advice: string | ((client: string) => string)]>
	>
> = {
	unauthorized: [
		'did not accept the API key',
		'Set the key with the command “Discovery: Set API Key or Secret…”.',
	],
	payment: ['says that the account has no credit left', 'Add credit there, or pick another model.'],
	quota: ['has no quota left for now', 'Wait until it is renewed, raise it there, or pick another model.'],
	unverified: [
		'only serves this to verified organizations',
		'Verify your organization there, or pick another model.',
	],
	noTools: ['cannot call tools with this model', 'Pick a model that can.'],
	forbidden: ['does not allow this', 'Use a key with this permission, or pick another model.'],
	notFound: [
		'does not know this model or URL',
		(client) => `Check "model" and "base_url" of the client “${client}” in the configuration file.`,
	],
	rateLimited: ['has reached its rate limit', 'Try again later, or pick another model.'],
	overloaded: ['is overloaded', 'Try again, or pick another model.'],
	contextTooLong: [
		'has no room for a conversation of this length',
		'Begin a new chat, or pick a model with a larger context.',
	],
	refused: ['refused to answer', 'Try other words, or another model.'],
	malformedCall: ['could not read a call of the model', 'Ask again, or pick another model.'],
	invalidRequest: ['refused the request', 'Pick another model, or see the log for what was sent.'],
};

/** `20 s`, `5 min`, `3 h`. */
function duration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
