// Runs the suites that need the editor's API inside VS Code's extension host: `node test/host/runHost.ts [SUITE…]`.
// VS Code runs in a browser, or, on Windows or with VSCODE_DESKTOP set, is one that @vscode/test-electron downloads.
// `HOST_GREP` narrows it to the tests whose title contains that text.
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { run } from '../../scripts/childProcess.ts';
import { ensure, exampleServers } from '../../scripts/install/install.mjs';
import { createProfile, deleteProfile, type Profile, writeSettings } from '../../scripts/profile.ts';
import { PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { copyWorkspace, deleteWorkspaceCopy, makeFolders } from '../../scripts/workspaceCopy.ts';
import { BrowserHost } from './browserHost.ts';

const TESTS = path.join(PROJECT_ROOT, 'dist/test/mochaRun.js');

/** The suites, by folder, and the window that each runs in: `mochaRun.ts` knows the suite by its window. */
const SUITES = {
	suite: { isTrusted: true, open: copyWorkspace },
	folders: { isTrusted: true, open: async () => makeFolders() },
	restricted: { isTrusted: false, open: copyWorkspace },
};

/** Runs the tests in a desktop VS Code that is downloaded first. */
async function runOnDesktop(profile: Profile, workspace: string, isTrusted: boolean): Promise<void> {
	const vscodeExecutablePath = await downloadAndUnzipVSCode();
	const launchArgs = [
		workspace,
		`--user-data-dir=${profile.userData}`,
		`--extensions-dir=${profile.extensions}`,
	];
	const paths = { extensionDevelopmentPath: PROJECT_ROOT, extensionTestsPath: TESTS };
	if (isTrusted) {
		await runTests({ vscodeExecutablePath, ...paths, launchArgs });
		return;
	}
	// runTests always turns workspace trust off.
	const flags = Object.entries(paths).map(([name, value]) => `--${name}=${value}`);
	await run(vscodeExecutablePath, [...launchArgs, '--no-sandbox', '--skip-welcome', ...flags]);
}

/** Runs the suites of these names, or all of them. */
async function runSuites(names: readonly string[]): Promise<void> {
	await ensure(exampleServers);
	if (!process.env.TESTS_ARE_BUILT) await run(PROJECT_NODE, ['esbuild.mjs', '--tests'], { output: 'pipe' });
	await using cleanup = new AsyncDisposableStack();
	const profile = createProfile();
	// The tests read there what is stored of a chat.
	process.env.TEST_USER_DATA = profile.userData;
	cleanup.defer(() => deleteProfile(profile));
	const isDesktop = process.env.VSCODE_DESKTOP !== undefined || process.platform === 'win32';
	const browser = isDesktop ? undefined : cleanup.use(await BrowserHost.start(profile));
	for (const [name, { isTrusted, open }] of Object.entries(SUITES)) {
		if (names.length > 0 && !names.includes(name)) continue;
		writeSettings(profile, {
			'security.workspace.trust.enabled': !isTrusted,
			'security.workspace.trust.startupPrompt': 'never',
		});
		const workspace = await open();
		cleanup.defer(() => deleteWorkspaceCopy(workspace));
		await (browser ? browser.run(workspace, TESTS) : runOnDesktop(profile, workspace, isTrusted));
	}
}

try {
	await runSuites(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
