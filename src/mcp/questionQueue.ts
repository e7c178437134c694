import { abortable } from '../common/cancellation.ts';
import type { AskUser } from './connection/questions.ts';

/** Questions that wait; more are put away unasked. */
const mostWaiting = 32;

/** Asks one question at a time, whichever server it is of: a second dialog would hide the first. */
export function oneAtATime(ask: AskUser): AskUser {
	let last: Promise<unknown> = Promise.resolve();
	let waiting = 0;
	return async (asked, signal) => {
		if (waiting === mostWaiting) return { action: 'cancel' };
		waiting += 1;
		const turn = last;
		const answer = abortable(turn, signal)
			.finally(() => {
				waiting -= 1;
			})
			.then(() => abortable(ask(asked, signal), signal));
		// The next one waits until this is answered, or not to be answered any more.
		last = Promise.all([turn, answer.catch(() => {})]);
		return answer;
	};
}
