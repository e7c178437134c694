import { abortable } from '../discovery/cancellation.ts';

/** The items of a stream until `signal` aborts, then its reason is thrown; the stream is told, but not waited for. */
export async function* abortableStream<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
	const iterator = stream[Symbol.asyncIterator]();
	let ended = false;
	try {
		for (;;) {
			signal.throwIfAborted();
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
