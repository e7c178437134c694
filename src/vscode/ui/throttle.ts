/** Runs something at most once per interval: changes come in bursts, and views are drawn once per burst. */
export class Throttle {
	readonly #run: () => void;
	readonly #delayMs: number;
	#timer: NodeJS.Timeout | undefined;

	constructor(run: () => void, delayMs: number) {
		this.#run = run;
		this.#delayMs = delayMs;
	}

	/** Runs after the delay, counted from the first request since the last run. */
	request(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#run();
		}, this.#delayMs);
	}

	dispose(): void {
		clearTimeout(this.#timer);
	}
}

/** Runs something when no request has come for a while, separately for each key. */
export class Debounce {
	readonly #delayMs: number;
	readonly #timers = new Map<string, NodeJS.Timeout>();

	constructor(delayMs: number) {
		this.#delayMs = delayMs;
	}

	/** Replaces an earlier request with the same key. */
	request(key: string, run: () => void): void {
		clearTimeout(this.#timers.get(key));
		const timer = setTimeout(() => {
			this.#timers.delete(key);
			run();
		}, this.#delayMs);
		this.#timers.set(key, timer);
	}

	dispose(): void {
		for (const timer of this.#timers.values()) clearTimeout(timer);
	}
}

/** Shortest time between redraws of a view, in milliseconds. */
export const redrawEveryMs = 100;
