import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import type { ServerError } from '../../src/mcp/serverError.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { faultLaunch } from './faults/faultServers.ts';
import { node, program, stdio } from './launches.ts';
import { eventually, newPool, startedPool, statusOf, temporaryFolder, toolNames } from './poolFixture.ts';

function failure(pool: ServerPool, name: string): ServerError {
	const { state } = statusOf(pool, name);
	if (state.kind !== 'failed') throw new Error(`${name} is ${state.kind}`);
	return state.error;
}

describe('a server that does not start', () => {
	test('each kind of failure has its own reason and message, with what the process said last', async () => {
		const folder = temporaryFolder();
		const notExecutable = join(folder, 'server');
		writeFileSync(notExecutable, 'no program');
		chmodSync(notExecutable, 0o644);

		const pool = await startedPool(
			{
				missing: stdio('no-such-command-anywhere'),
				'not executable': stdio(notExecutable),
				nowhere: stdio(process.execPath, [], { cwd: join(folder, 'gone') }),
				exiting: faultLaunch(['exits-at-once']),
				dying: faultLaunch(['breaks-off', 'tools/list']),
			},
			// On a busy machine, starting Node may take longer than a second.
			{ limits: { exitedAtOnceMs: 10_000 } },
		);

		const reasons = pool.servers().map(({ name }) => failure(pool, name).reason);
		expect(reasons).toEqual([
			'command-not-found',
			// Windows has no such permission: there, its shell tries to run the file, and ends.
			process.platform === 'win32' ? 'exited-at-once' : 'not-executable',
			'folder-missing',
			'exited-at-once',
			'died-while-starting',
		]);
		const messages = pool.servers().map(({ name }) => failure(pool, name).message);
		expect(new Set(messages).size).toBe(messages.length);
		expect(messages[0]).toContain('"no-such-command-anywhere" was not found');
		expect(messages[3]).toContain('exit code 2');
		expect(failure(pool, 'exiting').stderr).toHaveLength(20);
		expect(failure(pool, 'exiting').stderr.at(-1)).toBe('usage line 30');
		expect(failure(pool, 'dying').stderr).toEqual(['no database']);
		expect(failure(pool, 'missing').cause).toMatchObject({ code: 'ENOENT' });
	});

	test('is not tried again where only a person can fix it', async () => {
		const pool = await startedPool({ missing: stdio('no-such-command-anywhere') });
		expect(statusOf(pool, 'missing').state).not.toHaveProperty('nextAttemptAt');
		await expect(pool.callTool('missing', 'any', {})).rejects.toMatchObject({ reason: 'command-not-found' });
	});
});

test('dead and hanging servers beside healthy ones: the healthy are ready while the others still hang', async () => {
	const pool = await newPool({ limits: { startSlotMs: 500 } });
	const hanging = Array.from(
		{ length: 9 },
		(_, i) => [`hanging ${i}`, faultLaunch(['hangs', 'initialize'])] as const,
	);
	const dead = Array.from({ length: 3 }, (_, i) => [`dead ${i}`, stdio('no-such-command-anywhere')] as const);
	const healthy = ['one', 'other'] as const;
	pool.setLaunches(
		new Map([...hanging, ...dead, ...healthy.map((name) => [name, faultLaunch(['healthy'])] as const)]),
	);

	await pool.whenReady(healthy, { timeoutMs: 30_000 });

	expect(healthy.map((name) => statusOf(pool, name).state.kind)).toEqual(['ready', 'ready']);
	expect(hanging.map(([name]) => statusOf(pool, name).state.kind)).toEqual(hanging.map(() => 'starting'));
	expect(dead.map(([name]) => statusOf(pool, name).state.kind)).toEqual(dead.map(() => 'failed'));
	expect(resultText(await pool.callTool('one', 'work', {}))).toBe('work done');
});

describe('a server that crashes', () => {
	test('in mid-call fails that call and no other server, is started again, and the call is not made twice', async () => {
		const calls = join(temporaryFolder(), 'calls');
		const pool = await startedPool(
			{ crashing: node(program('crashingServer'), calls), healthy: faultLaunch(['healthy']) },
			{ limits: { restartDelaysMs: [100] } },
		);

		const crash = pool.callTool('crashing', 'fault', {});
		const other = pool.callTool('healthy', 'work', {});
		await expect(crash).rejects.toMatchObject({ reason: 'crashed', stderr: ['about to crash'] });
		expect(statusOf(pool, 'crashing').state).toHaveProperty('nextAttemptAt');
		expect((await other).isError).toBe(false);

		await eventually(() => statusOf(pool, 'crashing').state.kind === 'ready');
		expect(resultText(await pool.callTool('crashing', 'work', {}))).toBe('worked');
		expect(readFileSync(calls, 'utf8')).toBe('fault\nwork\n');
	});

	test('again and again is given up, and started once more when the user says so', async () => {
		const pool = await newPool({ limits: { restartDelaysMs: [20, 20, 20], restartJitter: 0 } });
		let starts = 0;
		pool.onDidLog(({ line }) => {
			if (line === 'starting') starts += 1;
		});
		pool.setLaunches(new Map([['flapping', faultLaunch(['flaps'])]]));
		const isGivenUp = () => {
			const { state } = statusOf(pool, 'flapping');
			return state.kind === 'failed' && state.nextAttemptAt === undefined;
		};

		await eventually(isGivenUp);
		expect(starts).toBe(4);
		await expect(pool.callTool('flapping', 'work', {})).rejects.toMatchObject({ server: 'flapping' });
		expect(starts).toBe(4);
		expect(toolNames(pool, 'flapping')).toEqual(['work', 'fault']);

		await pool.restart('flapping');
		expect(starts).toBe(5);
	});
});

