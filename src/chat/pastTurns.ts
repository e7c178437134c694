import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { plainAnswer } from '../models/answerParts.ts';

/** A turn in the editor's history: the prompt, and the answer that was shown. */
export interface PastTurn {
	readonly prompt: string;
	readonly answer: string;
}

/**
 * Makes the log of a chat match the editor's history. If they differ, because the user went back and asked something else, or the log was
 * deleted, the history wins: it contains only what was shown, which is better than nothing.
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
