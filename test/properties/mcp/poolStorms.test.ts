import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../../bench/random.ts';
import type { StdioLaunch } from '../../../src/config/servers/launch.ts';
import type { McpConnection } from '../../../src/mcp/connection/connection.ts';
import { ServerError } from '../../../src/mcp/serverError.ts';
import { isNightly, runs, seed } from '../../effort.ts';
import { canCountProcesses, markedProcesses } from '../../servers/faults/census.ts';
import { openPool } from '../../servers/openPool.ts';
import { FakeClock } from '../../unit/mcp/fakeClock.ts';
import { idle, poolInFakeTime } from '../../unit/mcp/poolInFakeTime.ts';
import { Storm, stormNames } from './storms.ts';

const operationsOfStorm = 500;
/** A storm takes 50 ms without processes and three seconds with them. */
const storms = runs(15);
const realStorms = isNightly ? 10 : 1;
/** A storm in which hardly any server becomes ready shows nothing. */
const leastReady = 10;
const hourMs = 3_600_000;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A server without a process. It counts as running from its opening until nothing of it is left. */
interface Opened {
	readonly name: string;
	lose: () => void;
}

/** Runs one storm over servers that open, close and die at random times; returns what went wrong. */
async function play(seed: number): Promise<readonly string[]> {
	const random = new SeededRandom(seed);
	const faults: string[] = [];
	const open = new Set<Opened>();
	const turns = async (most: number) => {
		for (let left = Math.floor(random.next() * (most + 1)); left > 0; left -= 1) await turn();
	};
	let storm: Storm | undefined;
	const clock = new FakeClock();
	const { pool } = await poolInFakeTime(
		async ({ server: name, signal, onLost }, _clock, launch): Promise<McpConnection> => {
			const { args } = launch as StdioLaunch;
			if (storm && !storm.mayRun(name, Number(args[0])))
				faults.push(`${name} was started without the right to`);
			if ([...open].some((one) => one.name === name)) faults.push(`${name} was started beside itself`);
			const opened: Opened = { name, lose: () => {} };
			open.add(opened);
			const close = async () => {
				await turns(4);
				open.delete(opened);
			};
			await turns(6);
			if (signal.aborted || random.next() < 0.1) {
				await close();
				signal.throwIfAborted();
				throw new ServerError(name, 'crashed', 'died');
			}
			let closed = false;
			opened.lose = () => {
				if (closed) return;
				closed = true;
				onLost(new ServerError(name, 'crashed', 'crashed'));
			};
			return {
				...idle,
				listToolsPage: async () => {
					await turns(4);
					return { tools: [{ name: 'tool', inputSchema: { type: 'object' } }] };
				},
				callTool: async () => {
					if (closed) faults.push(`${name} was called after its end`);
					await turns(3);
					return { content: [], isError: false };
				},
				close: async () => {
					closed = true;
					await close();
				},
			};
		},
		{ clock },
	);
	storm = new Storm(pool, random, {
		launchOf: (_, version) => ({ kind: 'stdio', command: 'c', args: [String(version)], env: {}, cwd: '/' }),
		kill: (name) => [...open].find((one) => one.name === name)?.lose(),
	});
	const disposedAt = Math.floor(operationsOfStorm * (0.5 + random.next() / 2));
	for (let i = 0; i < operationsOfStorm; i += 1) {
		if (i === disposedAt) void storm.dispose();
		storm.blow();
		if (random.next() < 0.3) await turns(5);
		if (random.next() < 0.1) await clock.pass(Math.floor(random.next() * 5_000));
	}
	await storm.dispose();
	if (open.size > 0) faults.push(`left after the end: ${[...open].map(({ name }) => name).join()}`);
	await clock.pass(hourMs);
	if (open.size > 0) faults.push(`started after the end: ${[...open].map(({ name }) => name).join()}`);
	await Promise.all(storm.asked);
	return faults;
}

