import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SECOND_MS = 1_000;

/**
 * Files that start before the others, in this order: what takes longest, so that the others run beside it, and what shares a window, which other
 * files close.
 */
const FIRST = [
	/[\\/]servers[\\/]faults[\\/]faults/,
	/[\\/]browser[\\/]sample[\\/]firstMinute/,
	/[\\/]browser[\\/]folder/,
	/[\\/]browser[\\/]sample[\\/]/,
];

/** Vitest would start large files first. */
class InOrder extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification) =>
			[...FIRST, /^/].findIndex((which) => which.test(moduleId));
		return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
	}
}

type Project = Exclude<TestProjectInlineConfiguration['test'], undefined>;

/** Tests in Node. The limits only have to be longer than a busy machine takes. */
function node(name: string, settings: Project): TestProjectInlineConfiguration {
	return {
		test: {
			name,
			include: [`test/${name}/**/*.test.ts`],
			// Node reads our TypeScript itself. Transforming every module first took a third of the time.
			experimental: { viteModuleRunner: false },
			expect: { poll: { timeout: 20 * SECOND_MS } },
			testTimeout: 180 * SECOND_MS,
			hookTimeout: 180 * SECOND_MS,
			...settings,
		},
	};
}

/**
 * Tests without processes: they share their modules, because loading those takes longer than the tests do, and pure code leaves nothing
 * behind that another file could see. Not in threads: their stack is larger than that of the editor's process, and would hide what overflows it.
 */
const PURE: Project = {
	isolate: false,
	// By default, vitest leaves one of two cores to its own process, which has little to do.
	maxWorkers: '100%',
	globalSetup: ['test/effort.ts'],
	setupFiles: ['test/effort.ts'],
};

/** Tests of servers as processes, which wait a third of the time. */
const PROCESSES: Project = {
	maxWorkers: Math.ceil(availableParallelism() * 1.5),
	globalSetup: ['test/processes.setup.ts'],
};

/** Kinds of test, by what they need: nothing, many made-up inputs, model providers on loopback, inputs that others wrote, servers as processes, VS Code. */
export default defineConfig({
	test: {
		sequence: { sequencer: InOrder },
		projects: [
			node('unit', { ...PURE, setupFiles: ['test/effort.ts', 'test/unit/vscode/editor.setup.ts'] }),
			node('properties', PURE),
			node('providers', PURE),
			node('world', PURE),
			node('servers', PROCESSES),
			{
				test: {
					name: 'browser',
					include: ['test/browser/**/*.test.ts'],
					expect: { poll: { timeout: 30 * SECOND_MS, interval: 100 } },
					testTimeout: 300 * SECOND_MS,
					hookTimeout: 180 * SECOND_MS,
					// A window takes about a core, half of it in the browser, and a gigabyte. All files of a worker share a VS Code and a browser.
					maxWorkers: Math.min(2, availableParallelism()),
					isolate: false,
					sequence: { groupOrder: 1 },
					// In CI, a test that a busy machine has upset gets a second try. Vitest names it.
					retry: process.env.CI ? 1 : 0,
					globalSetup: ['test/browser/globalSetup.ts'],
				},
			},
		],
	},
});
