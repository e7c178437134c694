/** Changes come in bursts: what follows them is drawn once, so long after the first. */
export class Throttle {
	readonly #run: () => void;
	readonly #delayMs: number;
	#timer: NodeJS.Timeout | undefined;

	constructor(run: () => void, delayMs: number) {
		this.#run = run;
		this.#delayMs = delayMs;
	}

	/** Has it run soon, unless it will anyway. */
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

/** What follows the last of many changes; each thing that changes has a wait of its own, so that none takes another's. */
export class Debounce {
	readonly #delayMs: number;
	/** By what they are for. */
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

/** What views show is drawn at most this often. */
export const redrawEveryMs = 100;
