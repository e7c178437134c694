/** How an answer ended, whatever its endpoint calls that. */
export type Ending =
	| 'complete'
	| 'outOfTokens'
	/** A filter, or the model itself, refused to go on. */
	| 'filtered'
	/** The model made a call that its provider could not read. */
	| 'malformedCall'
	| 'failed'
	/** Interrupted; the model would go on. */
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
	['cut', /pause|abort|cancel|interrupt/i],
	['complete', /stop|end|tool|function|complete|finish|eos|done|load/i],
];

/** How an answer ended, by the reason that its endpoint gives. */
export function endingOf(reason: string): Ending {
	return endings.find(([, words]) => words.test(reason))?.[0] ?? 'unknown';
}
