import path from 'node:path';
import { run } from '../../scripts/childProcess.ts';
import { ensure, exampleServers } from '../../scripts/install/install.mjs';
import { EXAMPLE_WORKSPACE, PROJECT_NODE, PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import type { Benchmark } from '../benchmark.ts';
import { count, quantity } from '../report.ts';
import type { FirstRequest, Stalls } from '../start/startOptions.ts';
import { type Start, timeStarts } from '../start/timeStarts.ts';
import { median } from '../timing.ts';

const RUNS = 5;
const MANY_SERVERS = 100;

const LABELS: Readonly<Record<Start, string>> = {
	cold: 'cold: no list on disk',
	warm: 'warm: lists on disk',
	all: 'every server first',
};

/** Time from a new window to the first model request with real servers: ours, and with every server started first. */
export const start: Benchmark = {
	name: 'start',
	title: 'First request with the servers of examples/workspace',
	async measure() {
		await ensure(exampleServers);
		const times = Object.entries(await timeStarts(EXAMPLE_WORKSPACE, RUNS));
		const stalls: Stalls[] = [];
		for (let i = 0; i < RUNS; i++) stalls.push(await startMany());
		const stallsMs = stalls.map(({ longestMs }) => longestMs);
		return {
			kind: 'measured',
			figures: {
				...Object.fromEntries(times.map(([name, runs]) => [`start.${name}.ms`, medianMs(runs)])),
				[`start.${MANY_SERVERS}.stall.ms`]: median(stallsMs),
			},
			tables: [
				{
					columns: ['start', 'median ms', 'least', 'most', 'servers up', 'tools known', 'tools sent'],
					rows: times.map(([name, runs]) => [LABELS[name as Start], ...cells(runs)]),
				},
				{
					title: `${MANY_SERVERS} servers that start together`,
					columns: ['', 'median ms', 'least', 'most'],
					rows: [
						['longest stall', ...spread(stallsMs)],
						['until all have listed their tools', ...spread(stalls.map(({ allReadyMs }) => allReadyMs))],
					],
				},
			],
			notes: [
				`${RUNS} starts each, every one a new process: from reading the configuration until the model is called. The message is there at once.`,
				`Stalls: the longest turn of the event loop that starts the servers, in ${RUNS} runs of their own. The servers are Node.js processes on the same machine and compete for its processors.`,
			],
		};
	},
};

async function startMany(): Promise<Stalls> {
	const script = path.join(PROJECT_ROOT, 'bench/start/manyServers.ts');
	const stalls = JSON.parse(
		await run(PROJECT_NODE, [script, String(MANY_SERVERS)], { output: 'pipe' }),
	) as Stalls;
	if (stalls.ready < MANY_SERVERS) throw new Error(`Only ${stalls.ready} of ${MANY_SERVERS} servers started`);
	return stalls;
}

function spread(ms: readonly number[]): string[] {
	return [median(ms), Math.min(...ms), Math.max(...ms)].map(quantity);
}

function medianMs(runs: readonly FirstRequest[]): number {
	return median(runs.map(({ ms }) => ms));
}

function cells(runs: readonly FirstRequest[]): string[] {
	const ms = runs.map((run) => run.ms);
	const counts = (of: (run: FirstRequest) => number): string => count(median(runs.map(of)));
	return [
		...spread(ms),
		`${counts((run) => run.serversUp)} of ${counts((run) => run.servers)}`,
		counts((run) => run.toolsKnown),
		counts((run) => run.toolsSent),
	];
}
