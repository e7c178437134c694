/** Lets the extension host do what waits for it, between two steps of long work. */
export function pause(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
