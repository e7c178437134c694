import { dirname } from 'node:path';
import { writeAtomically } from './atomicFile.ts';
import type { Clock } from './clock.ts';
import { type Disposable, Emitter } from './event.ts';
import { locked } from './fileLock.ts';
import type { SealedText, StoredFormat } from './sealedJson.ts';
import {
	fileIdentity,
	makeReplaceable,
	missingFile,
	problemOf,
	readStored,
	readStoredNow,
	type StoredReading,
	sealedFor,
} from './storedFile.ts';
import { Turns } from './turns.ts';
import { watchFolder } from './watchFolder.ts';

export interface StoredJsonParts<T> {
	readonly path: string;
	readonly format: StoredFormat<T>;
	/** The value before anything was stored. */
	readonly nothing: T;
	/** The value after the file was lost; absent: `nothing`. `lastValue`: the last one. */
	readonly afterLoss?: (lastValue: T, loss: 'missing' | 'damaged') => T;
	readonly clock: Clock;
	/** The file cannot be used, or could not be written when nobody waited for that. For a log. */
	readonly onProblem?: (problem: unknown) => void;
}

/** Makes the next value of the latest one, which other windows may have written. It may be repeated on its own result. */
type Change<T> = (latest: T) => T;

/** A file that cannot be read is tried again in the background, with twice the wait each time. In milliseconds. */
const firstRetryMs = 500;
const maxRetryMs = 60_000;

/**
 * A value in a file that several windows read and write.
 *
 * Nothing is lost: a change is a function, which is applied to what other windows have written meanwhile, under a lock. A file that cannot be read is
 * not empty. What is known stays, nothing is written, and reading is tried again. See {@link StoredFormat} for files of newer versions, and
 * {@link makeReplaceable} for damaged ones.
 */
export class StoredJson<T> implements Disposable {
	readonly #parts: StoredJsonParts<T>;
	readonly #changed = new Emitter<void>();
	/** Another window has changed the value, or {@link update} has. */
	readonly onDidChange = this.#changed.event;
	/** What was found when the file could last be read. */
	#reading: StoredReading<T> | undefined;
	/** Since then it cannot be read. */
	#failure: StoredReading<T> | undefined;
	/** The identity of the file that was read last, and the checksum of what it contained. */
	#identity: string | undefined;
	#sum: string | undefined;
	#stored: T;
	/** With what is not written yet. */
	#value: T;
	#isKnown = false;
	/** Not written yet, by subject. */
	#changes = new Map<unknown, Change<T>>();
	readonly #turns = new Turns();
	/** Has not begun. */
	#nextLoad: Promise<void> | undefined;
	#retries = 0;
	#retry: Disposable | undefined;
	#delayed: Disposable | undefined;
	#watcher: Disposable | undefined;
	#isDisposed = false;

	constructor(parts: StoredJsonParts<T>) {
		this.#parts = parts;
		this.#stored = parts.nothing;
		this.#value = parts.nothing;
	}

	get value(): T {
		return this.#value;
	}

	/** Whether it is known what the file contains. Otherwise `value` has only what this window has added. */
	get isKnown(): boolean {
		return this.#isKnown;
	}

	/** Whether the file was damaged when it was read last, and nothing was written since. */
	get isDamaged(): boolean {
		return this.#reading?.kind === 'damaged';
	}

	/** Reads what other windows have written, at once: for small files that decide something now. Returns whether it was news; fires no event. */
	refresh(): boolean {
		const { path, format } = this.#parts;
		return this.#take(readStoredNow(path, format, this.#identity));
	}

