import * as z from 'zod';
import { defined } from '../common/json.ts';
import type { StoredFormat } from '../common/sealedJson.ts';
import { orNothing, salvagedList } from '../common/storedShapes.ts';
import { chatFolderLimits, isFileName } from './boundedFolder.ts';
import { StoredFiles } from './storedFiles.ts';

/** An answer in progress; plain JSON. */
export interface AnswerInProgress {
	readonly prompt: string;
	/** Tools with unfinished calls: `server:tool`. */
	readonly calls: readonly string[];
	/** Whether the user knows that it was interrupted. */
	readonly isReported?: true;
}

/** Prefix of the files' names, followed by the id of the chat. */
const filePrefix = 'underway-';

const format: StoredFormat<AnswerInProgress> = {
	version: 1,
	maxBytes: 4 * 1024 * 1024,
	shape: z
		.object({
			prompt: z.string(),
			calls: salvagedList(z.string()),
			isReported: orNothing(z.literal(true)),
		})
		.transform((answer): AnswerInProgress => defined(answer)),
};

/**
 * Stores each answer in progress in a file beside its chat, until it is complete. If such a file exists although no answer is in progress, the
 * end of a window interrupted that answer.
 */
export class AnswersInProgress {
	readonly #files: StoredFiles<AnswerInProgress>;

	constructor(folder: string) {
		this.#files = new StoredFiles(folder, chatFolderLimits, format);
	}

	/** A failed write only means that the user is not told about an interrupted answer. */
	keep(chat: string, answer: AnswerInProgress): Promise<void> {
		return this.#files.store(filePrefix + chat, answer).catch(() => undefined);
	}

	remove(chat: string): Promise<void> {
		return this.#files.remove(filePrefix + chat).catch(() => undefined);
	}

	/** The interrupted answer in a chat, if there is one. */
	get(chat: string): Promise<AnswerInProgress | undefined> {
		return this.#files.read(filePrefix + chat);
	}
}

/** The chats with interrupted answers, by the names of the files in their folder. */
export function chatsUnderway(names: readonly string[]): readonly string[] {
	return names
		.filter((name) => name.startsWith(filePrefix) && isFileName(name))
		.map((name) => name.slice(filePrefix.length));
}
