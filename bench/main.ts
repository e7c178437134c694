// `npm run bench [-- --data FOLDER] [-- --recordings FOLDER] [-- --json FILE] [-- --only GROUP]`: measures and prints tables for
// people; the file gets one flat object of figures.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Benchmark, BenchmarkData, Outcome } from './benchmark.ts';
import { readRecordings } from './code/recording.ts';
import { readCorpora } from './corpus.ts';
import { activation } from './figures/activation.ts';
import { code } from './figures/code.ts';
import { conversation } from './figures/conversation.ts';
import { expansions } from './figures/expansions.ts';
import { firstCall } from './figures/firstCall.ts';
import { loaded } from './figures/loaded.ts';
import { prefetch } from './figures/prefetch.ts';
import { quality } from './figures/quality.ts';
import { reach } from './figures/reach.ts';
import { redaction } from './figures/redaction.ts';
import { reliability } from './figures/reliability.ts';
import { searchResult } from './figures/searchResult.ts';
import { size } from './figures/size.ts';
import { speed } from './figures/speed.ts';
import { start } from './figures/start.ts';
import { sure } from './figures/sure.ts';
import { use } from './figures/use.ts';
import { readQuerySets } from './querySet.ts';
import { formatOutcome } from './report.ts';

const BENCHMARKS: readonly Benchmark[] = [
	firstCall,
	conversation,
	code,
	searchResult,
	loaded,
	reach,
	quality,
	sure,
	expansions,
	use,
	prefetch,
	speed,
	size,
	start,
	activation,
	reliability,
	redaction,
];

const OPTIONS = {
	/** Folder of tools and labelled queries: `<corpus>/tools.json`, `<corpus>/*.queries.json`. */
	data: { type: 'string' },
	/** Folder of recorded conversations, with `--data`: `baseline/output` of icip-cas/LiveMCPBench. */
	recordings: { type: 'string' },
	/** File for the figures. */
	json: { type: 'string' },
	/** Groups to measure; all if left out. */
	only: { type: 'string', multiple: true },
} as const;

function readData(folder: string, recordings: string | undefined): BenchmarkData {
	const corpora = readCorpora(folder);
	if (corpora.length === 0) throw new Error(`No corpus (<name>/tools.json) in ${folder}`);
	const querySets = readQuerySets(folder, corpora);
	return { corpora, querySets, ...(recordings !== undefined && { recordings: readRecordings(recordings) }) };
}

function selected(names: readonly string[] | undefined): readonly Benchmark[] {
	const known = BENCHMARKS.map(({ name }) => name);
	const unknown = names?.find((name) => !known.includes(name));
	if (unknown) throw new Error(`No group '${unknown}': there are ${known.join(', ')}`);
	return BENCHMARKS.filter(({ name }) => names?.includes(name) ?? true);
}

/** One group that fails does not cost the others their figures. */
async function outcomeOf(benchmark: Benchmark, data: BenchmarkData | undefined): Promise<Outcome> {
	try {
		return await benchmark.measure(data);
	} catch (error) {
		process.exitCode = 1;
		return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
	}
}

async function measureAll(): Promise<void> {
	const { values: options } = parseArgs({ options: OPTIONS });
	const benchmarks = selected(options.only);
	const data = options.data === undefined ? undefined : readData(options.data, options.recordings);
	const figures: Record<string, number> = {};
	for (const benchmark of benchmarks) {
		const outcome = await outcomeOf(benchmark, data);
		console.log(`${formatOutcome(benchmark, outcome)}\n`);
		if (outcome.kind === 'measured') Object.assign(figures, outcome.figures);
	}
	if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, '\t')}\n`);
}

try {
	await measureAll();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
