import type { Clock } from '../../../src/common/clock.ts';

/** A clock whose time passes when the test says so. */
export class FakeClock implements Clock {
	#now = 0;
	#timers: { readonly at: number; readonly run: () => void }[] = [];

	now(): number {
		return this.#now;
	}

	after(ms: number, run: () => void): { dispose(): void } {
		const timer = { at: this.#now + ms, run };
		this.#timers.push(timer);
		return {
			dispose: () => {
				this.#timers = this.#timers.filter((other) => other !== timer);
			},
		};
	}

	/** Lets time pass: first runs what is already due, then the timers in order, each with what follows from it. */
	async pass(ms: number): Promise<void> {
		const end = this.#now + ms;
		await new Promise((resolve) => setImmediate(resolve));
		for (let next = this.#nextBefore(end); next; next = this.#nextBefore(end)) {
			this.#timers = this.#timers.filter((timer) => timer !== next);
			this.#now = next.at;
			next.run();
			await new Promise((resolve) => setImmediate(resolve));
		}
		this.#now = end;
	}

	#nextBefore(end: number): { readonly at: number; readonly run: () => void } | undefined {
		return this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
	}
}
