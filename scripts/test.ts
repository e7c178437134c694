// `npm test [-- STAGE…]`: everything that must hold, cheapest first, so that a slip shows within seconds. Stops at
// the first stage that fails.
import { run } from './childProcess.ts';
import { PROJECT_NODE } from './projectPaths.ts';

interface Stage {
	readonly name: string;
	readonly command: readonly [string, ...string[]];
}

const STAGES: readonly Stage[] = [
	{ name: 'types', command: ['tsc', '-p', '.'] },
	{ name: 'lint', command: ['biome', 'check', '--error-on-warnings'] },
	{ name: 'unit', command: ['vitest', 'run', '--project', 'unit'] },
	{ name: 'properties', command: ['vitest', 'run', '--project', 'properties'] },
	{ name: 'providers', command: ['vitest', 'run', '--project', 'providers'] },
	// Servers end only with the reaper that is built beside the extension.
	{ name: 'build', command: [PROJECT_NODE, 'esbuild.mjs'] },
	{ name: 'servers', command: ['vitest', 'run', '--project', 'servers', '--project', 'loop'] },
	{ name: 'conformance', command: [PROJECT_NODE, 'test/conformance/main.ts'] },
	{ name: 'host', command: [PROJECT_NODE, 'test/host/runHost.ts'] },
	{ name: 'browser', command: ['vitest', 'run', '--project', 'browser'] },
];

function selectStages(names: readonly string[]): readonly Stage[] {
	const unknown = names.filter((name) => !STAGES.some((stage) => stage.name === name));
	if (unknown.length > 0) {
		const known = STAGES.map((stage) => stage.name).join(', ');
		throw new Error(`No such stage: ${unknown.join(', ')}. There are: ${known}`);
	}
	return names.length === 0 ? STAGES : STAGES.filter((stage) => names.includes(stage.name));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.once('disconnect', () => process.exit(1));

try {
	for (const { name, command } of selectStages(process.argv.slice(2))) {
		const started = performance.now();
		console.log(`\n── ${name} ──`);
		const [program, ...args] = command;
		await run(program, args);
		console.log(`${name}: passed in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
	}
	console.log('\nAll stages passed.');
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
process.exit();
