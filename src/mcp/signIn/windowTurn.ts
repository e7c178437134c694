import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How often a window looks whether its turn has come. */
const lookMs = 25;
/** A holder of more than this has died: its requests end long before. */
const longestHoldMs = 60_000;

/**
 * Has one piece of work at a time done by all windows of this machine, each piece under a name. Secret storage has no lock, and a refresh
 * token that two windows use at once ends the sign-in where the issuer takes the second use for a theft.
 *
 * What one window stores reaches the storage of the others only after a while. So beside the lock stands a number: how often the
 * record was written. A window whose turn has come knows by it whether what it reads is the latest.
 */
export class WindowTurns {
	readonly #folder: string;
	/** Within this window nobody need look at the disk. */
	readonly #queues = new Map<string, Promise<unknown>>();

	constructor(folder: string) {
		this.#folder = folder;
	}

	/**
	 * @param name whose turn it is; made of letters, digits and hyphens, as `record` is
	 * @param record what is read and written
	 */
	take<T>(name: string, record: string, work: (generation: Generation) => Promise<T>): Promise<T> {
		const before = this.#queues.get(name) ?? Promise.resolve();
		const turn = before.then(() => this.#locked(name, record, work));
		const settled = turn.then(
			() => {},
			() => {},
		);
		this.#queues.set(name, settled);
		void settled.then(() => {
			if (this.#queues.get(name) === settled) this.#queues.delete(name);
		});
		return turn;
	}

	async #locked<T>(name: string, record: string, work: (generation: Generation) => Promise<T>): Promise<T> {
		const lock = join(this.#folder, `${name}.lock`);
		// A disk that cannot be written must not keep anybody from working; then only this window's turns are in order.
		await mkdir(this.#folder, { recursive: true, mode: 0o700 })
			.then(() => this.#acquire(lock))
			.catch(() => {});
		const file = join(this.#folder, `${record}.generation`);
		try {
			const latest = Number.parseInt(await readFile(file, 'utf8').catch(() => '0'), 10);
			return await work({
				latest: Number.isSafeInteger(latest) ? latest : 0,
				wrote: (generation) => writeFile(file, String(generation), { mode: 0o600 }).catch(() => {}),
			});
		} finally {
			await rm(lock, { force: true });
		}
	}

	async #acquire(lock: string): Promise<void> {
		for (;;) {
			try {
				const file = await open(lock, 'wx', 0o600);
				await file.close();
				return;
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
			}
			const taken = await stat(lock).catch(() => undefined);
			if (taken && Date.now() - taken.mtimeMs > longestHoldMs) await this.#breakOpen(lock);
			else await delay(lookMs);
		}
	}

	/** Of several windows that find a dead one's lock, one moves it away; the others look again. */
	async #breakOpen(lock: string): Promise<void> {
		const aside = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`;
		await rename(lock, aside).catch(() => {});
		await rm(aside, { force: true });
	}
}

/** How often a record was written, by whichever window. */
export interface Generation {
	readonly latest: number;
	/** Notes that the record of this generation is stored now. */
	wrote(generation: number): Promise<void>;
}
