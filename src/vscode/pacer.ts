/** Changes come in bursts: what follows them is drawn once, so long after the first. */
export class Pacer {
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

/** What views show is drawn at most this often. */
export const redrawEveryMs = 100;
