import type { Disposable } from './event.ts';

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. `work` itself goes on. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return work;
	return new Promise<T>((resolve, reject) => {
		const onAbort = () => reject(signal.reason);
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
	});
}

/**
 * A signal for one piece of work: aborts when the first of `sources` does, with its reason. Dispose it when the work is over: then it never
 * aborts any more, and nothing holds it.
 *
 * Use it in place of `AbortSignal.any`. A signal of that which has a listener stays in memory, with all that the listener holds, for as
 * long as one of its sources lives, and what works with a signal seldom removes its listener. Measured with Node 24.21: of 20,000 such
 * signals over one long-lived source, all 20,000 are left after a collection. See https://github.com/nodejs/node/issues/54614.
 */
export class JoinedSignal implements Disposable {
	readonly #controller = new AbortController();
	readonly #leave: (() => void)[] = [];

	constructor(...sources: readonly AbortSignal[]) {
		for (const source of sources) {
			const onAbort = () => this.#controller.abort(source.reason);
			if (source.aborted) onAbort();
			else source.addEventListener('abort', onAbort, { once: true });
			this.#leave.push(() => source.removeEventListener('abort', onAbort));
		}
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	dispose(): void {
		for (const leave of this.#leave.splice(0)) leave();
	}
}
