/**
 * Loads something when it is first asked for, and then no more. A failure is not remembered: code that could not be read, as while the
 * extension is being updated under an open window, is loaded again the next time.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
	let loaded: Promise<T> | undefined;
	return () => {
		loaded ??= load().catch((error: unknown) => {
			loaded = undefined;
			throw error;
		});
		return loaded;
	};
}
