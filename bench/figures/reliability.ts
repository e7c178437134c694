import { judgeOurClient } from '../../test/conformance/judge.ts';
import type { Verdict } from '../../test/conformance/verdict.ts';
import { setup } from '../../test/processes.setup.ts';
import { type FaultGroup, type FaultRow, faultGroups } from '../../test/servers/faults/fault.ts';
import { type FaultFigures, runFaults } from '../../test/servers/faults/runFaults.ts';
import type { Benchmark, Table } from '../benchmark.ts';
import { count, quantity } from '../report.ts';

const BYTES_PER_MB = 1_000_000;

/**
 * The reliability promises in figures: every scripted fault of a server, and the verdict of an independent judge on our client.
 */
export const reliability: Benchmark = {
	name: 'reliability',
	title: 'Faults of servers that are survived, and conformance',
	async measure() {
		await setup();
		const faults = await runFaults();
		const verdicts = await judgeOurClient();
		const passed = verdicts.filter(({ isPassed }) => isPassed).length;
		return {
			kind: 'measured',
			figures: {
				'faults.tried': faults.tried,
				'faults.survived': faults.survived,
				'stall.max.ms': faults.stallMaxMs,
				'memory.max.mb': faults.memoryMaxBytes / BYTES_PER_MB,
				orphans: faults.orphans,
				'conformance.passed': passed,
				'conformance.failed': verdicts.length - passed,
				'conformance.checks': verdicts.reduce((sum, verdict) => sum + verdict.passed, 0),
			},
			tables: [faultTable(faults), conformanceTable(verdicts)],
			notes: [
				...faults.rows.filter(({ problems }) => problems.length > 0).map(describe),
				'A fault is survived if it came out as it must, a healthy server beside it answered meanwhile, and no process was left. Stalls are measured from another process, on a machine that runs the servers too; what seems to take over 100 ms or 80 MB is tried up to three times, and the least counts.',
				'Conformance: every scenario that the revisions 2025-11-25 and 2026-07-28 require of clients, each as its revision has it; one is passed if at least one check passed, and none failed or warned.',
			],
		};
	},
};

function faultTable({ rows, ...all }: FaultFigures): Table {
	const line = (group: FaultGroup): string[] => {
		const ofGroup = rows.filter((row) => row.group === group);
		return [
			group,
			count(ofGroup.length),
			count(ofGroup.filter(({ problems }) => problems.length === 0).length),
			quantity(Math.max(0, ...ofGroup.map(({ stallMs }) => stallMs))),
			quantity(Math.max(0, ...ofGroup.map(({ memoryBytes }) => memoryBytes)) / BYTES_PER_MB),
			count(ofGroup.reduce((sum, { orphans }) => sum + orphans.length, 0)),
		];
	};
	return {
		title: 'Faults, over each transport that has them',
		columns: ['group', 'tried', 'survived', 'longest stall ms', 'most memory MB', 'orphans'],
		rows: [
			...faultGroups.map(line),
			[
				'all',
				count(all.tried),
				count(all.survived),
				quantity(all.stallMaxMs),
				quantity(all.memoryMaxBytes / BYTES_PER_MB),
				count(all.orphans),
			],
		],
	};
}

function conformanceTable(verdicts: readonly Verdict[]): Table {
	return {
		title: 'Client scenarios of @modelcontextprotocol/conformance',
		columns: ['scenario', 'passed', 'checks passed', 'failed'],
		rows: verdicts.map(({ scenario, isPassed, passed, failed }) => [
			scenario,
			isPassed ? 'yes' : 'NO',
			count(passed),
			count(failed),
		]),
	};
}

function describe({ name, transport, problems }: FaultRow): string {
	return `NOT SURVIVED: ${name} over ${transport}: ${problems.join('; ')}`;
}
