import type { Clock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import type { McpLimits } from '../limits.ts';

type QueueLimits = Pick<McpLimits, 'listChangedQuietMs' | 'listChangedMaxWaitMs' | 'listChangedIntervalMs'>;

/** When announcements are to be followed: after some quiet, but not for ever, and not too often. Times in ms. */
export function refreshAt(
	times: { readonly firstAnnounced: number; readonly lastAnnounced: number; readonly lastRefresh: number },
	limits: QueueLimits,
): number {
	const quiet = times.lastAnnounced + limits.listChangedQuietMs;
	const patience = times.firstAnnounced + limits.listChangedMaxWaitMs;
	return Math.max(Math.min(quiet, patience), times.lastRefresh + limits.listChangedIntervalMs);
}

/** Runs a refresh: one in flight and at most one queued, however many ask for it. */
export class RefreshQueue implements Disposable {
	readonly #run: () => Promise<void>;
	readonly #clock: Clock;
	readonly #limits: QueueLimits;
	#running: Promise<void> | undefined;
	#queued: Promise<void> | undefined;
	#firstAnnounced: number | undefined;
	#lastRefresh = Number.NEGATIVE_INFINITY;
	#timer: (Disposable & { readonly at: number }) | undefined;

	/** @param run the refresh; it must not reject */
	constructor(run: () => Promise<void>, clock: Clock, limits: QueueLimits) {
		this.#run = run;
		this.#clock = clock;
		this.#limits = limits;
	}

	/** The server says that its list has changed. */
	announce(): void {
		const now = this.#clock.now();
		this.#firstAnnounced ??= now;
		const times = {
			firstAnnounced: this.#firstAnnounced,
			lastAnnounced: now,
			lastRefresh: this.#lastRefresh,
		};
		const at = refreshAt(times, this.#limits);
		// A timer that is set for that time stays: replaced with every announcement of a flood, it might never run.
		if (at === this.#timer?.at) return;
		this.#timer?.dispose();
		const timer = this.#clock.after(Math.max(0, at - now), () => {
			this.dispose();
			void this.refresh();
		});
		this.#timer = { at, dispose: () => timer.dispose() };
	}

	/** Refreshes; a run under way may have missed what the caller knows of, so another follows it. */
	refresh(): Promise<void> {
		if (!this.#running) return this.#start();
		this.#queued ??= this.#running.then(() => {
			this.#queued = undefined;
			return this.#start();
		});
		return this.#queued;
	}

	/** Refreshes, or joins a run under way. */
	join(): Promise<void> {
		return this.#running ?? this.#start();
	}

	/** Forgets what was announced. */
	dispose(): void {
		this.#timer?.dispose();
		this.#timer = undefined;
		this.#firstAnnounced = undefined;
	}

	#start(): Promise<void> {
		this.#lastRefresh = this.#clock.now();
		this.#running = this.#run().finally(() => {
			this.#running = undefined;
			this.#lastRefresh = this.#clock.now();
		});
		return this.#running;
	}
}
