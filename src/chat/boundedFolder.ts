import { randomBytes } from 'node:crypto';
import { lstat, lutimes, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isStaleDraft, readPlainFile, writeAtomically } from '../common/atomicFile.ts';
import { Turns } from '../common/turns.ts';

export interface FolderLimits {
	readonly bytes: number;
	readonly files: number;
	/** Milliseconds after its last use when a file is deleted. */
	readonly ageMs: number;
}

/** Folders in the workspace's storage: large results, the logs of chats, and what chats have read. */
export interface StorageFolders {
	readonly results: string;
	readonly chats: string;
	readonly reads: string;
}

const day = 24 * 60 * 60 * 1000;

const resultFolderLimits: FolderLimits = { bytes: 64 * 1024 * 1024, files: 200, ageMs: day };

/** For chats: after a month without use, a chat falls back on the editor's history. */
export const chatFolderLimits: FolderLimits = { bytes: 64 * 1024 * 1024, files: 50, ageMs: 30 * day };

/** For what chats have read, which is compared with their calls: half of what a window remembers, so that it never has to forget what it finds. */
export const readFolderLimits: FolderLimits = { bytes: 4 * 1024 * 1024, files: 1_000, ageMs: 7 * day };

/** Allowed names of files: none can be a path. */
const legalName = /^[a-z0-9][a-z0-9-]{0,99}$/;

/** Whether a file can have this name. Names come from stored chats, too. */
export function isFileName(name: unknown): name is string {
	return typeof name === 'string' && legalName.test(name);
}

interface KeptFile {
	readonly path: string;
	readonly bytes: number;
	/** When it was last used: milliseconds since 1970. */
	readonly used: number;
}

/**
 * A folder of files that only their owner can read. Bounded: the least recently used files make room, and old ones are deleted.
 */
export class BoundedFolder {
	readonly #folder: string;
	readonly #limits: FolderLimits;
	readonly #now: () => number;
	/** Two concurrent writes could exceed the limits together, and a file is removed after it is written. */
	readonly #turns = new Turns();

	constructor(folder: string, limits = resultFolderLimits, now: () => number = Date.now) {
		this.#folder = folder;
		this.#limits = limits;
		this.#now = now;
	}

	/**
	 * Stores content and returns the name of its file: a random one, or `name`, which stands for this content, so an existing file is reused.
	 * Rejects if it cannot be written.
	 */
	keep(content: Buffer, name = `result-${randomBytes(6).toString('hex')}`): Promise<string> {
		return this.#inTurn(async () => {
			const stats = await lstat(this.path(name)).catch(ifMissing);
			if (stats?.isFile() && stats.size === content.length) await this.touch(name);
			else await this.#write(name, content);
			return name;
		});
	}

	/** Writes or replaces a file. Rejects if it cannot be written. */
	replace(name: string, content: Buffer): Promise<void> {
		return this.#inTurn(() => this.#write(name, content));
	}

	remove(name: string): Promise<void> {
		return this.#inTurn(() => rm(this.path(name), { force: true }));
	}

	/** The content of a file; `undefined` if it no longer exists. */
	async read(name: string): Promise<Buffer | undefined> {
		const content = await readPlainFile(this.path(name)).catch(ifMissing);
		if (content) await this.touch(name);
		return content;
	}

	/** The paths of all files, the least recently used first. Rejects if the folder cannot be read. */
	async paths(): Promise<readonly string[]> {
		const files = await this.#files();
		return files.sort((a, b) => a.used - b.used).map(({ path }) => path);
	}

	/** Marks a file as used now, if it still exists. */
	async touch(name: string): Promise<void> {
		const now = new Date(this.#now());
		await lutimes(this.path(name), now, now).catch(ifMissing);
	}

	/** Throws if no file can have the name. */
	path(name: string): string {
		if (!isFileName(name)) throw new Error(`'${name}' is no name of a result.`);
		return join(this.#folder, name);
	}

	/** Deletes files that are too old, and the least recently used ones beyond the limits. */
	async sweep(): Promise<void> {
		const files = (await this.#files()).sort((a, b) => b.used - a.used);
		let bytes = 0;
		for (const [i, file] of files.entries()) {
			bytes += file.bytes;
			const isOld = this.#now() - file.used > this.#limits.ageMs;
			// The newest file stays, however large it is: it was just written.
			const isTooMuch = i > 0 && (i >= this.#limits.files || bytes > this.#limits.bytes);
			if (isOld || isTooMuch) await rm(file.path, { force: true });
		}
	}

	#inTurn<T>(write: () => Promise<T>): Promise<T> {
		return this.#turns.run(async () => {
			await mkdir(this.#folder, { recursive: true, mode: 0o700 });
			const value = await write();
			await this.sweep();
			return value;
		});
	}

	async #write(name: string, content: Buffer): Promise<void> {
		await writeAtomically(this.path(name), content);
		await this.touch(name);
	}

	async #files(): Promise<KeptFile[]> {
		const names = (await readdir(this.#folder).catch(ifMissing)) ?? [];
		const files = names.map(async (name) => {
			const path = join(this.#folder, name);
			const stats = await lstat(path).catch(ifMissing);
			if (stats && isStaleDraft(name, stats)) await rm(path, { force: true });
			return stats?.isFile() ? [{ path, bytes: stats.size, used: stats.mtimeMs }] : [];
		});
		return (await Promise.all(files)).flat();
	}
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
	if (error.code !== 'ENOENT') throw error;
}
