import { expect } from 'vitest';

const patience = { timeout: 30_000, interval: 100 };

/** Expects something of a value that takes its time to become so. */
export function eventually<T>(look: () => Promise<T>): ReturnType<typeof expect.poll<T>> {
	return expect.poll(look, patience);
}
