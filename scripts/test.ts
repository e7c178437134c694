// `npm test [-- [nightly] [--show] [STAGE…]]`: runs all stages, or the named ones and what they need, side by side
// where there are cores for them. Prints a line for each stage; its output goes to test-results/logs, and is shown
// when the stage fails, or always with --show. `nightly` tries many more inputs, and every fault over every transport.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { release, spawnLeashed } from './childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT, TEST_RESULTS } from './projectPaths.ts';
import { chooseStages, countTests, type Stage, stagesToStart, type TestCount } from './stages.ts';

const LOGS = path.join(TEST_RESULTS, 'logs');
/** Lines shown of a failed stage: the runners print what failed at the end. */
const LINES_SHOWN = 300;
/** The browser stage keeps two busy; with one, the stages would still run one by one. */
const LEAST_CORES = 2;

interface Outcome extends TestCount {
	readonly stage: Stage;
	readonly hasPassed: boolean;
}

const args = process.argv.slice(2);
const isNightly = args.includes('nightly');
const showsAll = args.includes('--show');
const names = args.filter((arg) => arg !== 'nightly' && arg !== '--show');
/** Whatever needs the build stage runs after it. */
const env = { TESTS_ARE_BUILT: '1', ...(isNightly && { NIGHTLY: '1' }) };
const children = new Set<ChildProcess>();

const logOf = ({ name }: Stage) => path.join(LOGS, `${name}.log`);

/** Prints a line in place of the status line, which is then drawn again. */
function print(line: string): void {
	if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
	console.log(line);
}

/** Runs the programs of a stage until one fails. */
async function runStage(stage: Stage): Promise<Outcome> {
	const started = performance.now();
	const log = createWriteStream(logOf(stage));
	let hasPassed = true;
	for (const program of stage.programs) {
		const child = spawnLeashed(PROJECT_NODE, program, { env, output: 'pipe' });
		children.add(child);
		for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
		const [exitCode] = (await once(child, 'close')) as [number | null];
		children.delete(child);
		hasPassed = exitCode === 0;
		if (!hasPassed) break;
	}
	await new Promise<void>((resolve) => log.end(resolve));
	const seconds = ((performance.now() - started) / 1_000).toFixed(1);
	const output = stripVTControlCharacters(readFileSync(logOf(stage), 'utf8'));
	const outcome = { stage, hasPassed, ...countTests(output, hasPassed) };
	if (!isStopped) report(outcome, seconds, output);
	return outcome;
}

function report({ stage, hasPassed, passed, failed }: Outcome, seconds: string, output: string): void {
	const counts = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`;
	print(`${hasPassed ? '✓' : '✗'} ${stage.name.padEnd(12)} ${seconds.padStart(6)} s  ${counts}`);
	if (hasPassed && !showsAll) return;
	const lines = output.trimEnd().split('\n');
	print(`\n${(showsAll ? lines : lines.slice(-LINES_SHOWN)).join('\n')}\n`);
	if (hasPassed) return;
	print(`${stage.name} failed. Its whole output: ${path.relative(PROJECT_ROOT, logOf(stage))}`);
	print(`Run it again: npm test -- ${isNightly ? 'nightly ' : ''}${stage.name}`);
}

let isStopped = false;

/** Runs stages side by side. When one fails, it stops the others, but in CI only if one of them needs it: a run there shows all that fails. */
async function runStages(stages: readonly Stage[]): Promise<readonly Outcome[]> {
	const cores = Math.max(LEAST_CORES, availableParallelism());
	const outcomes: Outcome[] = [];
	const running = new Map<Stage, Promise<Outcome>>();
	let waiting = stages;
	for (;;) {
		const starting = stagesToStart(waiting, [...running.keys()], cores);
		waiting = waiting.filter((stage) => !starting.includes(stage));
		for (const stage of starting) running.set(stage, runStage(stage));
		if (running.size === 0) return outcomes;
		if (process.stdout.isTTY)
			process.stdout.write(`  … ${[...running.keys()].map(({ name }) => name).join(', ')}`);
		const outcome = await Promise.race(running.values());
		running.delete(outcome.stage);
		outcomes.push(outcome);
		const isNeeded = waiting.some(({ needs }) => needs?.includes(outcome.stage.name));
		if (outcome.hasPassed || (process.env.CI && !isNeeded)) continue;
		isStopped = true;
		const unfinished = [...running.keys(), ...waiting].map(({ name }) => name);
		if (unfinished.length > 0) print(`Not finished: ${unfinished.join(', ')}`);
		await Promise.all([...children].map(release));
		return outcomes;
	}
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.once('disconnect', () => process.exit(1));

try {
	const started = performance.now();
	const chosen = chooseStages(names);
	for (const { name, skipOn } of chosen) {
		const reason = skipOn?.[process.platform];
		if (reason) print(`- ${name.padEnd(12)} skipped: ${reason}`);
	}
	mkdirSync(LOGS, { recursive: true });
	const outcomes = await runStages(chosen.filter(({ skipOn }) => !skipOn?.[process.platform]));
	const total = (key: keyof TestCount) => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
	print(`\n${((performance.now() - started) / 1_000).toFixed(0)} s`);
	print(`${total('passed')} passed, ${total('failed')} failed`);
	if (total('failed') > 0) process.exitCode = 1;
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
// A stage that was stopped may have left a handle open.
process.exit();
