import { run } from '../scripts/childProcess.ts';
import { ensure, exampleServers } from '../scripts/install/install.mjs';
import { PROJECT_NODE } from '../scripts/projectPaths.ts';

/**
 * Once for all tests with real servers: the published ones that the example workspace uses, and the bundles of what tests start as processes,
 * which are a third of the work of starting them from the sources.
 */
export async function setup(): Promise<void> {
	await ensure(exampleServers);
	if (process.env.TESTS_ARE_BUILT) return;
	await run(PROJECT_NODE, ['esbuild.mjs', '--tests'], { output: 'pipe' });
	// For the other projects of the same run.
	process.env.TESTS_ARE_BUILT = '1';
}
