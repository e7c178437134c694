import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { faultLaunch } from './faults/faultServers.ts';
import { eventually, startedPool, statusOf } from './poolFixture.ts';
import { isRunning, readPids } from './processes.ts';

/** A stubborn server only ends when it is killed. */
const impatient = { closeGraceMs: 100, closeTermMs: 200 };

/** If a test fails, its processes must not keep running. */
function killAfterTest(pidFile: string): void {
	onTestFinished(() => {
		for (const pid of readPids(pidFile).filter(isRunning)) process.kill(pid, 'SIGKILL');
	});
}

test('closing three stubborn servers leaves none of them, nor their children', async () => {
	const pidFile = join(temporaryFolder(), 'pids');
	killAfterTest(pidFile);
	const names = Array.from({ length: 3 }, (_, i) => `stubborn ${i}`);
	const pool = await startedPool(
		Object.fromEntries(names.map((name) => [name, faultLaunch(['stubborn', pidFile])])),
		{ limits: impatient },
	);
	expect(names.map((name) => statusOf(pool, name).state.kind)).toEqual(names.map(() => 'ready'));
	const pids = readPids(pidFile);
	expect(pids.filter(isRunning)).toHaveLength(6);

	await pool.dispose();

	await eventually(() => !pids.some(isRunning));
});

test('when the wrapper dies by itself, what it started is ended too', async () => {
	const pidFile = join(temporaryFolder(), 'pids');
	killAfterTest(pidFile);
	const pool = await startedPool(
		{ stubborn: faultLaunch(['stubborn', pidFile]) },
		{ limits: { ...impatient, restartDelaysMs: [] } },
	);
	const [server = 0, child = 0] = readPids(pidFile);

	process.kill(server, 'SIGKILL');

	await eventually(() => statusOf(pool, 'stubborn').state.kind === 'failed');
	await eventually(() => !isRunning(child));
});
