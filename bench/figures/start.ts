import { ensure, exampleServers } from '../../scripts/install/install.mjs';
import { EXAMPLE_WORKSPACE } from '../../scripts/projectPaths.ts';
import type { Benchmark } from '../benchmark.ts';
import { count, quantity } from '../report.ts';
import type { FirstRequest } from '../start/startOptions.ts';
import { type Start, timeStarts } from '../start/timeStarts.ts';
import { median } from '../timing.ts';

const RUNS = 5;

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
		return {
			kind: 'measured',
			figures: Object.fromEntries(times.map(([name, runs]) => [`start.${name}.ms`, medianMs(runs)])),
			tables: [
				{
					columns: ['start', 'median ms', 'least', 'most', 'servers up', 'tools known', 'tools sent'],
					rows: times.map(([name, runs]) => [LABELS[name as Start], ...cells(runs)]),
				},
			],
			notes: [
				`${RUNS} starts each, every one a new process: from reading the configuration until the model is called. The message is there at once.`,
			],
		};
	},
};

function medianMs(runs: readonly FirstRequest[]): number {
	return median(runs.map(({ ms }) => ms));
}

function cells(runs: readonly FirstRequest[]): string[] {
	const ms = runs.map((run) => run.ms);
	const times = [medianMs(runs), Math.min(...ms), Math.max(...ms)].map(quantity);
	const counts = (of: (run: FirstRequest) => number): string => count(median(runs.map(of)));
	return [
		...times,
		`${counts((run) => run.serversUp)} of ${counts((run) => run.servers)}`,
		counts((run) => run.toolsKnown),
		counts((run) => run.toolsSent),
	];
}
