import type { Clock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';
import type { McpLimits } from '../limits.ts';

type QueueLimits = Pick<McpLimits, 'listChangedQuietMs' | 'listChangedMaxWaitMs' | 'listChangedIntervalMs'>;

/** Runs refreshes: one in flight and at most one queued, however many callers there are. */
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

	/** The server says that its list has changed. It is fetched after some quiet, but not endlessly later, and not too often. */
	announce(): void {
		const { listChangedQuietMs, listChangedMaxWaitMs, listChangedIntervalMs } = this.#limits;
		const now = this.#clock.now();
		this.#firstAnnounced ??= now;
		const quiet = Math.min(now + listChangedQuietMs, this.#firstAnnounced + listChangedMaxWaitMs);
		const at = Math.max(quiet, this.#lastRefresh + listChangedIntervalMs);
		// Keep a timer that is set for the same time: if every announcement of a flood replaced it, it might never run.
		if (at === this.#timer?.at) return;
		this.#timer?.dispose();
		const timer = this.#clock.after(Math.max(0, at - now), () => {
			this.dispose();
			void this.refresh();
		});
		this.#timer = { at, dispose: () => timer.dispose() };
	}

	/** Refreshes. A refresh in flight may have missed what the caller knows, so another one follows. */
	refresh(): Promise<void> {
		if (!this.#running) return this.#start();
		this.#queued ??= this.#running.then(() => {
			this.#queued = undefined;
			return this.#start();
		});
		return this.#queued;
	}

	/** Refreshes, or joins the refresh in flight. */
	join(): Promise<void> {
		return this.#running ?? this.#start();
	}

	/** Forgets announcements. */
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
