// `npm test [-- STAGE…]`: everything that must hold, cheapest first, so that a slip shows within seconds. Stops when a
// stage fails.
import { run } from './childProcess.ts';
import { PROJECT_NODE } from './projectPaths.ts';

interface Stage {
	readonly name: string;
	/** One after the other. */
	readonly commands: readonly (readonly [string, ...string[]])[];
}

const vitest = (...projects: readonly string[]): Stage['commands'] => [
	['vitest', 'run', ...projects.flatMap((project) => ['--project', project])],
];

/** What needs nothing but the sources. */
const FIRST: readonly Stage[] = [
	{ name: 'types', commands: [['tsc', '-p', '.']] },
	{ name: 'lint', commands: [['biome', 'check', '--error-on-warnings']] },
	{ name: 'unit', commands: vitest('unit') },
	// All that the stages below read: the package, and the bundles, the last of which are for tests.
	{
		name: 'build',
		commands: [
			[PROJECT_NODE, 'scripts/packageExtension.ts'],
			[PROJECT_NODE, 'esbuild.mjs', '--tests'],
		],
	},
];

/** Side by side, as each waits half of its time. Two windows at once would starve each other on two cores: they share a lane. */
const LANES: readonly (readonly Stage[])[] = [
	[
		{ name: 'host', commands: [[PROJECT_NODE, 'test/host/runHost.ts']] },
		{ name: 'browser', commands: vitest('browser') },
	],
	[
		{ name: 'properties', commands: vitest('properties') },
		{ name: 'providers', commands: vitest('providers') },
		{ name: 'servers', commands: vitest('servers', 'loop') },
		{ name: 'conformance', commands: [[PROJECT_NODE, 'test/conformance/main.ts']] },
	],
];

/** Runs the stages of these names, or all of them. */
async function runStages(names: readonly string[]): Promise<void> {
	const all = [...FIRST, ...LANES.flat()].map(({ name }) => name);
	const unknown = names.filter((name) => !all.includes(name));
	if (unknown.length > 0) {
		throw new Error(`No such stage: ${unknown.join(', ')}. There are: ${all.join(', ')}`);
	}
	const chosen = (stages: readonly Stage[]) =>
		stages.filter(({ name }) => names.length === 0 || names.includes(name));
	const lanes = LANES.map(chosen).filter((stages) => stages.length > 0);
	// A lane by itself builds what it needs. Two at once would each build over what the other is running.
	const isBuiltFirst = lanes.length > 1 || names.includes('build');
	const first = FIRST.filter((stage) => (stage.name === 'build' ? isBuiltFirst : chosen([stage]).length > 0));
	const env = isBuiltFirst ? { TESTS_ARE_BUILT: '1' } : {};
	await runInOrder(first, { env });
	if (lanes.length === 1) await runInOrder(lanes.flat(), { env });
	else await Promise.all(lanes.map((stages) => runInOrder(stages, { env, besideOthers: true })));
}

interface LaneOptions {
	readonly env: Readonly<Record<string, string>>;
	/** Each line of output begins with its stage's name. */
	readonly besideOthers?: boolean;
}

async function runInOrder(stages: readonly Stage[], { env, besideOthers }: LaneOptions): Promise<void> {
	for (const { name, commands } of stages) {
		console.log(`\n── ${name} ──`);
		const started = performance.now();
		const show = besideOthers && { onLine: (line: string) => console.log(`${name} │ ${line}`) };
		for (const [program, ...args] of commands) await run(program, args, { env, ...show });
		console.log(`${name}: passed in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
	}
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
process.exit();
