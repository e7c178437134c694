import { oneLine } from '../common/text.ts';
import type { NamedLimits } from './knownLimits.ts';

/** Advice, or what makes it of the client's name in the configuration. */
type Advice = string | ((client: string) => string);

/** Why a provider did not answer, or not completely: what it did, as a sentence about it without its end, and what to do. */
export const failures = {
	unauthorized: [
		'did not accept the API key',
		'Set the key with the command “Discovery: Set API Key or Secret…”.',
	],
	payment: ['says that the account has no credit left', 'Add credit there, or pick another model.'],
	/** Of a day or more, which comes back in its own time. */
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
	server: ['failed', 'Try again, or pick another model.'],
	/** Nothing says whether it may pass. */
	unknown: ['failed', 'Try again, or pick another model.'],
	contextTooLong: [
		'has no room for a conversation of this length',
		'Begin a new chat, or pick a model with a larger context.',
	],
	invalidRequest: ['refused the request', 'Pick another model, or see the log for what was sent.'],
	refused: ['refused to answer', 'Try other words, or another model.'],
	malformedCall: ['could not read a call of the model', 'Ask again, or pick another model.'],
	unreachable: ['cannot be reached', 'Check the connection and "base_url", then try again.'],
	redirected: [
		'redirects to another URL, and a key is not sent along',
		(client) => `Write the final URL into "base_url" of the client “${client}” in the configuration file.`,
	],
	stalled: ['said nothing for too long', 'Try again, or pick another model.'],
	cut: ['ended its answer in the middle', 'Say “continue”, or ask again.'],
	outputLimit: ["reached the model's output limit", 'Say “continue”, or ask for less.'],
	paused: ['paused the answer in the middle', 'Say “continue”, or pick another model.'],
	malformed: [
		'sent no answer of a model',
		(client) => `Check "base_url" and "provider" of the client “${client}” in the configuration file.`,
	],
	oversized: ['sent too much', 'Ask for less.'],
} as const satisfies Readonly<Record<string, readonly [did: string, advice: Advice]>>;

export type ModelErrorReason = keyof typeof failures;

/** Characters of a provider's own words in an error. */
const displayCharacters = 300;
/** Characters that are read for that. */
const readCharacters = 4_000;

/** A provider's failure. The message says what happened and what to do; it contains no key and no HTML. */
export class ModelError extends Error {
	override readonly name = 'ModelError';
	readonly reason: ModelErrorReason;
	/** What happened, without the advice in the message. */
	readonly happened: string;
	/** The provider's own words, fit for display; empty if it gave none. */
	readonly providerText: string;
	/** The field of the request that the provider blames, e.g. `reasoning.effort`. */
	readonly param: string | undefined;
	/** The HTTP status, if there was one. */
	readonly status: number | undefined;
	/** How long the provider asks to wait, in milliseconds. */
	readonly retryAfterMs: number | undefined;
	/** Limits of the model that the provider named in its refusal. */
	readonly limits: NamedLimits;
	/** All of the provider's words. Private, so that nothing prints them. */
	readonly #words: string;

	/** `words`: all of the provider's, with keys removed. */
	constructor(
		reason: ModelErrorReason,
		message: string,
		{
			words,
			...more
		}: Partial<
			Pick<ModelError, 'happened' | 'providerText' | 'param' | 'status' | 'retryAfterMs' | 'limits' | 'cause'>
		> & {
			readonly words?: string;
		} = {},
	) {
		super(message, more.cause === undefined ? undefined : { cause: more.cause });
		this.reason = reason;
		this.happened = more.happened ?? message;
		this.providerText = more.providerText ?? '';
		this.#words = words ?? more.providerText ?? message;
		this.param = more.param;
		this.status = more.status;
		this.retryAfterMs = more.retryAfterMs;
		this.limits = more.limits ?? {};
	}

	/** Whether the provider's words match a pattern. */
	says(pattern: RegExp): boolean {
		return pattern.test(this.#words);
	}

	/** What a pattern finds in the provider's words: the first group of each match. */
	matchAll(pattern: RegExp): readonly string[] {
		return [...this.#words.matchAll(pattern)].map(([all, group = all]) => group);
	}
}

/** HTML tags, such as `<p class="x">` or `</body>`, but not `<At path 'root': …>`. */
const tag = /<[/!]?[a-z][\w-]*(?:\s+[\w:-]+(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))?)*\s*\/?>/gi;

/** A provider's own words on one short line without markup; may be empty. */
export function displayText(text: string): string {
	// A web page comes from a proxy, is meant for browsers, and begins with a style sheet.
	if (/^\s*<[!?a-z]|<(?:html|body)\b/i.test(text)) return '';
	return oneLine(text.slice(0, readCharacters).replace(tag, ' '), displayCharacters);
}
