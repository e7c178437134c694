import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { type Deadlines, Sandbox } from '../../../src/sandbox/sandbox.ts';

export const workerScript = fileURLToPath(new URL('../../../dist/sandbox.js', import.meta.url));

/** Deadlines that a test can afford to reach, and that normal code does not reach. */
export const shortDeadlines: Deadlines = { validateMs: 250, renderMs: 250 };
/** For tests whose result must not depend on the machine's load. */
export const longDeadlines: Deadlines = { validateMs: 20_000, renderMs: 20_000 };

/** A real sandbox in its own process, gone after the file's tests. */
export function sandboxForTests(deadlines: Deadlines): Sandbox {
	const sandbox = new Sandbox(workerScript, deadlines);
	afterAll(() => sandbox.dispose());
	return sandbox;
}
