// `node scripts/soak.ts [--minutes N | --calls N] [--json FILE]` uses real servers through the pool and the tool loop for a
// while, and prints the memory in use. Exits with code 1 if a step failed, a rejection was unhandled or a process is left.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SoakReport, SoakSample } from '../test/soak/runSoak.ts';
import { runSoak } from '../test/soak/runSoak.ts';
import { ensure, exampleServers } from './install/install.mjs';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 10;
/** The least number of samples. A long soak takes one every 15 seconds. */
const SAMPLES = 12;
const LONGEST_BETWEEN_SAMPLES_MS = 15_000;
/** Used if only the number of calls is known. */
const BETWEEN_SAMPLES_MS = 2_000;
const PAUSE_MS = 50;

const COLUMNS = ['minutes', 'calls', 'held MB', 'rss MB', 'processes', 'connections'];
const CELL_WIDTH = 13;

const OPTIONS = {
	minutes: { type: 'string' },
	/** Ends after this many calls instead, without pauses. */
	calls: { type: 'string' },
	/** File for the report. */
	json: { type: 'string' },
} as const;

function number(text: string): number {
	const value = Number(text);
	if (!(value > 0)) throw new Error(`Not a number above zero: ${text}`);
	return value;
}

function line({ ms, calls, heldMegabytes, rssMegabytes, processes, connections }: SoakSample): string {
	const cells = [ms / MINUTE_MS, calls, heldMegabytes, rssMegabytes, processes, connections];
	const digits = [1, 0, 2, 0, 0, 0];
	return cells.map((cell, i) => cell.toFixed(digits[i]).padStart(CELL_WIDTH)).join('');
}

function print(report: SoakReport): void {
	const { rounds, calls, errors, heldMegabytesPerHour, heldMegabytesPerThousandCalls } = report;
	console.log(`\n${rounds} rounds, ${calls} calls, ${errors} of them with an error as result`);
	console.log(
		`memory growth: ${heldMegabytesPerHour.toFixed(2)} MB per hour, ${heldMegabytesPerThousandCalls.toFixed(2)} MB per thousand calls`,
	);
	console.log(`rss: ${report.rssMegabytesPerHour.toFixed(2)} MB per hour`);
	console.log(`processes left: ${report.left.map(({ command }) => command).join('; ') || 'none'}`);
	console.log(`problems: ${report.problems.length === 0 ? 'none' : ''}`);
	for (const problem of report.problems) console.log(`  ${problem}`);
}

try {
	const { values: options } = parseArgs({ options: OPTIONS });
	const wantedCalls = options.calls === undefined ? undefined : number(options.calls);
	const wantedMs = number(options.minutes ?? String(DEFAULT_MINUTES)) * MINUTE_MS;
	await ensure(exampleServers);
	console.log(COLUMNS.map((name) => name.padStart(CELL_WIDTH)).join(''));
	const report = await runSoak({
		goesOn: ({ ms, calls }) => (wantedCalls === undefined ? ms < wantedMs : calls < wantedCalls),
		sampleEveryMs:
			wantedCalls === undefined
				? Math.min(LONGEST_BETWEEN_SAMPLES_MS, wantedMs / SAMPLES)
				: BETWEEN_SAMPLES_MS,
		pauseMs: wantedCalls === undefined ? PAUSE_MS : 0,
		onSample: (sample) => console.log(line(sample)),
	});
	print(report);
	if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, '\t')}\n`);
	if (report.problems.length > 0 || report.left.length > 0) process.exitCode = 1;
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
