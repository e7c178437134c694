import { test as base, onTestFailed } from 'vitest';
import { deleteWorkspaceCopy } from '../../scripts/workspaceCopy.ts';
import { Workbench } from './workbench.ts';

/** The window that {@link test} shares, once it is open. */
let sample: Workbench | undefined;

/**
 * `test` with the workbench on a copy of the example workspace. The files in `sample/` that a worker runs share one window, one after
 * the other, and each finds it as good as new: opening takes longer than most of them.
 */
export const test = workbenchTest(async () => {
	if (sample && !sample.page.isClosed()) {
		await sample.restore();
		return sample;
	}
	// What one file has the extension learn must not change what another sees.
	const opened = await Workbench.open({ settings: { 'mcpDiscovery.learnFromUse': false } });
	// No file knows that it is the last one.
	process.once('exit', () => deleteWorkspaceCopy(opened.folder));
	sample = opened;
	return opened;
});

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
				onCleanup(async () => {
					if (workbench !== sample) await workbench[Symbol.asyncDispose]();
				});
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
