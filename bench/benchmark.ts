import type { Recording } from './code/recording.ts';
import type { Corpus } from './corpus.ts';
import type { QuerySet } from './querySet.ts';

/** Figures by name (`search.10k.p50.us`). The last part of a name is the unit, if any. Shares are 0 to 1. */
export type Figures = Readonly<Record<string, number>>;

/** A table for people. The first column is left-aligned, the others right. */
export interface Table {
	/** For benchmarks with several tables. */
	readonly title?: string;
	readonly columns: readonly string[];
	readonly rows: readonly (readonly string[])[];
}

/** The contents of the folder given with `--data`. */
export interface BenchmarkData {
	readonly corpora: readonly Corpus[];
	readonly querySets: readonly QuerySet[];
	/** Conversations of the folder given with `--recordings`. */
	readonly recordings?: readonly Recording[];
}

/** The outcome of one benchmark. */
export type Outcome =
	| {
			readonly kind: 'measured';
			readonly figures: Figures;
			readonly tables: readonly Table[];
			/** Sentences below the tables: how it was measured, and what is missing. */
			readonly notes: readonly string[];
	  }
	| { readonly kind: 'left out'; readonly reason: string }
	| { readonly kind: 'failed'; readonly message: string };

/** One group of figures. `figures/` has one file for each, listed in `main.ts`. */
export interface Benchmark {
	/** For `--only`. */
	readonly name: string;
	readonly title: string;
	/** `data` is absent if no folder was given. */
	measure(data: BenchmarkData | undefined): Promise<Outcome>;
}

/** The outcome of a benchmark over tools if there are none. */
export const NO_DATA: Outcome = {
	kind: 'left out',
	reason: 'needs tools and queries: name their folder with --data',
};
