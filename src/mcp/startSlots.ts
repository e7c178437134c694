import { abortable } from '../discovery/cancellation.ts';
import type { Clock } from './clock.ts';

/**
 * Places for servers that start, so that not all of them do at once. A place is given back after `holdMs` at the
 * latest: a server that hangs holds up nobody.
 */
export class StartSlots {
	readonly #clock: Clock;
	readonly #holdMs: number;
	readonly #waiting: (() => void)[] = [];
	#free: number;

	constructor(clock: Clock, limits: { readonly concurrentStarts: number; readonly startSlotMs: number }) {
		this.#clock = clock;
		this.#free = limits.concurrentStarts;
		this.#holdMs = limits.startSlotMs;
	}

	/** Resolves with what gives the place back (once or oftener). Rejects with the signal's reason. */
	async acquire(signal: AbortSignal): Promise<() => void> {
		signal.throwIfAborted();
		if (this.#free > 0) {
			this.#free -= 1;
		} else {
			const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
			try {
				await abortable(turn, signal);
			} catch (error) {
				// Its turn still comes; it goes on to the next.
				void turn.then(() => this.#release());
				throw error;
			}
		}
		return this.#hold();
	}

	#hold(): () => void {
		let held = true;
		const release = () => {
			if (!held) return;
			held = false;
			timer.dispose();
			this.#release();
		};
		const timer = this.#clock.after(this.#holdMs, release);
		return release;
	}

	#release(): void {
		const next = this.#waiting.shift();
		if (next) next();
		else this.#free += 1;
	}
}
