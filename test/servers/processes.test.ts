import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { node, program, publishedServer, stdio } from './launches.ts';
import { eventually, reaperScript, startedPool, statusOf, temporaryFolder } from './poolFixture.ts';
import { isRunning, readPids } from './processes.ts';

/** Should a test fail, its processes must not stay. */
function killAfterTest(pidFile: string): void {
	onTestFinished(() => {
		for (const pid of readPids(pidFile).filter(isRunning)) process.kill(pid, 'SIGKILL');
	});
}

test('closing eight stubborn servers leaves none of them, nor their children', async () => {
	const pidFile = join(temporaryFolder(), 'pids');
	killAfterTest(pidFile);
	const names = Array.from({ length: 8 }, (_, i) => `stubborn ${i}`);
	const pool = await startedPool(
		Object.fromEntries(names.map((name) => [name, node(program('stubbornServer'), pidFile)])),
	);
	expect(names.map((name) => statusOf(pool, name).state.kind)).toEqual(names.map(() => 'ready'));
	const pids = readPids(pidFile);
	expect(pids.filter(isRunning)).toHaveLength(16);

	await pool.dispose();

	await eventually(() => !pids.some(isRunning));
});

test('a server behind a shell that stays in between, as npx does, leaves no grandchild', async () => {
	const folder = temporaryFolder();
	const pidFile = join(folder, 'pids');
	killAfterTest(pidFile);
	const wrapper = join(folder, 'npx-like');
	// Two commands, so that the shell does not replace itself with the server.
	const server = `"${process.execPath}" "${program('stubbornServer')}" "${pidFile}"`;
	writeFileSync(wrapper, `#!/bin/sh\necho $$ >> "${pidFile}"\n${server}\necho ended >&2\n`);
	chmodSync(wrapper, 0o755);
	const pool = await startedPool({ wrapped: stdio(wrapper) });
	const pids = readPids(pidFile);
	expect(pids.filter(isRunning)).toHaveLength(3);

	await pool.stop('wrapped');

	await eventually(() => !pids.some(isRunning));
});

test('when the wrapper dies by itself, what it started is ended too', async () => {
	const folder = temporaryFolder();
	const pidFile = join(folder, 'pids');
	killAfterTest(pidFile);
	const pool = await startedPool(
		{ stubborn: node(program('stubbornServer'), pidFile) },
		{ limits: { restartDelaysMs: [] } },
	);
	const [server = 0, child = 0] = readPids(pidFile);

	process.kill(server, 'SIGKILL');

	await eventually(() => statusOf(pool, 'stubborn').state.kind === 'failed');
	await eventually(() => !isRunning(child));
});

test('restarts leave one process, not several', async () => {
	const pidFile = join(temporaryFolder(), 'pids');
	killAfterTest(pidFile);
	const pool = await startedPool({ stubborn: node(program('stubbornServer'), pidFile) });
	for (let i = 0; i < 3; i += 1) await pool.restart('stubborn');
	const pids = readPids(pidFile);
	expect(pids).toHaveLength(8);
	expect(pids.filter(isRunning)).toEqual(pids.slice(-2));
});

test('when the host is killed, its servers go, the stubborn ones and their children too', async () => {
	const folder = temporaryFolder();
	const pidFile = join(folder, 'pids');
	killAfterTest(pidFile);
	const launches = [
		['stubborn', node(program('stubbornServer'), pidFile)],
		['another', node(program('stubbornServer'), pidFile)],
		['memory', node(publishedServer('memory'))],
	];
	const host = spawn(process.execPath, [program('host'), reaperScript, folder, JSON.stringify(launches)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await once(host.stdout, 'data');
	const pids = readPids(pidFile);
	expect(pids.filter(isRunning)).toHaveLength(4);

	host.kill('SIGKILL');
	await once(host, 'exit');

	await eventually(() => !pids.some(isRunning));
});
