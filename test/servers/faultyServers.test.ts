import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import type { ServerError } from '../../src/mcp/serverError.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { faultLaunch } from './faults/faultServers.ts';
import { node, program, stdio } from './launches.ts';
import { eventually, newPool, startedPool, statusOf } from './poolFixture.ts';

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
			'crashed',
		]);
		const messages = pool.servers().map(({ name }) => failure(pool, name).message);
		expect(new Set(messages).size).toBe(messages.length);
		expect(messages[0]).toContain('"no-such-command-anywhere" was not found');
		expect(messages[3]).toContain('exit code 2');
		expect(failure(pool, 'exiting').details.stderr).toHaveLength(20);
		expect(failure(pool, 'exiting').details.stderr?.at(-1)).toBe('usage line 30');
		expect(failure(pool, 'dying').details.stderr).toEqual(['no database']);
		expect(failure(pool, 'missing').cause).toMatchObject({ code: 'ENOENT' });
	});
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
		await expect(crash).rejects.toMatchObject({ reason: 'crashed', details: { stderr: ['about to crash'] } });
		expect(statusOf(pool, 'crashing').state).toHaveProperty('nextAttemptAt');
		expect((await other).isError).toBe(false);

		await eventually(() => statusOf(pool, 'crashing').state.kind === 'ready');
		expect(resultText(await pool.callTool('crashing', 'work', {}))).toBe('worked');
		expect(readFileSync(calls, 'utf8')).toBe('fault\nwork\n');
	});
});

test('a process that breaks its stdin before it exits is reported with its exit', async () => {
	const script = `
		const { closeSync, readSync, writeSync } = require('node:fs');
		const bytes = Buffer.alloc(65_536);
		const answer = (method, id, result) => {
			for (let text = ''; !text.includes(method); ) text += bytes.toString('utf8', 0, readSync(0, bytes));
			writeSync(1, JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
		};
		answer('initialize', 0, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
		answer('tools/list', 1, { tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
		closeSync(0);
		setTimeout(() => process.exit(3), 300);`;
	const pool = await startedPool({ s: stdio(process.execPath, ['-e', script]) });
	await expect(pool.callTool('s', 'work', {})).rejects.toMatchObject({
		reason: 'crashed',
		message: expect.stringContaining('(exit code 3)'),
	});
});

describe('a call', () => {
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
