import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { PROJECT_ROOT } from '../../../scripts/projectPaths.ts';
import { isRunning } from '../../servers/processes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bootstrap-'));
const pidFile = path.join(folder, 'pid');
const endFile = path.join(folder, 'cleanedUp');

/** Works until it is asked to end, as `npm start` and `npm test` do. */
const task = `
import { writeFileSync } from 'node:fs';
const end = () => { writeFileSync(${JSON.stringify(endFile)}, ''); process.exit(); };
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end);
process.once('disconnect', end);
setInterval(() => {}, 1_000);
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
`;

/** What npm runs of package.json, with a task of ours in the place of `scripts/test.ts`. */
function startWithNpm(script: string): ReturnType<typeof spawn> {
	const bootstrap = path.join(PROJECT_ROOT, 'scripts/bootstrap.mjs');
	const taskFile = path.join(folder, 'task.mjs');
	writeFileSync(taskFile, task);
	const own = script
		.replace('scripts/bootstrap.mjs', `"${bootstrap}"`)
		.replace('scripts/test.ts', `"${path.relative(PROJECT_ROOT, taskFile)}"`);
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { test: own } }));
	const npm = process.env.npm_execpath;
	const [command, args] = npm ? [process.execPath, [npm, 'test']] : ['npm', ['test']];
	return spawn(command, args, { cwd: folder, stdio: 'ignore' });
}

describe('given the scripts of package.json', () => {
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it.each(['start', 'test', 'bench'] as const)('then cmd can run %s, which has no `exec`', (name) => {
		expect(manifest.scripts[name]).toMatch(/^node /);
	});

	it('when npm is killed, then the task cleans up and ends', { timeout: 30_000 }, async () => {
		const npm = startWithNpm(manifest.scripts.test);
		await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), { timeout: 20_000, interval: 50 });
		const pid = Number(readFileSync(pidFile, 'utf8'));
		onTestFinished(() => {
			if (isRunning(pid)) process.kill(pid);
		});
		expect(isRunning(pid)).toBe(true);
		npm.kill('SIGKILL');
		await once(npm, 'exit');
		await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000, interval: 50 });
		expect(existsSync(endFile)).toBe(true);
	});
});
