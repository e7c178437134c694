import { SeededRandom } from '../../bench/random.ts';
import { getOrAdd } from '../../src/common/memo.ts';
import { stem } from '../../src/discovery/search/words/analyzer.ts';
import { DIMENSIONS, dot, type Meaning, unit } from '../../src/discovery/search/words/meanings.ts';
import type { KnownSentence } from './knownSentences.ts';
import type { WordVectors } from './wordVectors.ts';

/** Terms that get a meaning: the most frequent ones in sentences and tools, and common ones of the language. */
const MOST_TERMS = 7000;
const LEAST_USES = 2;
const ROUNDS = 16;
const RATE = 0.02;
/** Servers whose tools are distinguished at once, as in a catalog; and the most sentences that are read for it. */
const SERVERS = 12;
const SENTENCES = 1024;
/** Sentences of a tool that count as its description, and their weight beside its name. */
const DESCRIBING = 2;
const DESCRIBED = 0.3;
/** Factor for a similarity, so that it can say how likely a tool is. */
const SHARPNESS = 10;
/** Share of the terms that are left out, others each time: so each must carry some of the meaning. */
const DROPPED = 0.15;

/** Terms as rows of the matrix that is learned, with their weights. */
type Bag = readonly (readonly [row: number, weight: number])[];

interface LearnedTool {
	readonly bag: Bag;
	readonly sentences: readonly Bag[];
}

/**
 * Learns the meaning of terms so that what people say about a tool points the same way as the tool's own words, and another way than other tools:
 * the mean of word vectors, trained with a softmax over the tools of a few servers. It begins with vectors of the language, which know words that
 * no sentence has.
 */
export function learnMeanings(
	all: readonly KnownSentence[],
	language: WordVectors,
): ReadonlyMap<string, Meaning> {
	const terms = chosenTerms(all, language);
	const rows = new Map(terms.map(({ term }, row) => [term, row]));
	const bagOf = (weighted: Iterable<readonly [term: string, weight: number]>): Bag =>
		[...weighted].flatMap(([term, weight]) => {
			const row = rows.get(term);
			return row === undefined ? [] : [[row, weight] as const];
		});
	const servers = [...Map.groupBy(all, ({ server }) => server).values()].map((sentences) =>
		[...Map.groupBy(sentences, ({ impacts }) => impacts)].map(
			([impacts, own]): LearnedTool => ({
				bag: bagOf(impacts),
				sentences: own.map(({ words }) => bagOf(new Map(words.map((word) => [stem(word), 1])))),
			}),
		),
	);
	const random = new SeededRandom(1);
	const learned = new Matrix(firstMeanings(terms, language, random));
	for (let round = 0; round < ROUNDS; round++) {
		const order = random.shuffle(servers);
		for (let i = 0; i < order.length; i += SERVERS)
			learnToTellApart(order.slice(i, i + SERVERS).flat(), learned, random);
	}
	return new Map(terms.map(({ term }, row) => [term, learned.rows[row] as Meaning]));
}

interface Term {
	readonly term: string;
	readonly uses: number;
}

function chosenTerms(all: readonly KnownSentence[], language: WordVectors): Term[] {
	const uses = new Map<string, number>();
	const count = (term: string) => uses.set(term, (uses.get(term) ?? 0) + 1);
	for (const { words } of all) for (const term of new Set(words.map(stem))) count(term);
	for (const impacts of new Set(all.map(({ impacts }) => impacts)))
		for (const term of impacts.keys()) count(term);
	for (const term of language.vectors.keys()) if (!uses.has(term)) uses.set(term, 0);
	/** Uses here, and in the language, where the hundredth word counts like 1,500 uses. */
	const worth = ({ term, uses }: Term) =>
		uses + 3000 / (1 + (language.ranks.get(term) ?? Number.POSITIVE_INFINITY) / 100);
	return [...uses]
		.map(([term, uses]) => ({ term, uses }))
		.filter(
			(candidate) =>
				/^[a-z]{2,16}$/.test(candidate.term) &&
				(candidate.uses >= LEAST_USES || language.vectors.has(candidate.term)),
		)
		.sort((a, b) => worth(b) - worth(a))
		.slice(0, MOST_TERMS);
}

