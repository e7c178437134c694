import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Disposable, Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { SharedFile } from '../../common/sharedFile.ts';

const mostBytes = 16 * 1024 * 1024;

/**
 * A memento in a file that all windows on a workspace share. VS Code reads its own `workspaceState` once per window, and each window writes all of
 * it: a window that does not know that an approval was revoked would restore it.
 */
export class SharedMemento implements Memento, Disposable {
	readonly #file: SharedFile;
	#kept: JsonRecord = {};
	/** Not written yet. */
	#unwritten: JsonRecord = {};
	#writing: Promise<void> = Promise.resolve();
	#watcher: FSWatcher | undefined;
	readonly #changed = new Emitter<void>();
	/** Another window has written. */
	readonly onDidChange = this.#changed.event;

	constructor(path: string) {
		this.#file = new SharedFile(path, mostBytes);
		try {
			mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
			this.#watcher = watch(dirname(path), { persistent: false }, () => this.refresh());
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
		this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
		return this.#writing;
	}

	/** Reads what other windows have written. */
	refresh(): void {
		const content = this.#file.read();
		if (content === 'unchanged') return;
		// A missing or damaged file is empty: its approvals are asked for again.
		this.#kept = content !== 'unreadable' && isRecord(content.state) ? content.state : {};
		this.#changed.fire();
	}

	dispose(): void {
		this.#watcher?.close();
		this.#changed.dispose();
	}

	async #write(): Promise<void> {
		let writing: JsonRecord = {};
		await this.#file.write(() => {
			this.refresh();
			writing = this.#unwritten;
			this.#kept = { ...this.#kept, ...writing };
			return `"state":${JSON.stringify(this.#kept)}`;
		});
		const isNewer = ([key, value]: [string, unknown]) => writing[key] !== value;
		this.#unwritten = Object.fromEntries(Object.entries(this.#unwritten).filter(isNewer));
	}
}
