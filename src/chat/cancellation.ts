/** Thrown where work was given up because its signal aborted. */
export class CancelledError extends Error {
	constructor() {
		super('Cancelled');
		this.name = 'CancelledError';
	}
}

/**
 * The promise's outcome, or a {@link CancelledError} as soon as `signal` aborts, whether or not what is behind the promise
 * listens to the signal itself.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	if (signal.aborted) {
		promise.catch(() => undefined);
		return Promise.reject(new CancelledError());
	}
	return new Promise((resolve, reject) => {
		const abort = () => reject(new CancelledError());
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

/** The items of a stream until `signal` aborts, then a {@link CancelledError}; the stream is told, but not waited for. */
export async function* abortableStream<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
	const iterator = stream[Symbol.asyncIterator]();
	let ended = false;
	try {
		for (;;) {
			if (signal.aborted) throw new CancelledError();
			const next = await abortable(iterator.next(), signal);
			if (next.done) {
				ended = true;
				return;
			}
			yield next.value;
		}
	} finally {
		if (!ended) iterator.return?.()?.catch(() => undefined);
	}
}
