import { oneLine } from '../common/text.ts';
import type { NamedLimits } from './knownLimits.ts';

/** Why a provider did not answer, or not completely. */
export type ModelErrorReason =
	/** No key, or not a valid one (401). */
	| 'unauthorized'
	/** The account has no credit (402). */
	| 'payment'
	/** A quota of a day or more is used up, and comes back in its own time. */
	| 'quota'
	/** The provider wants to know who the organization is. */
	| 'unverified'
	/** No endpoint of the model can call tools. */
	| 'noTools'
	/** The key lacks the permission (403). */
	| 'forbidden'
	/** The address or the model does not exist (404). */
	| 'notFound'
	/** Too many requests or tokens (429). */
	| 'rateLimited'
	/** The provider has no capacity (503, 529). */
	| 'overloaded'
	/** The provider failed (other 5xx). */
	| 'server'
	/** The prompt is longer than the model accepts. */
	| 'contextTooLong'
	/** The provider refuses the request (other 4xx). */
	| 'invalidRequest'
	/** The model, or the provider's filter, refuses to answer. */
	| 'refused'
	/** The provider could not read a call of its model. */
	| 'malformedCall'
	/** Nobody listens at the address, or not safely. */
	| 'unreachable'
	/** The address redirects to another origin; keys are not sent there. */
	| 'redirected'
	/** No first byte, a gap that is too long, or no end. */
	| 'stalled'
	/** The connection broke before the answer began, or in its middle. */
	| 'cut'
	/** The answer used up its token limit. A repeated request would end there again. */
	| 'outputLimit'
	/** The provider paused the model, which would go on. */
	| 'paused'
	/** The response does not follow the provider's protocol. */
	| 'malformed'
	/** The answer exceeds the size limit. */
	| 'oversized';

/** Characters of a provider's own words in an error. */
const shownCharacters = 300;
/** Characters that are read for that. */
const readCharacters = 4_000;

/** A provider's failure. The message says what happened and what to do; it contains no key and no HTML. */
export class ModelError extends Error {
	override readonly name = 'ModelError';
	readonly reason: ModelErrorReason;
	/** What happened, without the advice in the message. */
	readonly happened: string;
	/** The provider's own words, fit for display; empty if it gave none. */
	readonly said: string;
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

	constructor(
		reason: ModelErrorReason,
		message: string,
		more: {
			readonly happened?: string;
			readonly said?: string;
			/** All of the provider's words, with keys removed. */
			readonly words?: string;
			readonly param?: string | undefined;
			readonly status?: number | undefined;
			readonly retryAfterMs?: number | undefined;
			readonly limits?: NamedLimits;
			readonly cause?: unknown;
		} = {},
	) {
		super(message, more.cause === undefined ? undefined : { cause: more.cause });
		this.reason = reason;
		this.happened = more.happened ?? message;
		this.said = more.said ?? '';
		this.#words = more.words ?? more.said ?? message;
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
	named(pattern: RegExp): readonly string[] {
		return [...this.#words.matchAll(pattern)].map(([all, group = all]) => group);
	}
}

/** HTML tags, such as `<p class="x">` or `</body>`. */
const tag = /<[/!]?[a-z][^<>]*>/gi;

/** A provider's own words on one short line without markup; may be empty. */
export function shownDetail(text: string): string {
	// A web page comes from a proxy, is meant for browsers, and begins with a style sheet.
	if (/^\s*<[!?a-z]|<(?:html|body)\b/i.test(text)) return '';
	return oneLine(text.slice(0, readCharacters).replace(tag, ' '), shownCharacters);
}
