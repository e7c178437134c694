import type { Disposable } from './event.ts';

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. `work` itself continues. */
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
 * A signal for one piece of work that aborts with the first of `sources`, with its reason. Dispose it when the work is done: it then never aborts and is
 * not retained.
 *
 * Use it instead of `AbortSignal.any`: such a signal stays in memory with everything its listeners hold as long as one of its sources lives, and
 * consumers seldom remove their listeners. Measured with Node 24.21: of 20,000 such signals over one long-lived source, all 20,000 survive a garbage
 * collection. See https://github.com/nodejs/node/issues/54614.
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
