/** A part of `npm test`. */
export interface Stage {
	readonly name: string;
	/** Cores that it keeps busy. Stages run side by side while there are cores for them. */
	readonly cores: number;
	/** Stages that must pass first. */
	readonly needs?: readonly string[];
	/** Programs for the project's Node, each with its arguments, one after the other. */
	readonly programs: readonly (readonly string[])[];
	/** Says why the stage cannot run on a platform. */
	readonly skipOn?: Readonly<Partial<Record<NodeJS.Platform, string>>>;
}

const VITEST = 'node_modules/vitest/vitest.mjs';

function vitest(...args: readonly string[]): Stage['programs'] {
	return [[VITEST, 'run', ...args]];
}

/**
 * In the order in which they start: first what fails fast and what others wait for. The host tests then take as long on one core as all those up
 * to `conformance` on the other.
 */
export const STAGES: readonly Stage[] = [
	{
		name: 'lint',
		cores: 1,
		programs: [
			['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
			['scripts/plainEnglish.ts'],
		],
	},
	{
		name: 'build',
		cores: 1,
		programs: [['scripts/packageExtension.ts'], ['esbuild.mjs', '--tests']],
	},
	{ name: 'types', cores: 1, programs: [['node_modules/typescript/bin/tsc', '-p', '.']] },
	{ name: 'host', cores: 1, needs: ['build'], programs: [['test/host/runHost.ts']] },
	{ name: 'unit', cores: 1, programs: vitest('--project', 'unit', '--maxWorkers', '1') },
	{ name: 'properties', cores: 1, programs: vitest('--project', 'properties', '--maxWorkers', '1') },
	{ name: 'providers', cores: 1, programs: vitest('--project', 'providers', '--maxWorkers', '1') },
	{ name: 'world', cores: 1, programs: vitest('--project', 'world', '--maxWorkers', '1') },
	{ name: 'conformance', cores: 1, needs: ['build'], programs: [['test/conformance/main.ts']] },
	{
		name: 'servers',
		cores: 2,
		needs: ['build'],
		programs: vitest('--project', 'servers'),
	},
	{
		name: 'browser',
		cores: 2,
		needs: ['build'],
		programs: vitest('--project', 'browser'),
		skipOn: { win32: 'code-server, which shows VS Code in a browser, does not run on Windows' },
	},
];

/** The named stages with the stages that they need; without names, all. Throws for an unknown name. */
export function chooseStages(names: readonly string[]): readonly Stage[] {
	const known = STAGES.map(({ name }) => name);
	const unknown = names.filter((name) => !known.includes(name));
	if (unknown.length > 0) {
		throw new Error(`Unknown stage: ${unknown.join(', ')}. The stages are: ${known.join(', ')}`);
	}
	if (names.length === 0) return STAGES;
	const wanted = new Set(names);
	for (const { name, needs = [] } of STAGES.toReversed()) {
		if (wanted.has(name)) for (const need of needs) wanted.add(need);
	}
	return STAGES.filter(({ name }) => wanted.has(name));
}

/** The waiting stages that may start now. A stage that wants more cores than the machine has runs alone. */
export function stagesToStart(
	waiting: readonly Stage[],
	running: readonly Stage[],
	cores: number,
): readonly Stage[] {
	const unfinished = new Set([...waiting, ...running].map(({ name }) => name));
	const starting: Stage[] = [];
	let free = cores - running.reduce((sum, stage) => sum + stage.cores, 0);
	for (const stage of waiting) {
		if (stage.needs?.some((name) => unfinished.has(name))) continue;
		const isAlone = running.length + starting.length === 0;
		// Nothing overtakes a stage that waits for cores: else a large one would wait to the end.
		if (stage.cores > free && !isAlone) break;
		starting.push(stage);
		free -= stage.cores;
	}
	return starting;
}

export interface TestCount {
	readonly passed: number;
	readonly failed: number;
}

/** The lines in which vitest, mocha and our own programs print their totals. */
const TOTALS = /^ *Tests {2}.*$|^ *\d+ (?:passing|failing)\b|^\d+ passed, \d+ failed$/gm;

/** Adds up the totals of a stage's output. A stage that prints none, such as the compiler, counts as one test. */
export function countTests(output: string, hasPassed: boolean): TestCount {
	const totals = output.match(TOTALS)?.join('\n') ?? '';
	const sum = (words: string) =>
		[...totals.matchAll(new RegExp(`(\\d+) (?:${words})`, 'g'))].reduce((all, [, n]) => all + Number(n), 0);
	const passed = sum('passed|passing');
	const failed = sum('failed|failing');
	return hasPassed ? { passed: Math.max(passed, 1), failed } : { passed, failed: Math.max(failed, 1) };
}