	/** Reads what other windows have written. Never rejects: see {@link isKnown}. */
	load(): Promise<void> {
		this.#nextLoad ??= this.#turns.run(async () => {
			this.#nextLoad = undefined;
			if (await this.#readLatest()) this.#changed.fire();
		});
		return this.#nextLoad;
	}

	/**
	 * Changes the value at once, without an event; {@link save} writes it. The change must give the same result on its own result: it is repeated if
	 * other windows have written. It replaces an unwritten change about the same subject.
	 */
	change(change: Change<T>, subject: unknown = change): void {
		this.#changes.delete(subject);
		this.#changes.set(subject, change);
		this.#value = change(this.#value);
	}

	/** Writes all changes. Rejects if that fails; then they stay in effect here, and are part of the next write. */
	save(): Promise<void> {
		this.#delayed?.dispose();
		return this.#turns.run(() => this.#write());
	}

	/** Writes all changes when nothing has changed for a while. Nobody waits for it. */
	saveSoon(quietMs: number): void {
		this.#delayed?.dispose();
		this.#delayed = this.#parts.clock.after(quietMs, () => void this.#saveUnattended());
	}

	/** Changes the value at once, which fires an event, and writes it. */
	update(change: Change<T>): Promise<void> {
		this.change(change);
		this.#changed.fire();
		return this.save();
	}

	/** Reads what other windows write as soon as the file system reports it. */
	watch(): void {
		this.#watcher = watchFolder(dirname(this.#parts.path), () => void this.load());
	}

	dispose(): void {
		this.#isDisposed = true;
		this.#watcher?.dispose();
		this.#retry?.dispose();
		this.#delayed?.dispose();
		this.#changed.dispose();
	}

	async #readLatest(): Promise<boolean> {
		const { path, format } = this.#parts;
		return this.#take(await readStored(path, format, this.#identity));
	}

	/** Returns whether the file contained news. */
	#take(reading: StoredReading<T>): boolean {
		const [previous, failure] = [this.#reading, this.#failure];
		this.#failure = reading.kind === 'unreadable' ? reading : undefined;
		if (reading.kind === 'unreadable') {
			if (!failure) this.#reportOf(reading);
			this.#tryAgain();
			return false;
		}
		this.#retries = 0;
		if (reading.kind === 'unchanged') return false;
		this.#reading = reading;
		if (reading.kind !== previous?.kind) this.#reportOf(reading);
		this.#identity = reading.kind === 'missing' ? missingFile : reading.identity;
		if (reading.kind === 'newer') return false;
		const wasKnown = this.#isKnown;
		this.#isKnown = true;
		const sum = reading.kind === 'value' ? reading.sum : undefined;
		if (wasKnown && sum !== undefined && sum === this.#sum) return false;
		this.#sum = sum;
		this.#stored = reading.kind === 'value' ? reading.value : this.#afterLoss(reading.kind);
		this.#value = this.#withChanges();
		return previous !== undefined || failure !== undefined || reading.kind !== 'missing';
	}

	#reportOf(reading: StoredReading<T>): void {
		const problem = problemOf(this.#parts.path, reading);
		if (problem) this.#parts.onProblem?.(problem);
	}

	#afterLoss(loss: 'missing' | 'damaged'): T {
		const { afterLoss, nothing } = this.#parts;
		return afterLoss ? afterLoss(this.#stored, loss) : nothing;
	}

	#withChanges(): T {
		return [...this.#changes.values()].reduce((latest, change) => change(latest), this.#stored);
	}

	#tryAgain(): void {
		if (this.#retry || this.#isDisposed) return;
		const ms = Math.min(firstRetryMs * 2 ** this.#retries++, maxRetryMs);
		this.#retry = this.#parts.clock.after(ms, () => void this.#loadAgain());
	}

	async #loadAgain(): Promise<void> {
		this.#retry = undefined;
		await this.load();
		if (!this.#failure) await this.#saveUnattended();
	}

	#saveUnattended(): Promise<void> {
		return this.save().catch((problem: unknown) => this.#parts.onProblem?.(problem));
	}

	async #write(): Promise<void> {
		if (this.#changes.size === 0) return;
		const { path } = this.#parts;
		await locked(path, async () => {
			if (await this.#readLatest()) this.#changed.fire();
			const reading = this.#failure ?? this.#reading;
			if (reading) await makeReplaceable(path, reading);
			await this.#writeValue();
		});
	}

	async #writeValue(): Promise<void> {
		const { path } = this.#parts;
		const [value, changes, sumBefore] = [this.#value, [...this.#changes], this.#sum];
		const { text, sum } = this.#sealed(value);
		if (sum !== sumBefore) {
			// Set before the write: if the file is read before the write is over, it contains no news.
			this.#sum = sum;
			try {
				await writeAtomically(path, text);
			} catch (error) {
				this.#sum = sumBefore;
				throw error;
			}
			this.#identity = await fileIdentity(path).catch(() => '');
			this.#reading = { kind: 'value', value, sum, identity: this.#identity };
		}
		this.#stored = value;
		for (const [subject, change] of changes)
			if (this.#changes.get(subject) === change) this.#changes.delete(subject);
	}

	#sealed(value: T): SealedText {
		const { path, format } = this.#parts;
		try {
			return sealedFor(path, value, format);
		} catch (error) {
			// A change that makes the file too large would prevent all later ones.
			this.#changes.clear();
			this.#value = this.#stored;
			this.#changed.fire();
			throw error;
		}
	}
}
