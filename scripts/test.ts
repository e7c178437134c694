// `npm test [-- STAGE…]`: everything that must hold, cheapest first, so that a slip shows within seconds. Stops at
// the first stage that fails.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { release, spawnLeashed } from './childProcess.ts';
import { findBrowser } from './chromium.ts';
import { ensure, exampleServers, type Installation, vscodeHost } from './install/install.mjs';
import { PROJECT_NODE } from './projectPaths.ts';

interface Stage {
	readonly name: string;
	/** What it runs in. Installed before the lanes begin: two of them would install the same at once. */
	readonly needs?: readonly Installation[];
	/** One after the other. */
	readonly commands: readonly (readonly [string, ...string[]])[];
}

const vitest = (...projects: readonly string[]): Stage['commands'] => [
	['vitest', 'run', ...projects.flatMap((project) => ['--project', project])],
];

/** These use all processors by themselves: one after the other. */
const BUSY: readonly Stage[] = [
	{ name: 'types', commands: [['tsc', '-p', '.']] },
	{ name: 'lint', commands: [['biome', 'check', '--error-on-warnings']] },
	{ name: 'unit', commands: vitest('unit') },
	{ name: 'properties', commands: vitest('properties') },
	{ name: 'providers', commands: vitest('providers') },
	// All that the stages below read: the package, and the bundles, the last of which are for tests.
	{
		name: 'build',
		commands: [
			[PROJECT_NODE, 'scripts/packageExtension.ts'],
			[PROJECT_NODE, 'esbuild.mjs', '--tests'],
		],
	},
];

/** These wait for windows and servers more than they work: the lanes run side by side, the stages of each one after the other. */
const LANES: readonly (readonly Stage[])[] = [
	[{ name: 'browser', commands: vitest('browser'), needs: [exampleServers, vscodeHost] }],
	[
		{ name: 'host', commands: [[PROJECT_NODE, 'test/host/runHost.ts']], needs: [exampleServers, vscodeHost] },
		{ name: 'servers', commands: vitest('servers', 'loop'), needs: [exampleServers] },
		{ name: 'conformance', commands: [[PROJECT_NODE, 'test/conformance/main.ts']] },
	],
];

const running = new Set<ChildProcess>();
/** Another stage has failed: what still runs is ended. */
let isStopping = false;

/** Runs a stage to its end; `live`: its output is shown as it comes, else whole when it ends. */
async function runStage(
	{ name, commands }: Stage,
	live: boolean,
	env: Record<string, string>,
): Promise<void> {
	const started = performance.now();
	console.log(live ? `\n── ${name} ──` : `${name}: started`);
	const output: Buffer[] = [];
	const ended = (what: string) => {
		const seconds = ((performance.now() - started) / 1_000).toFixed(1);
		if (!live) console.log(`\n── ${name} ──\n${Buffer.concat(output)}`);
		console.log(`${name}: ${what} ${seconds} s`);
	};
	for (const [program, ...args] of commands) {
		const child = spawnLeashed(program, args, { output: live ? 'inherit' : 'pipe', env });
		running.add(child);
		for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
		const [exitCode] = await once(child, 'close');
		running.delete(child);
		if (exitCode === 0) continue;
		ended(isStopping ? 'stopped after' : 'failed after');
		throw new Error(`${[program, ...args].join(' ')} ended with code ${exitCode}`);
	}
	ended('passed in');
}

/** Runs the stages of these names, or all of them. */
async function runStages(names: readonly string[]): Promise<void> {
	const all = [...BUSY, ...LANES.flat()].map(({ name }) => name);
	const unknown = names.filter((name) => !all.includes(name));
	if (unknown.length > 0)
		throw new Error(`No such stage: ${unknown.join(', ')}. There are: ${all.join(', ')}`);
	const chosen = (stages: readonly Stage[]) =>
		names.length === 0 ? stages : stages.filter(({ name }) => names.includes(name));
	const busy = chosen(BUSY);
	const env: Record<string, string> = busy.some(({ name }) => name === 'build')
		? { TESTS_ARE_BUILT: '1' }
		: {};
	for (const stage of busy) await runStage(stage, true, env);
	const lanes = LANES.map(chosen).filter((stages) => stages.length > 0);
	const needed = new Set(lanes.flat().flatMap(({ needs = [] }) => needs));
	if (process.env.VSCODE_HOST) needed.delete(vscodeHost);
	await ensure(...needed);
	if (needed.has(vscodeHost)) await findBrowser();
	await Promise.all(
		lanes.map(async (stages) => {
			for (const stage of stages) await runStage(stage, lanes.length === 1, env);
		}),
	);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.once('disconnect', () => process.exit(1));

try {
	const started = performance.now();
	await runStages(process.argv.slice(2));
	console.log(`\nAll stages passed, in ${((performance.now() - started) / 1_000).toFixed(0)} s.`);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
isStopping = true;
await Promise.all([...running].map(release));
process.exit();
