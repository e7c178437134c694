import { readFileSync, statSync } from 'node:fs';
import { fileIdentity, sealed, unsealed, writeAtomically } from './atomicFile.ts';
import { locked } from './fileLock.ts';
import { isRecord, type JsonRecord } from './json.ts';

/** Incremented when the format changes. A file of another format cannot be read. */
const fileFormat = 1;
/** Characters at the beginning of a file that include its checksum, and so identify its content. */
const headLength = 64;

/**
 * A JSON object in a file that several windows read and write. It is replaced atomically, and ignored if it was damaged or edited.
 * Reading is synchronous, so that nothing is decided on old content; the file is read only if another window has written it.
 */
export class SharedFile {
	readonly #path: string;
	readonly #mostBytes: number;
	/** The state of the file when it was last read or written; `undefined`: it did not exist. */
	#seen: string | undefined;
	/** The beginning of what it held then; `undefined`: it could not be read. */
	#head: string | undefined;

	constructor(path: string, mostBytes: number) {
		this.#path = path;
		this.#mostBytes = mostBytes;
	}

	/** What another window has written; `unchanged`: nothing; `unreadable`: the file is missing now, damaged, or too large. */
	read(): JsonRecord | 'unchanged' | 'unreadable' {
		const now = fileIdentity(this.#path);
		if (now === this.#seen) return 'unchanged';
		this.#seen = now;
		const before = this.#head;
		this.#head = undefined;
		try {
			const stats = statSync(this.#path);
			// Reading a pipe would block.
			if (!stats.isFile() || stats.size > this.#mostBytes) return 'unreadable';
			const text = readFileSync(this.#path, 'utf8');
			const content = unsealed(fileFormat, text);
			this.#head = text.slice(0, headLength);
			if (this.#head === before) return 'unchanged';
			return isRecord(content) ? content : 'unreadable';
		} catch {
			return 'unreadable';
		}
	}

	/**
	 * Replaces the content. No other window writes meanwhile, so `content` can {@link read} and merge what they wrote before. It returns the members as
	 * JSON without the braces. Rejects if the folder cannot be written to.
	 */
	async write(content: () => string): Promise<void> {
		await locked(this.#path, async () => {
			const text = sealed(fileFormat, content());
			// Set before the write: whoever watches the folder may read before it is over.
			this.#head = text.slice(0, headLength);
			await writeAtomically(this.#path, text);
			this.#seen = fileIdentity(this.#path);
		});
	}
}
