import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { StoredFormat } from '../../common/sealedJson.ts';
import { readFolderLimits } from '../boundedFolder.ts';
import { StoredFiles } from '../storedFiles.ts';

const readSchema = z.object({
	/** The chat's id; absent for chats of other participants, which VS Code does not tell apart. */
	chat: z.string().optional(),
	servers: z.array(z.string()).readonly(),
	/** See `ComparableText`. */
	forms: z.string(),
	keys: z.array(z.string()).readonly(),
	places: z.array(z.string()).readonly(),
});

/** A text of servers that a chat has read, prepared to be compared. */
export type ReadText = Readonly<z.infer<typeof readSchema>>;

const format: StoredFormat<ReadText> = { version: 1, maxBytes: 4 * 1024 * 1024, shape: readSchema };

/** Stores what chats have read for the next window, in which VS Code continues their conversations. */
export class KeptReads {
	readonly #files: StoredFiles<ReadText>;

	constructor(folder: string, limits = readFolderLimits) {
		this.#files = new StoredFiles(folder, limits, format);
	}

	/** Rejects if it cannot be written. */
	keep(read: ReadText): Promise<void> {
		return this.#files.store(`text-${randomBytes(6).toString('hex')}`, read);
	}

	/** What is stored, the oldest first, and whether all of it could be read. */
	async all(): Promise<{ readonly reads: readonly ReadText[]; readonly isWhole: boolean }> {
		const reads: readonly (ReadText | undefined)[] = await this.#files.all().catch(() => [undefined]);
		return { reads: reads.filter((read) => read !== undefined), isWhole: !reads.includes(undefined) };
	}
}
