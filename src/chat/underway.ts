import { isRecord } from '../common/json.ts';
import { BoundedFolder, chatFolderLimits } from './boundedFolder.ts';

/** An answer that is being given; plain JSON. */
export interface UnderwayAnswer {
	/** What the user has said. */
	readonly prompt: string;
	/** Tools whose calls have begun and have not come back: `server:tool`. */
	readonly calls: readonly string[];
	/** The user has been told that it was interrupted. */
	readonly told?: true;
}

/** How the names of the files begin; the id of the chat follows. */
const lead = 'underway-';

/**
 * Keeps which answers are being given, each in a file beside its chat, until they are complete. A file that is there although nobody answers
 * in its chat is that of an answer that the end of a window has interrupted.
 */
export class UnderwayAnswers {
	readonly #folder: BoundedFolder;
	/** The last change: each waits for the one before, so that an answer that has ended is not written again. */
	#last: Promise<void> = Promise.resolve();

	constructor(folder: string) {
		this.#folder = new BoundedFolder(folder, chatFolderLimits);
	}

	keep(chat: string, answer: UnderwayAnswer): Promise<void> {
		return this.#inTurn(() => this.#folder.replace(lead + chat, Buffer.from(JSON.stringify(answer))));
	}

	remove(chat: string): Promise<void> {
		return this.#inTurn(() => this.#folder.remove(lead + chat));
	}

	/** The answer in a chat; `undefined`: there is none, or none that can be read. */
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

	/** What cannot be written is not kept: then nobody is told that an answer was interrupted, and nothing else is lost. */
	#inTurn(change: () => Promise<void>): Promise<void> {
		this.#last = this.#last.then(change).catch(() => undefined);
		return this.#last;
	}
}

/** The chats with answers, by the names of the files in their folder. */
export function chatsUnderway(names: readonly string[]): readonly string[] {
	return names.filter((name) => name.startsWith(lead)).map((name) => name.slice(lead.length));
}
