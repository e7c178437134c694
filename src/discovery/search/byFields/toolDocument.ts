import type { ServerDescription } from '../../manifest.ts';
import type { Tool } from '../../tool.ts';
import { isStopWord } from '../words/analyzer.ts';
import { type Field, namingFields, proseFields, wordsByField } from './fields.ts';
import type { RankingParameters } from './parameters.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A tool as the index holds it. It depends on the tool and its server alone, so that it outlives changes of other servers. */
export interface ToolDocument {
	/** Distinct terms; the first {@link named} of them also stand in a name or title. */
	readonly terms: Uint32Array;
	/** What each term counts, 0 to 1: the frequencies in the fields, weighted, normalised by length, saturated. */
	readonly impacts: Float32Array;
	readonly named: number;
	/** Distinct terms of the tool's own name that are no stop words. */
	readonly nameTerms: Uint32Array;
	/** How much the tool says of itself, 0 to 1. */
	readonly described: number;
}

/** Words of a description beyond which more of it tells no more. */
const wellDescribed = 60;

/**
 * Makes documents of tools. The impact of a term is BM25F's (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple
 * weighted fields", 2004): `w / (w + saturation)`, where `w` sums over the fields
 * `weight · frequency / (1 − b + b · length / typical length)`. The typical length is a constant and not the corpus's average: so
 * a document stays as it is when others come and go.
 */
export class ToolAnalyzer {
	readonly #vocabulary: Vocabulary;
	readonly #parameters: RankingParameters;
	/** Weight of each term in the tool at hand, and its terms; weights are zero between two tools. */
	#weights = new Float64Array(1024);
	readonly #terms: number[] = [];

	constructor(vocabulary: Vocabulary, parameters: RankingParameters) {
		this.#vocabulary = vocabulary;
		this.#parameters = parameters;
	}

	analyze(tool: Tool, server: ServerDescription | undefined): ToolDocument {
		const words = wordsByField(tool, server);
		for (const field of namingFields) this.#addField(field, words[field]);
		const named = this.#terms.length;
		for (const field of proseFields) this.#addField(field, words[field]);
		const nameTerms = words.name
			.filter((word) => !isStopWord(word))
			.map((word) => this.#vocabulary.addWord(word));
		return {
			...this.#takeTerms(),
			named,
			nameTerms: Uint32Array.from(new Set(nameTerms)),
			described: Math.min(1, (words.summary.length + words.description.length) / wellDescribed),
		};
	}

	#addField(field: Field, words: readonly string[]): void {
		const { weight, normalisation, typicalLength } = this.#parameters.fields[field];
		const one = weight / (1 - normalisation + (normalisation * words.length) / typicalLength);
		for (const word of words) {
			const term = field === 'pairs' ? this.#vocabulary.addTerm(word) : this.#vocabulary.addWord(word);
			if (term >= this.#weights.length) this.#grow(term);
			const before = this.#weights[term] as number;
			if (before === 0) this.#terms.push(term);
			this.#weights[term] = before + one;
		}
	}

	#grow(term: number): void {
		const larger = new Float64Array(2 * term);
		larger.set(this.#weights);
		this.#weights = larger;
	}

	#takeTerms(): { terms: Uint32Array; impacts: Float32Array } {
		const terms = Uint32Array.from(this.#terms);
		const impacts = new Float32Array(terms.length);
		terms.forEach((term, i) => {
			const weight = this.#weights[term] as number;
			impacts[i] = weight / (weight + this.#parameters.saturation);
			this.#weights[term] = 0;
		});
		this.#terms.length = 0;
		return { terms, impacts };
	}
}