test('in random operations, no server runs without permission, twice, or after disposal', async () => {
	for (let storm = seed; storm < seed + storms; storm++)
		expect({ seed: storm, faults: await play(storm) }).toEqual({ seed: storm, faults: [] });
});

const reaperScript = fileURLToPath(new URL('../../../src/mcp/stdio/reaper.ts', import.meta.url));
/** The variable that marks the processes of a storm. */
const mark = 'POOL_STORM';

/** A server written in shell, which starts quickly: a storm starts hundreds. The stubborn one ignores the end of its stdin and SIGTERM. */
function shellServer(stubborn: boolean): string {
	const answer = (result: string) => `printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" '${result}' ;;`;
	return [
		stubborn ? "trap '' TERM" : '',
		'while read -r line; do',
		`rest=\${line##*\\"id\\":}; id=\${rest%%[,\\}]*}`,
		'case $line in',
		// Whether it speaks the newer protocol: no answer that says so.
		`*'"server/discover"'*) ${answer('{}')}`,
		`*'"initialize"'*) ${answer('{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}')}`,
		`*'"tools/list"'*) ${answer('{"tools":[{"name":"tool","inputSchema":{"type":"object"}}]}')}`,
		`*'"tools/call"'*) ${answer('{"content":[]}')}`,
		'esac; done',
		stubborn ? 'while :; do sleep 60; done' : '',
	].join('\n');
}

/** Runs one storm over real processes; returns what went wrong. */
async function playForReal(seed: number): Promise<readonly string[]> {
	const random = new SeededRandom(seed);
	const faults: string[] = [];
	const id = randomUUID();
	const folder = mkdtempSync(join(tmpdir(), 'mcp-storm-'));
	const pool = await openPool(folder, {
		reaperScript,
		limits: { closeGraceMs: 50, closeTermMs: 50, restartDelaysMs: [5, 5, 5, 5, 5, 5], exitedAtOnceMs: 0 },
	});
	let becameReady = 0;
	pool.onDidChange(() => {
		if (pool.servers().some(({ state }) => state.kind === 'ready')) becameReady += 1;
	});
	const running = (name: string) => markedProcesses(`${mark}=${id} ${name}\0`);
	/** Processes started by the server itself do not count: a killed server leaves them for a moment. */
	const servers = (name: string) => running(name).filter(({ command }) => command.startsWith('/bin/sh'));
	const storm = new Storm(pool, random, {
		launchOf: (name, version) => ({
			kind: 'stdio',
			command: '/bin/sh',
			args: ['-c', shellServer(name === 'three'), String(version)],
			env: { [mark]: `${id} ${name}` },
			cwd: folder,
		}),
		kill: (name) => {
			for (const { pid } of servers(name)) process.kill(pid, 'SIGKILL');
		},
	});
	try {
		for (let i = 0; i < operationsOfStorm; i += 1) {
			if (i === operationsOfStorm - 50) void storm.dispose();
			storm.blow();
			// Most operations hit what the one before has begun; now and then, servers get time to become ready.
			await delay(random.next() < 0.1 ? 40 : 0);
			if (i % 25 > 0) continue;
			for (const name of stormNames) {
				const beside = servers(name);
				if (beside.length > 1) faults.push(`${beside.length} of ${name} at once after ${i} operations`);
			}
		}
		await storm.dispose();
		await Promise.all(storm.asked);
		if (becameReady < leastReady) faults.push(`servers were seen ready ${becameReady} times only`);
		const left = stormNames.flatMap(running);
		for (const { pid, command } of left) {
			faults.push(`left after the end: ${command.slice(0, 40)}`);
			process.kill(pid, 'SIGKILL');
		}
		return faults;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

describe.runIf(canCountProcesses)('with real processes', () => {
	test('random operations leave no process behind, and no server runs twice', async () => {
		for (let storm = seed; storm < seed + realStorms; storm++)
			expect({ seed: storm, faults: await playForReal(storm) }).toEqual({ seed: storm, faults: [] });
	});
});