describe('list_changed', () => {
	test('brings the new tool, and another entry of the catalog', async () => {
		const pool = await startedPool({ changing: node(program('changingServer')) });
		const [before] = pool.catalogServers();
		await pool.callTool('changing', 'grow', {});
		await eventually(() => toolNames(pool, 'changing').includes('grown-3'));
		expect(pool.catalogServers()[0]).not.toBe(before);
	});

	test('without end still leads to fetches, and to few', async () => {
		const pool = await startedPool(
			{ changing: node(program('changingServer')) },
			{ limits: { listChangedQuietMs: 100, listChangedMaxWaitMs: 300, listChangedIntervalMs: 400 } },
		);
		const [before] = pool.catalogServers();
		const lists = async () => Number(resultText(await pool.callTool('changing', 'count', {})));
		const started = performance.now();
		await pool.callTool('changing', 'flood', {});
		// A debounce alone would wait for ever: an announcement comes every 50 ms.
		while ((await lists()) < 4);
		expect(await lists()).toBeLessThanOrEqual(2 + (performance.now() - started) / 400);
		expect(pool.catalogServers()[0]).toBe(before);
	});
});

describe('a call', () => {
	test('without a sign of life ends after the idle limit, and the server is told', async () => {
		const pool = await startedPool(
			{ hanging: faultLaunch(['hangs', 'tools/call']) },
			{ limits: { callIdleMs: 300 } },
		);
		await expect(pool.callTool('hanging', 'fault', {})).rejects.toMatchObject({ reason: 'call-idle' });
		await eventually(() =>
			pool.log('hanging').some(({ line }) => /told that request \d+ is cancelled/.test(line)),
		);
		expect(statusOf(pool, 'hanging').state.kind).toBe('ready');
	});

	test('with progress lives past the idle limit', async () => {
		const working = faultLaunch(['progress-for-a-while', '20']);
		const pool = await startedPool({ working }, { limits: { callIdleMs: 400 } });
		expect(resultText(await pool.callTool('working', 'fault', {}))).toBe('done');
	});

	test('that is cancelled rejects before the server can hear of it, and the server hears of it', async () => {
		const pool = await startedPool({ hanging: faultLaunch(['hangs', 'tools/call']) });
		const stop = new AbortController();
		const events: string[] = [];
		pool.onDidLog(({ line }) => {
			if (line === 'tools/call has come') stop.abort(new Error('stop'));
			if (line.startsWith('told')) events.push('server told');
		});
		await pool
			.callTool('hanging', 'fault', {}, { signal: stop.signal })
			.catch(() => events.push('call ended'));
		await eventually(() => events.length === 2);
		expect(events).toEqual(['call ended', 'server told']);
	});

	test('that is cancelled while its server starts ends at once; the server goes on', async () => {
		const pool = await newPool();
		pool.setLaunches(new Map([['healthy', faultLaunch(['healthy'])]]));
		const call = pool.callTool('healthy', 'work', {}, { signal: AbortSignal.timeout(1) });
		await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
		expect(statusOf(pool, 'healthy').state.kind).toBe('starting');
		await eventually(() => statusOf(pool, 'healthy').state.kind === 'ready');
	});

	test('to a server that is stopped meanwhile says so', async () => {
		const pool = await startedPool({ hanging: faultLaunch(['hangs', 'tools/call']) });
		const call = pool.callTool('hanging', 'fault', {});
		const ended = expect(call).rejects.toMatchObject({ reason: 'stopped' });
		await pool.stop('hanging');
		await ended;
		expect(statusOf(pool, 'hanging').state.kind).toBe('stopped');
	});
});

test('garbage on stdout is skipped with ten lines of log', async () => {
	const pool = await startedPool({ noisy: faultLaunch(['noisy']) });
	expect(pool.log('noisy').filter(({ line }) => line.includes('not a JSON-RPC message'))).toHaveLength(10);
});
