import { test as base, onTestFailed } from 'vitest';
import { Workbench } from './workbench.ts';

/** `test` with a workbench on a copy of the example workspace. */
export const test = workbenchTest(() => Workbench.open());

/**
 * `test` with a workbench that is opened once for all tests of a file; a test that fails leaves
 * test-results/FAILED-its-name.png.
 */
export function workbenchTest(open: () => Promise<Workbench>) {
	return (
		base
			// biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures it needs from this pattern
			.extend('sharedWorkbench', { scope: 'file' }, async ({}, { onCleanup }) => {
				const workbench = await open();
				onCleanup(() => workbench[Symbol.asyncDispose]());
				return workbench;
			})
			.extend('workbench', async ({ sharedWorkbench, task }) => {
				onTestFailed(async () => {
					await sharedWorkbench.screenshot(`FAILED-${task.name}`);
				});
				return sharedWorkbench;
			})
	);
}
