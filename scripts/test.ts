// `npm test [-- STAGE…]`: everything that must hold, cheapest first, so that a slip shows within seconds. Stops at
// the first stage that fails.
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

const STAGES: readonly Stage[] = [
	{ name: 'types', commands: [['tsc', '-p', '.']] },
	{
		name: 'lint',
		commands: [
			['biome', 'check', '--error-on-warnings'],
			[PROJECT_NODE, 'scripts/plainEnglish.ts'],
		],
	},
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
	{ name: 'host', commands: [[PROJECT_NODE, 'test/host/runHost.ts']] },
	{ name: 'servers', commands: vitest('servers', 'loop') },
	{ name: 'conformance', commands: [[PROJECT_NODE, 'test/conformance/main.ts']] },
	{ name: 'browser', commands: vitest('browser') },
];

/** Runs the stages of these names, or all of them, one after the other: two windows at once starve each other on two cores. */
async function runStages(names: readonly string[]): Promise<void> {
	const all = STAGES.map(({ name }) => name);
	const unknown = names.filter((name) => !all.includes(name));
	if (unknown.length > 0) {
		throw new Error(`No such stage: ${unknown.join(', ')}. There are: ${all.join(', ')}`);
	}
	const chosen = names.length === 0 ? STAGES : STAGES.filter(({ name }) => names.includes(name));
	const env = chosen.some(({ name }) => name === 'build') ? { TESTS_ARE_BUILT: '1' } : {};
	for (const { name, commands } of chosen) {
		console.log(`\n── ${name} ──`);
		const started = performance.now();
		for (const [program, ...args] of commands) await run(program, args, { env });
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
