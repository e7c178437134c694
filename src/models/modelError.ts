import { oneLine } from '../common/text.ts';
import type { NamedLimits } from './knownLimits.ts';

/** Why a provider did not answer, or not to the end. */
export type ModelErrorReason =
	/** No key, or not a valid one (401). */
	| 'unauthorized'
	/** The account has no credit (402). */
	| 'payment'
	/** The key may not do this (403). */
	| 'forbidden'
	/** The address or the model does not exist (404). */
	| 'notFound'
	/** Too many requests or tokens (429). */
	| 'rateLimited'
	/** The provider has no room (503, 529). */
	| 'overloaded'
	/** The provider failed (other 5xx). */
	| 'server'
	/** The prompt is longer than the model takes. */
	| 'contextTooLong'
	/** The provider refuses the request (other 4xx). */
	| 'invalidRequest'
	/** The model, or the provider's filter, refuses to answer. */
	| 'refused'
	/** Nobody listens at the address, or not safely. */
	| 'unreachable'
	/** The address leads elsewhere; keys are not carried along. */
	| 'redirected'
	/** No first byte, none for too long, or no end. */
	| 'stalled'
	/** The connection broke before the answer began, or in its middle. */
	| 'cut'
	/** The answer ended because it had all the tokens it may have: asked again, it would end there again. */
	| 'outputLimit'
	/** What came back is not the provider's protocol. */
	| 'malformed'
	/** The answer is larger than is read. */
	| 'oversized';

/** Characters of a provider's own words that an error carries. */
const shownCharacters = 300;
/** Characters of them that are read for that. */
const readCharacters = 4_000;

/** A provider's failure. The message says what happened and what to do; it carries no key and no HTML. */
export class ModelError extends Error {
	override readonly name = 'ModelError';
	readonly reason: ModelErrorReason;
	/** What happened, without what to do; the message has both. */
	readonly happened: string;
	/** The provider's own words, fit to be shown; empty: it had none. */
	readonly said: string;
	/** The field of the request that the provider names as the fault, e.g. `reasoning.effort`. */
	readonly param: string | undefined;
	/** The HTTP status, where there was one. */
	readonly status: number | undefined;
	/** How long the provider asks to wait, in milliseconds. */
	readonly retryAfterMs: number | undefined;
	/** Limits of the model that the provider has named in refusing. */
	readonly limits: NamedLimits;
	/** All of the provider's words. Private, so that they are never printed. */
	readonly #words: string;

	constructor(
		reason: ModelErrorReason,
		message: string,
		more: {
			readonly happened?: string;
			readonly said?: string;
			/** All of the provider's words, without keys. */
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

	/** Whether the provider's words match. */
	says(pattern: RegExp): boolean {
		return pattern.test(this.#words);
	}
}

/** Markup, as in `<p class="x">` or `</body>`. */
const tag = /<[/!]?[a-z][^<>]*>/gi;

/** A provider's own words, fit to be shown: one line, no markup, bounded. Empty where there is nothing to say. */
export function shownDetail(text: string): string {
	// An HTML page comes from a proxy, for browsers, and begins with a style sheet: nothing of it is shown.
	if (/^\s*<|<(?:html|body)\b/i.test(text)) return '';
	return oneLine(text.slice(0, readCharacters).replace(tag, ' '), shownCharacters);
}
