import { failures, type ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { errorAbout, failureOf } from './failure.ts';

/** How an answer ended, whatever its endpoint calls that. */
export type Ending =
	| 'complete'
	| 'outOfTokens'
	/** A filter, or the model itself, refused to go on. */
	| 'filtered'
	/** The model made a call that its provider could not read. */
	| 'malformedCall'
	| 'failed'
	/** The provider asks us to let the model go on, as in a long turn with its own tools. */
	| 'paused'
	/** Interrupted. */
	| 'cut'
	/** A reason without a known word. */
	| 'unknown';

/** The words of reasons; the first match counts. Sources: the providers' references, and the rows of `test/world/endings.test.ts`. */
const endings: readonly (readonly [Ending, RegExp])[] = [
	['malformedCall', /malformed|unexpected_?tool|(?:invalid|too_?many)_?(?:tool|function)|parse/i],
	['outOfTokens', /length|max_?[a-z_]*tokens?\b|token_?(?:limit|budget)|truncat|context_?window/i],
	[
		'filtered',
		/filter|safe|refus|recitation|block|prohibit|spii|moderat|sensitive|guard|language|policy|harm/i,
	],
	['failed', /error|fail|network|overload|insufficient|timeout|unavailable|other|unspecified/i],
	['paused', /pause/i],
	['cut', /abort|cancel|interrupt/i],
	['complete', /stop|end|tool|function|complete|finish|eos|done|load/i],
];

/** How an answer ended, by the reason that its endpoint gives. */
export function endingOf(reason: string): Ending {
	return endings.find(([, words]) => words.test(reason))?.[0] ?? 'unknown';
}

/** The failure that an ending is; none for the others. `tokens`: the limit of the answer. */
export const failureAt: Readonly<
	Partial<Record<Ending, (endpoint: Endpoint, reason: string, tokens?: number) => ModelError>>
> = {
	outOfTokens: (endpoint, reason, tokens) => {
		if (/window/i.test(reason)) return failureOf(endpoint, { code: reason });
		const limit = tokens === undefined ? '' : ` of ${tokens.toLocaleString('en')} tokens`;
		return errorAbout(endpoint, 'outputLimit', { did: `${failures.outputLimit[0]}${limit}` });
	},
	filtered: (endpoint) =>
		errorAbout(endpoint, 'refused', { detail: 'the content filter stopped the answer.' }),
	malformedCall: (endpoint, detail) => errorAbout(endpoint, 'malformedCall', { detail }),
	failed: (endpoint, code) => failureOf(endpoint, { code }),
	paused: (endpoint) => errorAbout(endpoint, 'paused'),
	cut: (endpoint) => errorAbout(endpoint, 'cut'),
};
