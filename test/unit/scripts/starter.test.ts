import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { PROJECT_ROOT } from '../../../scripts/projectPaths.ts';
import { isRunning } from '../../servers/processes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'bootstrap-'));
const pidFile = path.join(folder, 'pid');
const endFile = path.join(folder, 'cleanedUp');

/** Watches npm as the bootstrap does. */
const script = `
import { writeFileSync } from 'node:fs';
import { onStarterGone } from ${JSON.stringify(pathToFileURL(path.join(PROJECT_ROOT, 'scripts/starter.mjs')))};
onStarterGone(() => { writeFileSync(${JSON.stringify(endFile)}, ''); process.exit(); });
setInterval(() => {}, 1_000);
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
`;

/** The shell of Windows always stays between npm and its script; others let a last command take their place. */
const commands: readonly (readonly [string, string])[] =
	process.platform === 'win32'
		? [['with a shell between them', 'node script.mjs']]
		: [
				['with a shell between them', 'node script.mjs; exit'],
				['without one', 'exec node script.mjs'],
			];

function startWithNpm(command: string): ReturnType<typeof spawn> {
	writeFileSync(path.join(folder, 'script.mjs'), script);
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { test: command } }));
	const npm = process.env.npm_execpath;
	const [program, args] = npm ? [process.execPath, [npm, 'test']] : ['npm', ['test']];
	return spawn(program, args, { cwd: folder, stdio: 'ignore' });
}

describe('given the scripts of package.json', () => {
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test.each(['start', 'test', 'bench'] as const)(
		'then cmd can run %s, because it does not use `exec`',
		(name) => {
			expect(manifest.scripts[name]).toMatch(/^node /);
		},
	);

	test.each(commands)(
		'when npm is killed, then its script notices and exits, %s',
		{ timeout: 30_000 },
		async (_, command) => {
			for (const file of [pidFile, endFile]) rmSync(file, { force: true });
			const npm = startWithNpm(command);
			const pid = await vi.waitFor(
				() => {
					// The file exists a moment before its content.
					const written = readFileSync(pidFile, 'utf8');
					expect(written).toMatch(/^\d+$/);
					return Number(written);
				},
				{ timeout: 20_000, interval: 50 },
			);
			onTestFinished(() => {
				if (isRunning(pid)) process.kill(pid);
			});
			expect(isRunning(pid)).toBe(true);
			npm.kill('SIGKILL');
			await once(npm, 'exit');
			await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000, interval: 50 });
			expect(existsSync(endFile)).toBe(true);
		},
	);
});
