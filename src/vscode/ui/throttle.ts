/** Runs something at most once in so many milliseconds: changes come in bursts, and views are drawn once for each burst. */
export class Throttle {
	readonly #run: () => void;
	readonly #delayMs: number;
	#timer: NodeJS.Timeout | undefined;

	constructor(run: () => void, delayMs: number) {
		this.#run = run;
		this.#delayMs = delayMs;
	}

	/** Has it run after the delay, counted from the first request since it last ran. */
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

/** Runs something once no change has come for a while; each key has a wait of its own. */
export class Debounce {
	readonly #delayMs: number;
	/** By key. */
	readonly #timers = new Map<string, NodeJS.Timeout>();

	constructor(delayMs: number) {
		this.#delayMs = delayMs;
	}

	/** Has `run` run after the wait, in place of what was requested for the same `key` before. */
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

/** How often views are redrawn at most, in milliseconds. */
export const redrawEveryMs = 100;
