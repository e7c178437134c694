import { run } from './childProcess.ts';
import { isInstalled } from './lockfile.mjs';
import { EXAMPLE_WORKSPACE } from './projectPaths.ts';

/** Installs the MCP servers of the example workspace, unless they are there in the versions of its lock file. */
export async function ensureExampleServers(): Promise<void> {
	if (isInstalled(EXAMPLE_WORKSPACE)) return;
	console.log('Installing the MCP servers of examples/workspace …');
	// None of them needs its install scripts, so none gets to run one.
	await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd: EXAMPLE_WORKSPACE,
		output: 'pipe',
	});
}
