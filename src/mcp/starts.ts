import { abortable } from '../common/cancellation.ts';
import type { Clock } from '../common/clock.ts';
import type { McpLimits } from './limits.ts';

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

/**
 * How long to wait before the next start, or `undefined` when it is time to give up.
 *
 * @param failures failures in a row, 1 after the first
 * @param random from 0 to 1, spreads the wait by ± `restartJitter`
 * @param askedMs what the server itself asks us to wait at least; it may ask for `longestRetryAfterMs`
 */
export function restartDelayMs(
	failures: number,
	random: number,
	limits: Pick<McpLimits, 'restartDelaysMs' | 'restartJitter' | 'longestRetryAfterMs'>,
	askedMs = 0,
): number | undefined {
	const delay = limits.restartDelaysMs[failures - 1];
	if (delay === undefined) return undefined;
	const ours = Math.round(delay * (1 + limits.restartJitter * (2 * random - 1)));
	return Math.max(ours, Math.min(askedMs, limits.longestRetryAfterMs));
}
