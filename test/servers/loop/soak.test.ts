import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../scripts/childProcess.ts';
import { PROJECT_NODE } from '../../../scripts/projectPaths.ts';
import { isNightly } from '../../effort.ts';
import type { SoakReport } from '../../soak/runSoak.ts';
import { canCountProcesses } from '../faults/census.ts';

const calls = 100;
/** Some seconds of work; on a machine that is busy with other things it may take minutes. */
const longestMs = 300_000;
/** Chats that are kept fill up in so short a time; what a call leaves behind for good would come on top. */
const mostMegabytesPerThousandCalls = 50;

// Every night, because it takes as long as a hundred other tests.
describe.runIf(isNightly && canCountProcesses)('given a day of work with real servers', () => {
	let report: SoakReport;

	// A process of its own: whatever happens to it is ours, and its memory holds nothing of the tests.
	beforeAll(async () => {
		const folder = mkdtempSync(join(tmpdir(), 'mcp-soak-report-'));
		const file = join(folder, 'soak.json');
		const args = ['scripts/soak.ts', '--calls', `${calls}`, '--json', file];
		// What it has to say stands in the report; without one, in the error.
		const failure = await run(PROJECT_NODE, args, { output: 'pipe' }).catch((error: unknown) => error);
		try {
			report = JSON.parse(readFileSync(file, 'utf8')) as SoakReport;
		} catch {
			throw failure;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}, longestMs);

	test('every step succeeds, without unhandled rejections or warnings about leaks', () => {
		expect(report.problems).toEqual([]);
		expect(report.calls).toBeGreaterThanOrEqual(calls);
		expect(report.errors).toBeGreaterThan(0);
	});

	test('no process outlives the window', () => {
		expect(report.samples.at(-1)?.processes).toBeGreaterThan(0);
		expect(report.left).toEqual([]);
	});

	test('closed connections are released, and memory use is bounded', () => {
		expect(report.samples.at(-1)?.connections).toBeGreaterThan(0);
		expect(report.samples.at(-1)?.connections).toBeLessThanOrEqual(2 * report.servers);
		expect(report.heldMegabytesPerThousandCalls).toBeLessThan(mostMegabytesPerThousandCalls);
	});
});
