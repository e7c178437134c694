import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { plainAnswer } from '../models/answerParts.ts';

/** A turn as the chat's own history tells it: what was asked, and what was shown as the answer. */
export interface PastTurn {
	readonly prompt: string;
	readonly answer: string;
}

/**
 * Brings the log of a chat to where its history is. Where these differ, because the user went back and asked otherwise or the log is not kept
 * any more, the history counts: it has only what was shown, which is better than nothing.
 */
export function followHistory({ log }: DiscoverySession, history: readonly PastTurn[]): void {
	const { prompts } = log;
	const differs = history.findIndex(({ prompt }, i) => prompt !== prompts[i]);
	const same = differs < 0 ? history.length : differs;
	log.goBack(same);
	for (const { prompt, answer } of history.slice(same)) {
		log.append({ kind: 'past', prompt });
		log.append({ kind: 'message', message: { role: 'user', text: prompt } });
		if (answer) log.append({ kind: 'message', message: plainAnswer(answer) });
	}
}
