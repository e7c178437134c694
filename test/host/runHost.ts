// Runs the suites that need the editor's API inside VS Code's extension host: `node test/host/runHost.ts [SUITE…]`.
// The host is code-server from npm, or desktop VS Code, downloaded by @vscode/test-electron, if VSCODE_DESKTOP is set.
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { run } from '../../scripts/childProcess.ts';
import { ensure, exampleServers } from '../../scripts/install/install.mjs';
import { createProfile, deleteProfile } from '../../scripts/profile.ts';
import { PROJECT_NODE, PROJECT_ROOT, TEST_RESULTS } from '../../scripts/projectPaths.ts';
import { ensureVscodeHost } from '../../scripts/vscodeHost.ts';
import { copyWorkspace, deleteWorkspaceCopy, makeFolders } from '../../scripts/workspaceCopy.ts';

const STAND_IN = path.join(PROJECT_ROOT, 'scripts/codeExecutable.ts');
const TESTS = path.join(PROJECT_ROOT, 'dist/test/mochaRun.js');

/** The suites, by folder: whether their workspace is trusted, and whether it has several folders. */
const SUITES: Readonly<Record<string, { readonly trusted: boolean; readonly several?: true }>> = {
	suite: { trusted: true },
	folders: { trusted: true, several: true },
	restricted: { trusted: false },
};

async function findExecutable(): Promise<string> {
	if (process.env.VSCODE_DESKTOP) return downloadAndUnzipVSCode();
	await ensureVscodeHost();
	return STAND_IN;
}

async function runSuite(
	suite: string,
	{ trusted, several }: { readonly trusted: boolean; readonly several?: true },
	executable: string,
): Promise<void> {
	const profile = createProfile({ 'security.workspace.trust.startupPrompt': 'never' });
	const folder = several ? makeFolders() : await copyWorkspace();
	const env = { HOST_SUITE: suite, VSCODE_TEST_SCREENSHOT: path.join(TEST_RESULTS, `host-${suite}.png`) };
	const launchArgs = [
		folder,
		`--user-data-dir=${profile.userData}`,
		`--extensions-dir=${profile.extensions}`,
	];
	try {
		if (trusted) {
			await runTests({
				vscodeExecutablePath: executable,
				extensionDevelopmentPath: PROJECT_ROOT,
				extensionTestsPath: TESTS,
				extensionTestsEnv: env,
				launchArgs,
			});
		} else {
			// runTests takes workspace trust away, always; without it the executable is started as runTests does.
			const paths = [`--extensionDevelopmentPath=${PROJECT_ROOT}`, `--extensionTestsPath=${TESTS}`];
			await run(executable, [...launchArgs, '--no-sandbox', '--skip-welcome', ...paths], { env });
		}
	} finally {
		deleteProfile(profile);
		deleteWorkspaceCopy(folder);
	}
}

/** Runs the suites of these names, or all of them. */
async function runSuites(asked: readonly string[]): Promise<void> {
	await ensure(exampleServers);
	const executable = await findExecutable();
	// `npm test` has built all of dist before, and other stages read it by now.
	if (!process.env.TESTS_ARE_BUILT) await run(PROJECT_NODE, ['esbuild.mjs', '--tests'], { output: 'pipe' });
	for (const [suite, launch] of Object.entries(SUITES)) {
		if (asked.length === 0 || asked.includes(suite)) await runSuite(suite, launch, executable);
	}
}

try {
	await runSuites(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
