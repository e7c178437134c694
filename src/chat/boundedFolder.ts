import { randomBytes } from 'node:crypto';
import { lstat, lutimes, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftBehind, readPlainFile, writeAtomically } from '../common/atomicFile.ts';

/** What a folder of results may hold. */
export interface FolderLimits {
	readonly bytes: number;
	readonly files: number;
	/** Milliseconds after its last use at which a file goes. */
	readonly ageMs: number;
}

const day = 24 * 60 * 60 * 1000;

export const resultFolderLimits: FolderLimits = { bytes: 64 * 1024 * 1024, files: 200, ageMs: day };

/** For a folder of chats: one that nobody has gone on with for a month begins with what its history shows. */
export const chatFolderLimits: FolderLimits = { bytes: 64 * 1024 * 1024, files: 50, ageMs: 30 * day };

/** Names that files can have: no path can be made of them. */
const legalName = /^[a-z0-9][a-z0-9-]{0,99}$/;

interface KeptFile {
	readonly path: string;
	readonly bytes: number;
	/** When it was last used: milliseconds since 1970. */
	readonly used: number;
}

/**
 * Large results of tools, as files that only their owner can read. Bounded: the longest unused make room, and what nobody has used for
 * a day goes.
 */
export class BoundedFolder {
	readonly #folder: string;
	readonly #limits: FolderLimits;
	readonly #now: () => number;
	#keeping: Promise<unknown> = Promise.resolve();

	constructor(folder: string, limits = resultFolderLimits, now: () => number = Date.now) {
		this.#folder = folder;
		this.#limits = limits;
		this.#now = now;
	}

	/**
	 * Keeps a result and returns the name of its file: a random one, or that which stands for this very content and whose file is
	 * used again. Rejects if it cannot be written.
	 */
	keep(content: Buffer, name = `result-${randomBytes(6).toString('hex')}`): Promise<string> {
		return this.#inTurn(async () => {
			const path = this.#path(name);
			const known = await lstat(path).catch(ifMissing);
			if (known?.isFile() && known.size === content.length) await this.#touch(path);
			else await this.#write(path, content);
			return name;
		});
	}

	/** Keeps something under its name, in place of what stood there. Rejects if it cannot be written. */
	replace(name: string, content: Buffer): Promise<void> {
		return this.#inTurn(() => this.#write(this.#path(name), content));
	}

	/** Removes a file, if it is there. */
	async remove(name: string): Promise<void> {
		await rm(this.#path(name), { force: true });
	}

	/** The content of a file; `undefined` where it is not there any more. */
	async read(name: string): Promise<Buffer | undefined> {
		const path = this.#path(name);
		const content = await readPlainFile(path).catch(ifMissing);
		if (content) await this.#touch(path).catch(ifMissing);
		return content;
	}

	/** Removes what is too old, and the longest unused beyond the bounds. */
	async sweep(): Promise<void> {
		const files = (await this.#files()).sort((a, b) => b.used - a.used);
		let bytes = 0;
		for (const [i, file] of files.entries()) {
			bytes += file.bytes;
			const isOld = this.#now() - file.used > this.#limits.ageMs;
			// The newest file stays, however large it is: it has only just been written.
			const isTooMuch = i > 0 && (i >= this.#limits.files || bytes > this.#limits.bytes);
			if (isOld || isTooMuch) await rm(file.path, { force: true });
		}
	}

	/** Runs writes one after the other: two at once could exceed the bounds together. */
	#inTurn<T>(write: () => Promise<T>): Promise<T> {
		const written = this.#keeping.then(async () => {
			await mkdir(this.#folder, { recursive: true, mode: 0o700 });
			const value = await write();
			await this.sweep();
			return value;
		});
		this.#keeping = written.catch(() => undefined);
		return written;
	}

	async #write(path: string, content: Buffer): Promise<void> {
		await writeAtomically(path, content);
		await this.#touch(path);
	}

	async #files(): Promise<KeptFile[]> {
		const names = (await readdir(this.#folder).catch(ifMissing)) ?? [];
		const found = names.map(async (name) => {
			const path = join(this.#folder, name);
			const known = await lstat(path).catch(ifMissing);
			if (known && isLeftBehind(name, known)) await rm(path, { force: true });
			return known?.isFile() ? [{ path, bytes: known.size, used: known.mtimeMs }] : [];
		});
		return (await Promise.all(found)).flat();
	}

	async #touch(path: string): Promise<void> {
		const now = new Date(this.#now());
		await lutimes(path, now, now);
	}

	#path(name: string): string {
		if (!legalName.test(name)) throw new Error(`'${name}' is no name of a result.`);
		return join(this.#folder, name);
	}
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
	if (error.code !== 'ENOENT') throw error;
}