/** A rare term has a long vector: it says more about a text. One that the language does not know points anywhere. */
function firstMeanings(terms: readonly Term[], language: WordVectors, random: SeededRandom): Meaning[] {
	const most = Math.max(...terms.map(({ uses }) => uses));
	return terms.map(({ term, uses }) => {
		const weight = Math.min(0.75, Math.log((most + 1) / (uses + 1)) / Math.log(most + 1));
		const vector =
			language.vectors.get(term) ??
			unit(Float32Array.from({ length: DIMENSIONS }, () => random.next() - 0.5));
		return vector.map((value) => weight * value);
	});
}

/** One step: each sentence should be more like its tool than like any other. */
function learnToTellApart(tools: readonly LearnedTool[], learned: Matrix, random: SeededRandom): void {
	const drop = (bag: Bag) => bag.filter(() => random.next() > DROPPED);
	const asked: { bag: Bag; tool: number }[] = [];
	const texts = tools.map(({ bag, sentences }, tool) => {
		const mixed = random.shuffle(sentences);
		for (const own of mixed.slice(DESCRIBING)) asked.push({ bag: drop(own), tool });
		const said = mixed
			.slice(0, DESCRIBING)
			.flatMap((own) => own.map(([row, weight]) => [row, DESCRIBED * weight] as const));
		return learned.text(drop([...bag, ...said]));
	});
	const chosen = random.shuffle(asked).slice(0, SENTENCES);
	const slopes = texts.map(() => new Float32Array(DIMENSIONS));
	for (const { bag, tool } of chosen) {
		const sentence = learned.text(bag);
		const odds = texts.map(({ meaning }) => Math.exp(SHARPNESS * dot(sentence.meaning, meaning)));
		const sum = odds.reduce((a, b) => a + b, 0);
		const slope = new Float32Array(DIMENSIONS);
		for (const [other, { meaning }] of texts.entries()) {
			const error = ((odds[other] as number) / sum - Number(other === tool)) * (SHARPNESS / chosen.length);
			addTo(slope, meaning, error);
			addTo(slopes[other] as Float32Array, sentence.meaning, error);
		}
		learned.addSlope(sentence, slope);
	}
	for (const [i, text] of texts.entries()) learned.addSlope(text, slopes[i] as Float32Array);
	learned.step();
}

interface Text {
	readonly bag: Bag;
	readonly meaning: Meaning;
	readonly length: number;
}

/** The vectors that are learned, by gradient descent with a rate for each value (AdaGrad, Duchi, Hazan and Singer, 2011). */
class Matrix {
	readonly rows: readonly Meaning[];
	readonly #slopes = new Map<number, Float32Array>();
	readonly #squares: readonly Float32Array[];

	constructor(rows: readonly Meaning[]) {
		this.rows = rows;
		this.#squares = rows.map(() => new Float32Array(DIMENSIONS).fill(1e-6));
	}

	text(bag: Bag): Text {
		const sum = new Float32Array(DIMENSIONS);
		for (const [row, weight] of bag) addTo(sum, this.rows[row] as Meaning, weight);
		const length = Math.hypot(...sum) + 1e-6;
		return { bag, meaning: sum.map((value) => value / length), length };
	}

	/** Adds the slope of a text's direction to the slopes of its terms. */
	addSlope({ bag, meaning, length }: Text, slope: Float32Array): void {
		const along = dot(slope, meaning);
		const own = slope.map((value, i) => (value - along * (meaning[i] as number)) / length);
		for (const [row, weight] of bag)
			addTo(
				getOrAdd(this.#slopes, row, () => new Float32Array(DIMENSIONS)),
				own,
				weight,
			);
	}

	step(): void {
		for (const [row, slope] of this.#slopes) {
			const values = this.rows[row] as Meaning;
			const squares = this.#squares[row] as Float32Array;
			for (let i = 0; i < DIMENSIONS; i++) {
				const own = slope[i] as number;
				squares[i] = (squares[i] as number) + own ** 2;
				values[i] = (values[i] as number) - (RATE * own) / Math.sqrt(squares[i] as number);
			}
		}
		this.#slopes.clear();
	}
}

function addTo(sum: Float32Array, values: Float32Array, factor: number): void {
	for (let i = 0; i < DIMENSIONS; i++) sum[i] = (sum[i] as number) + factor * (values[i] as number);
}
