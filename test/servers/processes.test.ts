import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { faultLaunch } from './faults/faultServers.ts';
import { eventually, startedPool, statusOf } from './poolFixture.ts';
import { isRunning, readPids } from './processes.ts';

test('when the wrapper dies by itself, what it started is ended too', async () => {
	const pidFile = join(temporaryFolder(), 'pids');
	onTestFinished(() => {
		for (const pid of readPids(pidFile).filter(isRunning)) process.kill(pid, 'SIGKILL');
	});
	const pool = await startedPool(
		{ stubborn: faultLaunch(['stubborn', pidFile]) },
		{ limits: { closeGraceMs: 100, closeTermMs: 200, restartDelaysMs: [] } },
	);
	const [server = 0, child = 0] = readPids(pidFile);

	process.kill(server, 'SIGKILL');

	await eventually(() => statusOf(pool, 'stubborn').state.kind === 'failed');
	await eventually(() => !isRunning(child));
});
