import { test as base, onTestFailed } from 'vitest';
import { deleteWorkspaceCopy } from '../../scripts/workspaceCopy.ts';
import { Workbench } from './workbench.ts';

/** The window that {@link test} shares. */
let sample: Workbench | undefined;

/**
 * `test` with a workbench on a copy of the sample. All files in `sample/` that a worker runs share one window, because opening one takes
 * longer than most of them. Each finds it restored.
 */
export const test = workbenchTest(async () => {
	if (!sample || sample.page.isClosed()) return openSample({ isNew: false });
	await sample.restore();
	return sample;
});

/** `test` with a new window on the sample, where nothing is approved. The files that follow share it. */
export const firstTest = workbenchTest(() => openSample({ isNew: true }));

async function openSample({ isNew }: { readonly isNew: boolean }): Promise<Workbench> {
	const opened = await Workbench.open({
		approveServers: !isNew,
		// What one file has the extension learn must not change what another sees.
		settings: { 'mcpDiscovery.learnFromUse': false },
	});
	await opened.openSidebar('Discovery');
	// No file knows whether it is the last one.
	process.once('exit', () => deleteWorkspaceCopy(opened.folder));
	sample = opened;
	return opened;
}

/** `test` with a workbench that opens once for all tests of a file. A failed test leaves test-results/FAILED-its-name.png. */
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
