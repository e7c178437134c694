/**
 * Something that is loaded when it is first asked for. A failure is not remembered: code that could not be read, as while the extension is
 * being updated under an open window, is loaded again the next time.
 */
export class Lazy<T> {
	readonly #load: () => Promise<T>;
	#loaded: Promise<T> | undefined;

	constructor(load: () => Promise<T>) {
		this.#load = load;
	}

	/** Loads it, or waits for it where it is being loaded already. */
	get(): Promise<T> {
		if (!this.#loaded) {
			const loading = this.#load();
			this.#loaded = loading;
			loading.catch(() => {
				if (this.#loaded === loading) this.#loaded = undefined;
			});
		}
		return this.#loaded;
	}

	/** Disposes of what was loaded, if anything was. */
	dispose(): void {
		this.#loaded?.then(
			(loaded) => {
				if (isDisposable(loaded)) loaded.dispose();
			},
			// Whoever has asked for it was told.
			() => undefined,
		);
	}
}

function isDisposable(value: unknown): value is { dispose(): void } {
	return (
		typeof value === 'object' && value !== null && 'dispose' in value && typeof value.dispose === 'function'
	);
}
