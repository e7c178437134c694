import * as vscode from 'vscode';
import type { LoopOptions } from '../../chat/loopOptions.ts';
import { ChatResults } from '../../chat/resultFiles/chatResults.ts';
import { readResultTool } from '../../chat/resultFiles/readResult.ts';
import { ResultFolder } from '../../chat/resultFiles/resultFolder.ts';
import type { ChatSession } from '../discoveryHub.ts';
import { settings } from '../ids.ts';

const bytesOfKilobyte = 1024;
/** The setting's default, which also stands for a value that is no number. */
const defaultKilobytes = 8;

/** Large results of all chats: files in the workspace's own storage. */
export class LargeResults {
	readonly #folder: ResultFolder;
	readonly #chats = new WeakMap<ChatSession, ChatResults>();

	constructor(folder: string) {
		this.#folder = new ResultFolder(folder);
	}

	/** What a turn does with large results, and the tool that reads on in them; nothing where the user wants results to stay whole. */
	turn(session: ChatSession): Required<Pick<LoopOptions, 'fitResult' | 'hosted'>> | undefined {
		const limit = largeResultBytes();
		if (limit === 0) return undefined;
		const results = this.#chats.get(session) ?? new ChatResults(this.#folder);
		this.#chats.set(session, results);
		return {
			fitResult: (result, listing) => results.fit(result, limit, listing),
			hosted: [readResultTool(results)],
		};
	}
}

/** Bytes of a result from which on it becomes a file; 0: never. */
function largeResultBytes(): number {
	const set: unknown = vscode.workspace.getConfiguration(settings.section).get(settings.largeResult);
	const kilobytes = typeof set === 'number' && Number.isFinite(set) ? set : defaultKilobytes;
	return Math.max(0, kilobytes) * bytesOfKilobyte;
}
