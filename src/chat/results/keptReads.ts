import * as z from 'zod';
import { BoundedFolder, readFolderLimits } from '../boundedFolder.ts';

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

/** Stores what chats have read for the next window, in which VS Code continues their conversations. */
export class KeptReads {
	readonly #folder: BoundedFolder;

	constructor(folder: string, limits = readFolderLimits) {
		this.#folder = new BoundedFolder(folder, limits);
	}

	/** Rejects if it cannot be written. */
	async keep(read: ReadText): Promise<void> {
		await this.#folder.keep(Buffer.from(JSON.stringify(read)));
	}

	/** What is stored, the oldest first, and whether all of it could be read. */
	async all(): Promise<{ readonly reads: readonly ReadText[]; readonly isWhole: boolean }> {
		const files = await this.#folder.all().catch(() => [undefined]);
		const reads = files.map((file) => readIn(file));
		return { reads: reads.filter((read) => read !== undefined), isWhole: !reads.includes(undefined) };
	}
}

function readIn(file: Buffer | undefined): ReadText | undefined {
	try {
		return readSchema.parse(JSON.parse(String(file)));
	} catch {
		return undefined;
	}
}
