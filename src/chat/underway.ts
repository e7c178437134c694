import { isRecord } from '../common/json.ts';
import { BoundedFolder, chatFolderLimits } from './boundedFolder.ts';

/** An answer in progress; plain JSON. */
export interface UnderwayAnswer {
	readonly prompt: string;
	/** Tools with unfinished calls: `server:tool`. */
	readonly calls: readonly string[];
	/** Whether the user knows that it was interrupted. */
	readonly told?: true;
}

/** Prefix of the files' names, followed by the id of the chat. */
const lead = 'underway-';

/**
 * Stores each answer in progress in a file beside its chat, until it is complete. If such a file exists although no answer is in progress, the
 * end of a window interrupted that answer.
 */
export class UnderwayAnswers {
	readonly #folder: BoundedFolder;

	constructor(folder: string) {
		this.#folder = new BoundedFolder(folder, chatFolderLimits);
	}

	/** A failed write only means that the user is not told about an interrupted answer. */
	keep(chat: string, answer: UnderwayAnswer): Promise<void> {
		return this.#folder.replace(lead + chat, Buffer.from(JSON.stringify(answer))).catch(() => undefined);
	}

	remove(chat: string): Promise<void> {
		return this.#folder.remove(lead + chat).catch(() => undefined);
	}

	/** The interrupted answer in a chat, if there is one. */
	async get(chat: string): Promise<UnderwayAnswer | undefined> {
		try {
			const answer: unknown = JSON.parse(String(await this.#folder.read(lead + chat)));
			if (!isRecord(answer) || typeof answer.prompt !== 'string' || !Array.isArray(answer.calls))
				return undefined;
			const calls = answer.calls.filter((call) => typeof call === 'string');
			return { prompt: answer.prompt, calls, ...(answer.told === true && { told: true }) };
		} catch {
			return undefined;
		}
	}
}

/** The chats with interrupted answers, by the names of the files in their folder. */
export function chatsUnderway(names: readonly string[]): readonly string[] {
	return names.filter((name) => name.startsWith(lead)).map((name) => name.slice(lead.length));
}
