import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SECOND_MS = 1_000;

/** What a test waits for comes within this; only a busy machine takes as long. */
const PATIENT = { poll: { timeout: 20 * SECOND_MS } };

/** Windows that browser tests have at a time; each takes about a gigabyte. */
const browserWorkers = Math.min(2, availableParallelism());

/** Workers for tests of servers: each waits for its servers a third of the time, and longer for those that are to hang. */
const waitingWorkers = Math.ceil(availableParallelism() * 1.5);

const SHARE_A_WINDOW = /[\\/]browser[\\/]sample[\\/]/;

/** Files that share a window come one after the other, before those which would close it; else vitest's own order. */
class TogetherFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const apart = (file: TestSpecification) => Number(!SHARE_A_WINDOW.test(file.moduleId));
		return (await super.sort(files)).toSorted((a, b) => apart(a) - apart(b));
	}
}

/** Kinds of test, by what they need: nothing, thousands of made-up inputs, model providers on loopback, servers as processes, the loop over both, VS Code. */
export default defineConfig({
	test: {
		sequence: { sequencer: TogetherFirst },
		projects: [
			{
				test: {
					name: 'unit',
					include: ['test/unit/**/*.test.ts'],
					globalSetup: ['test/effort.ts'],
					setupFiles: ['test/effort.ts'],
					// Pure code leaves nothing behind that another file could see, and loading it once saves half of the time.
					// Not in threads: their stack is larger than that of the editor's process, and would hide what overflows it.
					isolate: false,
					// Vitest would leave one of two cores to its own process, which has little to do.
					maxWorkers: '100%',
					// Node reads our TypeScript itself; to transform every module first took a third of the time.
					experimental: { viteModuleRunner: false },
					expect: PATIENT,
					// No test waits for anything: only a machine that is busy with other things makes one slow.
					testTimeout: 30 * SECOND_MS,
					hookTimeout: 30 * SECOND_MS,
				},
			},
			{
				test: {
					name: 'properties',
					include: ['test/properties/**/*.test.ts'],
					globalSetup: ['test/effort.ts'],
					setupFiles: ['test/effort.ts'],
					isolate: false,
					maxWorkers: '100%',
					experimental: { viteModuleRunner: false },
					expect: PATIENT,
					testTimeout: 180 * SECOND_MS,
				},
			},
			{
				test: {
					name: 'providers',
					include: ['test/providers/**/*.test.ts'],
					globalSetup: ['test/effort.ts'],
					setupFiles: ['test/effort.ts'],
					// The SDKs take longer to load than the tests to run: two thirds of the time.
					isolate: false,
					maxWorkers: '100%',
					experimental: { viteModuleRunner: false },
					expect: PATIENT,
					testTimeout: 180 * SECOND_MS,
				},
			},
			{
				test: {
					name: 'servers',
					include: ['test/servers/**/*.test.ts', 'test/sandbox/**/*.test.ts'],
					maxWorkers: waitingWorkers,
					experimental: { viteModuleRunner: false },
					expect: PATIENT,
					testTimeout: 180 * SECOND_MS,
					hookTimeout: 180 * SECOND_MS,
					globalSetup: ['test/processes.setup.ts'],
				},
			},
			{
				test: {
					name: 'loop',
					include: ['test/loop/**/*.test.ts'],
					maxWorkers: waitingWorkers,
					experimental: { viteModuleRunner: false },
					expect: PATIENT,
					testTimeout: 180 * SECOND_MS,
					hookTimeout: 180 * SECOND_MS,
					globalSetup: ['test/processes.setup.ts'],
				},
			},
			{
				test: {
					name: 'browser',
					include: ['test/browser/**/*.test.ts'],
					testTimeout: 300 * SECOND_MS,
					hookTimeout: 180 * SECOND_MS,
					// A window keeps one core busy, as much in the browser as in the editor's processes. The files that a worker runs
					// share an editor and a browser.
					maxWorkers: browserWorkers,
					isolate: false,
					sequence: { groupOrder: 1 },
					// Where nobody looks on, a test that the machine has upset gets a second try; vitest names it.
					retry: process.env.CI ? 1 : 0,
					globalSetup: ['test/browser/globalSetup.ts'],
				},
			},
		],
	},
});
