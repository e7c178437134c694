import packed from './asked/meanings.json' with { type: 'json' };

/** Numbers of a meaning. */
export const DIMENSIONS = 32;

/** What a text is about, as a direction: texts about the same things point the same way. Of length 1, or 0 if no term of it is known. */
export type Meaning = Float32Array;

/** Meanings of terms, whose lengths say how much a term tells. In `values`, each term has a letter for its scale and one for each number. */
export interface PackedMeanings {
	/** With spaces between them. */
	readonly terms: string;
	readonly values: string;
}

/** The letter for 0; the numbers of a term are from −{@link STEPS} to {@link STEPS}. */
const NOTHING = 'm'.charCodeAt(0);
const STEPS = 7;
/** The letter of the smallest scale, 2 to the power of {@link LEAST_POWER}. Each letter after it is a quarter of a power more. */
const LEAST = 'a'.charCodeAt(0);
const LEAST_POWER = -5;

/** Terms whose numbers are all smaller than the smallest scale are left out. */
export function packMeanings(all: ReadonlyMap<string, Meaning>): PackedMeanings {
	const rows = [...all].flatMap(([term, meaning]) => {
		const letter = LEAST + Math.round(4 * (Math.log2(Math.max(...meaning.map(Math.abs))) - LEAST_POWER));
		if (letter < LEAST) return [];
		const steps = Array.from(meaning, (value) => Math.round((value / scaleOf(letter)) * STEPS));
		const within = steps.map((step) => NOTHING + Math.max(-STEPS, Math.min(STEPS, step)));
		return { term, values: String.fromCharCode(letter, ...within) };
	});
	rows.sort((a, b) => (a.term < b.term ? -1 : 1));
	return {
		terms: rows.map(({ term }) => term).join(' '),
		values: rows.map(({ values }) => values).join(''),
	};
}

function scaleOf(letter: number): number {
	return 2 ** ((letter - LEAST) / 4 + LEAST_POWER);
}

/** Tells what texts are about: the mean of their terms. */
export class Meanings {
	readonly #rows: ReadonlyMap<string, number>;
	readonly #values: string;

	constructor({ terms, values }: PackedMeanings) {
		this.#rows = new Map(terms.split(' ').map((term, row) => [term, row]));
		this.#values = values;
	}

	of(terms: Iterable<readonly [term: string, weight: number]>): Meaning {
		const sum = new Float32Array(DIMENSIONS);
		for (const [term, weight] of terms) {
			const row = this.#rows.get(term);
			if (row === undefined) continue;
			const at = row * (DIMENSIONS + 1);
			const scale = (weight * scaleOf(this.#values.charCodeAt(at))) / STEPS;
			for (let i = 0; i < DIMENSIONS; i++)
				sum[i] = (sum[i] as number) + scale * (this.#values.charCodeAt(at + 1 + i) - NOTHING);
		}
		return unit(sum);
	}
}

let learned: Meanings | undefined;

/** What a text is about, by its terms with their weights. Learned by `scripts/personWords`. */
export function meaningOf(terms: Iterable<readonly [term: string, weight: number]>): Meaning {
	learned ??= new Meanings(packed);
	return learned.of(terms);
}

/** Of two meanings, it is the cosine of the angle between them: −1 to 1, how alike they are. */
export function dot(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
	return sum;
}

/** Scales a vector to length 1. A zero vector stays zero. */
export function unit(values: Float32Array): Float32Array {
	const length = Math.hypot(...values) || 1;
	return values.map((value) => value / length);
}
