import type { StoredFormat } from '../common/sealedJson.ts';
import { makeReplaceable, readStored, type StoredReading, sealedFor } from '../common/storedFile.ts';
import { Turns } from '../common/turns.ts';
import { BoundedFolder, type FolderLimits, isFileName } from './boundedFolder.ts';

/**
 * Values in a bounded folder, one file each, which one window at a time writes. A file that cannot be read is not used, and replaced only if it is
 * damaged: see {@link makeReplaceable}.
 */
export class StoredFiles<T> {
	readonly #folder: BoundedFolder;
	readonly #format: StoredFormat<T>;
	/** What reading has found, by name; `missing` for files whose content this window knows. */
	readonly #found = new Map<string, StoredReading<never>>();
	readonly #turns = new Turns();

	constructor(folder: string, limits: FolderLimits, format: StoredFormat<T>) {
		this.#folder = new BoundedFolder(folder, limits);
		this.#format = format;
	}

	/** A value; `undefined` if there is none that can be read. */
	read(name: string): Promise<T | undefined> {
		return this.#turns.run(async () => {
			if (!isFileName(name)) return undefined;
			const reading = await this.#look(name);
			if (reading.kind !== 'value') return undefined;
			await this.#folder.touch(name);
			return reading.value;
		});
	}

	/** All values, the least recently used first; `undefined` for a file that cannot be read. Rejects if the folder cannot. */
	async all(): Promise<readonly (T | undefined)[]> {
		const paths = await this.#folder.paths();
		const readings = await Promise.all(paths.map((path) => readStored(path, this.#format)));
		// Another window may have removed a file meanwhile.
		const present = readings.filter(({ kind }) => kind !== 'missing');
		return present.map((reading) => (reading.kind === 'value' ? reading.value : undefined));
	}

	/** Writes or replaces a file. Rejects if it cannot be written, or must not be replaced. */
	store(name: string, value: T): Promise<void> {
		return this.#turns.run(async () => {
			const path = this.#folder.path(name);
			await makeReplaceable(path, this.#found.get(name) ?? (await this.#look(name)));
			await this.#folder.replace(name, Buffer.from(sealedFor(path, value, this.#format).text));
			this.#found.set(name, { kind: 'missing' });
		});
	}

	remove(name: string): Promise<void> {
		return this.#turns.run(() => this.#folder.remove(name));
	}

	async #look(name: string): Promise<StoredReading<T>> {
		const reading = await readStored(this.#folder.path(name), this.#format);
		this.#found.set(name, reading.kind === 'value' ? { kind: 'missing' } : reading);
		return reading;
	}
}
