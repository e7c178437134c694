/**
 * Calls `load` on first use and caches the promise. A rejection is not cached: a chunk that could not be read while the extension was being
 * updated under an open window is loaded again on the next use.
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
