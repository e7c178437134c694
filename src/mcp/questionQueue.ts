import { abortable } from '../common/cancellation.ts';
import type { AskUser } from './connection/questions.ts';

/** Questions that may wait. Further ones are cancelled. */
const mostWaiting = 32;

/** Asks one question at a time, for all servers together: a second dialog would hide the first. */
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
		// The next one waits until this one is answered or withdrawn.
		last = Promise.all([turn, answer.catch(() => {})]);
		return answer;
	};
}
