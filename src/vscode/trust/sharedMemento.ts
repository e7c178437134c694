import { type FSWatcher, mkdirSync, readFileSync, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Disposable, Memento } from 'vscode';
import { fileIdentity, sealed, unsealed, writeAtomically } from '../../common/atomicFile.ts';
import { Emitter } from '../../common/event.ts';
import { locked } from '../../common/fileLock.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';

/** Increased when the format changes; a file in another format counts as empty. */
const fileFormat = 1;
const mostBytes = 16 * 1024 * 1024;

/**
 * A memento in a file that all windows on a workspace share. VS Code reads its own `workspaceState` once per window, and each window writes all of
 * it: a window that does not know that an approval was revoked would restore it.
 */
export class SharedMemento implements Memento, Disposable {
	readonly #file: string;
	#kept: JsonRecord = {};
	/** Not written yet. */
	#unwritten: JsonRecord = {};
	/** The identity and the text of the file when it was last read. */
	#seen: string | undefined;
	#text = '';
	#writing: Promise<void> = Promise.resolve();
	#watcher: FSWatcher | undefined;
	readonly #changed = new Emitter<void>();
	/** Another window has written. */
	readonly onDidChange = this.#changed.event;

	constructor(file: string) {
		this.#file = file;
		try {
			mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
			this.#watcher = watch(dirname(file), { persistent: false }, () => this.refresh());
			this.#watcher.on('error', () => {});
		} catch {
			// Not every file system can be watched; `refresh` finds changes, too.
		}
		this.refresh();
	}

	keys(): readonly string[] {
		return Object.keys({ ...this.#kept, ...this.#unwritten });
	}

	get<T>(key: string): T | undefined;
	get<T>(key: string, defaultValue: T): T;
	get<T>(key: string, defaultValue?: T): T | undefined {
		const from = Object.hasOwn(this.#unwritten, key) ? this.#unwritten : this.#kept;
		return Object.hasOwn(from, key) ? (from[key] as T) : defaultValue;
	}

	/** Takes effect before it is on disk. Rejects if it cannot be written. */
	update(key: string, value: unknown): Promise<void> {
		this.#unwritten = { ...this.#unwritten, [key]: value };
		this.#writing = this.#writing.catch(() => {}).then(() => this.#writeLocked());
		return this.#writing;
	}

	async #writeLocked(): Promise<void> {
		await locked(this.#file, () => this.#write());
	}

	/** Reads what other windows have written. */
	refresh(): void {
		if (this.#read()) this.#changed.fire();
	}

	dispose(): void {
		this.#watcher?.close();
		this.#changed.dispose();
	}

	/** Returns whether another window has written. */
	#read(): boolean {
		const now = fileIdentity(this.#file);
		if (now === this.#seen) return false;
		this.#seen = now;
		const text = this.#content();
		if (text === this.#text) return false;
		this.#text = text;
		this.#kept = stateIn(text);
		return true;
	}

	#content(): string {
		try {
			const stats = statSync(this.#file);
			// Reading a pipe would block.
			return stats.isFile() && stats.size <= mostBytes ? readFileSync(this.#file, 'utf8') : '';
		} catch {
			return '';
		}
	}

	async #write(): Promise<void> {
		const isChanged = this.#read();
		const writing = this.#unwritten;
		this.#kept = { ...this.#kept, ...writing };
		// Set before the write: the watcher may fire before it is over.
		this.#text = sealed(fileFormat, `"state":${JSON.stringify(this.#kept)}`);
		await writeAtomically(this.#file, this.#text);
		const isNewer = ([key, value]: [string, unknown]) => writing[key] !== value;
		this.#unwritten = Object.fromEntries(Object.entries(this.#unwritten).filter(isNewer));
		if (isChanged) this.#changed.fire();
	}
}

/** A missing or damaged file is empty: its approvals are asked for again. */
function stateIn(text: string): JsonRecord {
	try {
		const content = unsealed(fileFormat, text);
		return isRecord(content) && isRecord(content.state) ? content.state : {};
	} catch {
		return {};
	}
}
