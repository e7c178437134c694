import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { run } from '../../scripts/childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import type { ActivationTimes } from './activationTimes.ts';
import { SUITE_FILE, TIMES_FILE } from './names.ts';

const CODE = path.join(PROJECT_ROOT, 'scripts/codeExecutable.ts');

/**
 * Opens new VS Code windows, one after the other, with the extension as it is in `dist/`, and reads how long each took to
 * activate it. The workspace's configuration names no server: none is to be started, and `activate()` cannot know before it reads it.
 */
export async function timeActivations(windows: number): Promise<ActivationTimes[]> {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-activation-'));
	try {
		await build({
			entryPoints: [path.join(import.meta.dirname, 'insideHost.ts')],
			outfile: path.join(folder, SUITE_FILE),
			bundle: true,
			platform: 'node',
			format: 'esm',
			external: ['vscode'],
		});
		const workspace = path.join(folder, 'workspace');
		mkdirSync(workspace);
		writeFileSync(path.join(workspace, 'casual_mcp_config.json'), '{ "servers": {} }\n');
		const times: ActivationTimes[] = [];
		while (times.length < windows) times.push(await timeOneWindow(folder, workspace));
		return times;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function timeOneWindow(folder: string, workspace: string): Promise<ActivationTimes> {
	const args = [
		`--extensionDevelopmentPath=${PROJECT_ROOT}`,
		`--extensionTestsPath=${path.join(folder, SUITE_FILE)}`,
		'--disable-workspace-trust',
	];
	await run(PROJECT_NODE, [CODE, workspace, ...args], { output: 'pipe' });
	return JSON.parse(readFileSync(path.join(folder, TIMES_FILE), 'utf8')) as ActivationTimes;
}
