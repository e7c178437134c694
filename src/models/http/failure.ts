import { parsedJson } from '../../common/json.ts';
import { networkCause } from '../../common/networkCause.ts';
import { retryAfterOf } from '../../common/retryAfter.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { displayText, failures, ModelError, type ModelErrorReason } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { explanationOf, explanationOfError, type Failure } from './explanation.ts';
import { failureReason, namedLimits } from './failureReason.ts';

/** Whom an error is about. */
type NamedEndpoint = Pick<Endpoint, 'name' | 'baseUrl'> & { readonly provider?: Endpoint['provider'] };

/** Keys that were sent to an endpoint, to recognise them when it repeats them. */
const sentKeys = new WeakMap<NamedEndpoint, Set<string>>();

/** Remembers a key that is about to be sent. */
export function rememberKey(endpoint: Endpoint, key: string): void {
	sentKeys.set(endpoint, (sentKeys.get(endpoint) ?? new Set()).add(key));
}

/** The error for a response with a failure status. */
export function failureOfResponse(
	endpoint: Endpoint,
	{ status, headers }: Response,
	body: string,
	keyless: boolean,
): ModelError {
	const explanation = explanationOf(parsedJson(body) ?? body);
	const retryAfterMs = retryAfterOf(headers, Date.now()) ?? explanation.retryAfterMs;
	return failureOf(endpoint, { ...explanation, status, retryAfterMs, keyless });
}

/** A message mentions at most this wait: 30 days, in milliseconds. */
const maxNamedMs = 30 * 24 * 3_600_000;

/** The error for one of a model that another extension provides. `name`: the model's, for people. */
export function failureOfEditorModel(name: string, error: unknown): ModelError {
	return failureOf({ name, baseUrl: '' }, explanationOfError(error), editorAdvice);
}

/**
 * The error for a failure that a provider reports, at the start or in the middle of a stream. `advice`: where that differs from the advice for
 * a client of the configuration.
 */
export function failureOf(
	endpoint: NamedEndpoint,
	failure: Failure,
	advice: Advice = endpoint.provider === 'ollama' ? ollamaAdvice(failure.detail ?? '') : {},
): ModelError {
	const { status, keyless = false } = failure;
	const retryAfterMs = failure.retryAfterMs && Math.min(failure.retryAfterMs, maxNamedMs);
	const reason = failureReason(failure);
	// Keys are removed, also a proxy's own, before the text is cut: half a key would not be recognised.
	const words = new Redactor(sentKeys.get(endpoint)).hide(failure.detail ?? '');
	const isWait = reason === 'rateLimited' && retryAfterMs !== undefined;
	return errorAbout(endpoint, reason, {
		...(reason === 'unauthorized' && keyless && { did: 'requires an API key' }),
		advice: isWait ? `Try again in ${duration(retryAfterMs)}, or pick another model.` : advice[reason],
		detail: words,
		words: [words, failure.code].filter(Boolean).join('\n'),
		param: failure.param,
		status,
		retryAfterMs,
		limits: namedLimits(reason, failure.detail ?? '', failure.contextTokens),
	});
}

/** What an error says about an endpoint; the table of failures says what is left out. */
type ErrorDetails = NonNullable<ConstructorParameters<typeof ModelError>[2]> & {
	/** What the endpoint did, as a sentence about it without its end. */
	readonly did?: string;
	/** The provider's own words. */
	readonly detail?: string;
	readonly advice?: string | undefined;
};

/** The error for something that an endpoint did. */
export function errorAbout(
	endpoint: NamedEndpoint,
	reason: ModelErrorReason,
	{ did = failures[reason][0], detail = '', advice, ...more }: ErrorDetails = {},
): ModelError {
	const providerText = displayText(detail);
	const usualAdvice = failures[reason][1];
	const status = more.status === undefined ? '' : ` (${more.status})`;
	const text =
		more.happened ?? `${endpointLabel(endpoint)} ${did}${status}${providerText && `: ${providerText}`}`;
	const happened = /[.!?…]$/.test(text) ? text : `${text}.`;
	const help = advice ?? (typeof usualAdvice === 'string' ? usualAdvice : usualAdvice(endpoint.name));
	return new ModelError(reason, `${happened} ${help}`, { ...more, happened, providerText });
}

/** Node's codes for a connection that broke, or was closed in the middle of a request. A retry mostly helps. */
const brokenConnectionCodes = [
	'ECONNRESET',
	'EPIPE',
	'UND_ERR_SOCKET',
	'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
];

/** For a request without a response. */
export function connectionFailure(endpoint: NamedEndpoint, cause: unknown): ModelError {
	const { code } = networkCause(cause);
	const happened = `The connection to ${endpointLabel(endpoint)} broke before an answer began.`;
	if (brokenConnectionCodes.includes(code))
		return errorAbout(endpoint, 'cut', { happened, advice: 'Try again.', cause });
	const codeText = code === '' || code === 'ECONNREFUSED' ? '' : ` (${code})`;
	const advice = endpoint.provider === 'ollama' ? 'Is Ollama running?' : undefined;
	return errorAbout(endpoint, 'unreachable', { did: `cannot be reached${codeText}`, advice, cause });
}

/** A client and where it is, as errors name it: `router (openrouter.ai)`. */
export function endpointLabel({ baseUrl, name }: NamedEndpoint): string {
	const host = URL.parse(baseUrl)?.host;
	return host ? `${name} (${host})` : name;
}

/** Advice that differs from that for other clients of the configuration. */
type Advice = Readonly<Partial<Record<ModelErrorReason, string | undefined>>>;

/** Ollama runs what was downloaded to it. Another server at its address says that nothing is there. `words`: the server's. */
function ollamaAdvice(words: string): Advice {
	const [, model] = /\bmodel ['"]([^'"]+)['"] not found/.exec(words) ?? [];
	return {
		notFound: model && `Get it with \`ollama pull ${model}\`, or pick another model.`,
		noTools: 'Pick a model that can: ollama.com/search?c=tools lists them.',
		unauthorized:
			'Run `ollama signin` there, or set a key with the command “Discovery: Set API Key or Secret…”.',
	};
}

/** What to do about a model that is no client's of the configuration: VS Code, or another extension, provides it. */
const editorAdvice: Advice = {
	unauthorized: 'Sign in to its provider in VS Code, or pick another model.',
	forbidden: 'Allow this extension to use it when VS Code asks, or pick another model.',
	notFound: 'Pick another model below the chat input.',
	invalidRequest: 'Pick another model.',
};

/** `20 s`, `5 min`, `3 h`. */
function duration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
