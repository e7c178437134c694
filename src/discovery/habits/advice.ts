import type { Suggestion } from './suggestion.ts';

/** A suggestion, and what taking it is worth: tokens a chat saves, times how certain that is. */
export interface Advice {
	readonly suggestion: Suggestion;
	readonly worth: number;
}

/** How likely something is that happened `times` of `of` times (Laplace's rule of succession): few chats never make it certain. */
export function certainty(times: number, of: number): number {
	return (times + 1) / (of + 2);
}
