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
 * A signal for one piece of work: aborts when the first of `sources` does, with its reason. To be disposed when the work is over: then
 * it never aborts any more, and nothing holds it. Not `AbortSignal.any`: the runtime keeps such a signal, with all that its listeners
 * hold, for as long as it has a listener, and whoever works with a signal seldom takes theirs away.
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
