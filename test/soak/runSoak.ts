import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { Client } from '@modelcontextprotocol/client';
import { heldMegabytes } from '../../bench/memory.ts';
import { type CountedProcess, markedProcesses } from '../servers/faults/census.ts';
import { slopeOf } from './growth.ts';
import { startSoakModel } from './soakModel.ts';
import { soakLaunches, startRemoteServer } from './soakServers.ts';
import { type SoakGround, soakSteps } from './soakSteps.ts';
import { SoakWindow } from './soakWindow.ts';

const markName = 'MCP_SOAK';
const bytesPerMegabyte = 1_000_000;
const hourMs = 3_600_000;
/** Share of a soak in which chats, logs and caches fill up to their bounds: not counted as growth. */
const warmUpShare = 1 / 2;
/** All processes of a window must be gone this long after its end. */
const goneMs = 3_000;

/** What was measured at one moment. */
export interface SoakSample {
	/** Milliseconds since the start. */
	readonly ms: number;
	readonly calls: number;
	/** After a thorough collection. */
	readonly heldMegabytes: number;
	readonly rssMegabytes: number;
	/** Servers, sandbox and reaper. */
	readonly processes: number;
	/** Connections that are still in memory, open or not; no more than there are servers, but for the latest. */
	readonly connections: number;
}

export interface SoakReport {
	readonly samples: readonly SoakSample[];
	readonly servers: number;
	/** Times that all steps were taken. */
	readonly rounds: number;
	/** Calls of tools, searches among them, and how many came back as errors: some are made to. */
	readonly calls: number;
	readonly errors: number;
	/** By linear fit over the second half. */
	readonly heldMegabytesPerHour: number;
	readonly heldMegabytesPerThousandCalls: number;
	readonly rssMegabytesPerHour: number;
	/** Steps that did not end as they must, rejections that nobody handled, warnings of Node's: a sentence each. */
	readonly problems: readonly string[];
	/** Processes that were left {@link goneMs} after the end. */
	readonly left: readonly CountedProcess[];
}

export interface SoakOptions {
	/** Whether to go on, asked before each round of all steps. */
	readonly goesOn: (soFar: { readonly ms: number; readonly calls: number }) => boolean;
	/** Least time between two samples. */
	readonly sampleEveryMs: number;
	/** Rest between two steps, so that what else runs on the machine goes on. */
	readonly pauseMs: number;
	readonly onSample?: (sample: SoakSample) => void;
}

/** Uses a window and its servers as long as wanted, and looks at what is left of it. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
	const mark = randomUUID();
	// Inherited by the sandbox and the reaper; servers are given it.
	process.env[markName] = mark;
	const problems = new Set<string>();
	const unwatch = watchProcess((problem) => problems.add(problem));
	const folder = await mkdtemp(join(tmpdir(), 'mcp-soak-'));
	try {
		const used = await useWindow(folder, { [markName]: mark }, options, problems);
		return { ...used, ...growthOf(used.samples), problems: [...problems], left: await whatIsLeft(mark) };
	} finally {
		unwatch();
		await rm(folder, { recursive: true, force: true });
	}
}

async function useWindow(
	folder: string,
	env: Readonly<Record<string, string>>,
	options: SoakOptions,
	problems: Set<string>,
): Promise<Pick<SoakReport, 'samples' | 'servers' | 'rounds' | 'calls' | 'errors'>> {
	await using remote = await startRemoteServer();
	await using model = await startSoakModel();
	await using window = await SoakWindow.open(folder);
	const launches = soakLaunches(folder, env, remote.launch);
	window.configure(launches);
	await window.pool.whenReady([...launches.keys()], { timeoutMs: 60_000 });

	const started = performance.now();
	const elapsed = () => performance.now() - started;
	const samples: SoakSample[] = [];
	const sample = async () => {
		const taken = await takeSample(elapsed(), window.counts.calls, env[markName] ?? '');
		samples.push(taken);
		options.onSample?.(taken);
	};
	let round = 0;
	let sampledMs = elapsed();
	while (options.goesOn({ ms: elapsed(), calls: window.counts.calls })) {
		await takeSteps({ window, model, launches, folder, round }, options.pauseMs, problems);
		round += 1;
		if (elapsed() - sampledMs < options.sampleEveryMs) continue;
		await sample();
		sampledMs = elapsed();
	}
	await sample();
	return { samples, servers: launches.size, rounds: round, ...window.counts };
}

/** All steps, one after the other; one that fails is told of and costs the others nothing. */
async function takeSteps(ground: SoakGround, pauseMs: number, problems: Set<string>): Promise<void> {
	for (const step of soakSteps) {
		try {
			await step.run(ground);
		} catch (error) {
			problems.add(`${step.name}: ${error instanceof Error ? error.message : String(error)}`);
		}
		await delay(pauseMs);
	}
}

async function takeSample(ms: number, calls: number, mark: string): Promise<SoakSample> {
	const held = await heldMegabytes();
	return {
		ms,
		calls,
		heldMegabytes: held,
		rssMegabytes: process.memoryUsage.rss() / bytesPerMegabyte,
		processes: markedProcesses(mark).length,
		connections: queryObjects(Client, { format: 'count' }),
	};
}

function growthOf(samples: readonly SoakSample[]) {
	const last = samples.at(-1)?.ms ?? 0;
	const warm = samples.filter(({ ms }) => ms >= last * warmUpShare);
	const slope = (at: keyof SoakSample, value: keyof SoakSample) =>
		slopeOf(warm.map((sample) => ({ at: sample[at], value: sample[value] })));
	return {
		heldMegabytesPerHour: slope('ms', 'heldMegabytes') * hourMs,
		heldMegabytesPerThousandCalls: slope('calls', 'heldMegabytes') * 1_000,
		rssMegabytesPerHour: slope('ms', 'rssMegabytes') * hourMs,
	};
}

/** Hears of what would end a process, or is a sign of a leak (too many listeners); returns what ends that. */
function watchProcess(onProblem: (problem: string) => void): () => void {
	const onRejection = (reason: unknown) => onProblem(`unhandled rejection: ${textOf(reason)}`);
	const onException = (error: unknown) => onProblem(`uncaught exception: ${textOf(error)}`);
	const onWarning = ({ name, message }: Error) => {
		// Counting objects is experimental: that is our own doing.
		if (name !== 'ExperimentalWarning') onProblem(`warning: ${name}: ${message}`);
	};
	process.on('unhandledRejection', onRejection);
	process.on('uncaughtException', onException);
	process.on('warning', onWarning);
	return () => {
		process.off('unhandledRejection', onRejection);
		process.off('uncaughtException', onException);
		process.off('warning', onWarning);
	};
}

function textOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function whatIsLeft(mark: string): Promise<CountedProcess[]> {
	const deadline = performance.now() + goneMs;
	for (;;) {
		const left = markedProcesses(mark);
		if (left.length === 0 || performance.now() > deadline) return left;
		await delay(50);
	}
}
