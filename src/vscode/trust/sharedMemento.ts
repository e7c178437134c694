import { type FSWatcher, mkdirSync, readFileSync, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Disposable, Memento } from 'vscode';
import { fileIdentity, sealed, unsealed, writeAtomically } from '../../common/atomicFile.ts';
import { Emitter } from '../../common/event.ts';
import { locked } from '../../common/fileLock.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';

/** Grows when the shape of the file changes; a file of another format counts as empty. */
const fileFormat = 1;
const mostBytes = 16 * 1024 * 1024;

/**
 * A memento in a file, for what every window on a workspace has to know. The editor's own `workspaceState` is read once for each window, and
 * each of them writes all of it: a window that does not know that an approval was withdrawn would write it back.
 */
export class SharedMemento implements Memento, Disposable {
	readonly #file: string;
	#kept: JsonRecord = {};
	/** Not written yet. */
	#unwritten: JsonRecord = {};
	/** Which file was read last, and what was in it. */
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
			// Not every file system can be watched: then whoever calls `refresh` finds what has changed.
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

	/** What is set holds before it is on disk. Rejects if it cannot be written. */
	update(key: string, value: unknown): Promise<void> {
		this.#unwritten = { ...this.#unwritten, [key]: value };
		this.#writing = this.#writing.catch(() => {}).then(() => this.#writeLocked());
		return this.#writing;
	}

	async #writeLocked(): Promise<void> {
		await locked(this.#file, () => this.#write());
	}

	/** Reads what other windows have written since. */
	refresh(): void {
		if (this.#read()) this.#changed.fire();
	}

	dispose(): void {
		this.#watcher?.close();
		this.#changed.dispose();
	}

	/** Whether another window has written since. */
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
			// A pipe would be waited for.
			return stats.isFile() && stats.size <= mostBytes ? readFileSync(this.#file, 'utf8') : '';
		} catch {
			return '';
		}
	}

	async #write(): Promise<void> {
		const isNews = this.#read();
		const writing = this.#unwritten;
		this.#kept = { ...this.#kept, ...writing };
		// Before it is there: it may be seen to have changed before the write is over.
		this.#text = sealed(fileFormat, `"state":${JSON.stringify(this.#kept)}`);
		await writeAtomically(this.#file, this.#text);
		const isNewer = ([key, value]: [string, unknown]) => writing[key] !== value;
		this.#unwritten = Object.fromEntries(Object.entries(this.#unwritten).filter(isNewer));
		if (isNews) this.#changed.fire();
	}
}

/** A file that is not there, or not as it was written, holds nothing: what it has approved is asked for again. */
function stateIn(text: string): JsonRecord {
	try {
		const content = unsealed(fileFormat, text);
		return isRecord(content) && isRecord(content.state) ? content.state : {};
	} catch {
		return {};
	}
}
