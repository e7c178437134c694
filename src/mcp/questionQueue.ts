import { abortable } from '../common/cancellation.ts';
import { Turns } from '../common/turns.ts';
import type { AskUser } from './connection/questions.ts';

/** Questions that may wait. Further ones are cancelled. */
const maxWaitingQuestions = 32;

/** Asks one question at a time, for all servers together: a second dialog would hide the first. */
export function oneAtATime(ask: AskUser): AskUser {
	const turns = new Turns();
	let waiting = 0;
	return async (question, signal) => {
		if (waiting === maxWaitingQuestions) return { action: 'cancel' };
		waiting += 1;
		// The next one waits until this one is answered or withdrawn.
		const answer = turns.run(async () => {
			waiting -= 1;
			signal.throwIfAborted();
			return abortable(ask(question, signal), signal);
		});
		return abortable(answer, signal);
	};
}
