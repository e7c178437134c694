import { isRecord } from '../../../common/json.ts';
import { propertiesOf } from '../../../common/jsonSchema.ts';
import { firstSentence } from '../../../common/text.ts';
import type { ToolExpansion } from '../../catalog/expansion.ts';
import type { ServerDescription } from '../../catalog/manifest.ts';
import type { Tool } from '../../catalog/tool.ts';
import { contentWords, isStopWord, joinedTerm, stem } from '../words/analyzer.ts';
import { tokenize } from '../words/tokenizer.ts';
import { type Field, namingFields, proseFields, type RankingParameters } from './parameters.ts';

/** Characters of a server's instructions, and values of an enumeration, that are read. */
const instructionsLimit = 600;
const enumLimit = 50;

/** Words of a field, and those in mixed case as a whole (`mysql` for `MySQL`), which do not make the field longer. */
export interface FieldWords {
	readonly words: readonly string[];
	readonly whole: readonly string[];
}

/**
 * Words of each field. Every word of a name counts (`who_am_i`), stop words of prose do not. `pairs` are terms: the neighbours in
 * name, title and summary, joined, so that `pull request` is more than two words, and `file system` is found as `filesystem`.
 */
export function wordsByField(tool: Tool, server?: ServerDescription): Record<Field, FieldWords> {
	const description = tool.description ?? '';
	const summary = firstSentence(description);
	const { names, details } = parameterTexts(tool.inputSchema);
	const name = allWords(tool.name);
	const title = allWords(tool.title ?? '');
	const summaryWords = allWords(summary);
	return {
		hint: allWords(tool.searchHint ?? ''),
		title,
		server: allWords(tool.server),
		name,
		pairs: {
			words: [...pairs(name.words), ...pairs(title.words), ...pairs(summaryWords.words)],
			whole: [],
		},
		summary: { ...summaryWords, words: summaryWords.words.filter((word) => !isStopWord(word)) },
		description: prose(description.trimStart().slice(summary.length)),
		parameters: { words: tokenize(names), whole: [] },
		instructions: prose(
			`${server?.description ?? ''} ${server?.instructions?.slice(0, instructionsLimit) ?? ''}`,
		),
		details: { words: contentWords(details), whole: [] },
	};
}

function allWords(text: string): FieldWords {
	const whole: string[] = [];
	return { words: tokenize(text, whole), whole };
}

function prose(text: string): FieldWords {
	const whole: string[] = [];
	return { words: contentWords(text, whole), whole };
}

/** Words of each sentence of an expansion that are no stop words. */
export function wordsBySentence({ when, queries = [] }: ToolExpansion): readonly (readonly string[])[] {
	const sentences = when === undefined ? queries : [when, ...queries];
	return sentences.slice(0, mostSentences).map((sentence) => contentWords(sentence));
}

/** Names of the parameters, and what is said of them with the values that they may have. */
function parameterTexts(schema: Tool['inputSchema']): { names: string; details: string } {
	const properties = propertiesOf(schema ?? {});
	return {
		names: Object.keys(properties).join(' '),
		details: Object.values(properties).map(wordsOf).join(' '),
	};
}

function wordsOf(schema: unknown): string {
	if (!isRecord(schema)) return '';
	const { description, enum: values } = schema;
	const listed = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
	return [typeof description === 'string' ? description : '', ...listed.slice(0, enumLimit)].join(' ');
}

function pairs(words: readonly string[]): string[] {
	return words.slice(1).map((word, i) => joinedTerm([words[i] ?? '', word]));
}

/** Numbers for terms, in the order in which they come. Terms are never taken out, so that indexes can share one. */
export class Vocabulary {
	readonly #ids = new Map<string, number>();
	readonly #terms: string[] = [];
	/** Terms of words as they were written: most are met again and again. */
	readonly #words = new Map<string, number>();

	get size(): number {
		return this.#terms.length;
	}

	/** The number of a term that is there. */
	find(term: string): number | undefined {
		return this.#ids.get(term);
	}

	/** The number of a word's term, which is added where it is new. */
	addWord(word: string): number {
		let id = this.#words.get(word);
		if (id === undefined) {
			id = this.addTerm(stem(word));
			this.#words.set(word, id);
		}
		return id;
	}

	term(id: number): string {
		return this.#terms[id] ?? '';
	}

	/** The number of a term, which is added where it is new. */
	addTerm(term: string): number {
		let id = this.#ids.get(term);
		if (id === undefined) {
			id = this.#terms.length;
			this.#ids.set(term, id);
			this.#terms.push(term);
		}
		return id;
	}
}

/** A tool as the index holds it. It depends on the tool and its server alone, so that it outlives changes of other servers. */
export interface ToolDocument {
	/** Distinct terms; the first {@link named} of them also stand in a name or title. */
	readonly terms: Uint32Array;
	/** What each term counts, 0 to 1: the frequencies in the fields, weighted, normalised by length, saturated. */
	readonly impacts: Float32Array;
	readonly named: number;
	/** So many of the first {@link terms} stand in a name, the title or the first sentence. */
	readonly central: number;
	/** Distinct terms of the tool's own name that are no stop words. */
	readonly nameTerms: Uint32Array;
	/** How much the tool says of itself, 0 to 1. */
	readonly described: number;
	/** Absent where the tool has no expansion. */
	readonly expansion?: ExpansionDocument;
}

/** A tool's expansion as the index holds it. */
export interface ExpansionDocument {
	/** Distinct terms of all sentences, and what each counts, 0 to 1: the more of the sentences have it, the more. */
	readonly terms: Uint32Array;
	readonly impacts: Float32Array;
	/** Which sentences have each term: bit 0 for the first. */
	readonly having: Uint8Array;
}

/** Sentences of an expansion that are read; as many as there are bits in {@link ExpansionDocument.having}. */
export const mostSentences = 8;

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
		let central = named;
		for (const field of proseFields) {
			this.#addField(field, words[field]);
			if (field === 'summary') central = this.#terms.length;
		}
		const nameTerms = words.name.words
			.filter((word) => !isStopWord(word))
			.map((word) => this.#vocabulary.addWord(word));
		const own = this.#takeTerms();
		return {
			...own,
			named,
			central,
			nameTerms: Uint32Array.from(new Set(nameTerms)),
			described: Math.min(1, (words.summary.words.length + words.description.words.length) / wellDescribed),
			...(tool.expansion && { expansion: this.#expansionOf(tool.expansion) }),
		};
	}

	#expansionOf(expansion: ToolExpansion): ExpansionDocument {
		const sentences = wordsBySentence(expansion);
		sentences.forEach((words, sentence) => {
			for (const word of words) {
				const term = this.#vocabulary.addWord(word);
				if (term >= this.#weights.length) this.#grow(term);
				const before = this.#weights[term] as number;
				if (before === 0) this.#terms.push(term);
				this.#weights[term] = before | (1 << sentence);
			}
		});
		const terms = Uint32Array.from(this.#terms);
		const having = new Uint8Array(terms.length);
		const impacts = new Float32Array(terms.length);
		const { saturation, normalisation, typicalLength } = this.#parameters.expansion;
		const half = saturation * (1 - normalisation + (normalisation * terms.length) / typicalLength);
		terms.forEach((term, i) => {
			const mask = this.#weights[term] as number;
			let count = 0;
			for (let sentence = 0; sentence < sentences.length; sentence++) {
				if ((mask & (1 << sentence)) === 0) continue;
				count++;
			}
			having[i] = mask;
			impacts[i] = count / (count + half);
			this.#weights[term] = 0;
		});
		this.#terms.length = 0;
		return { terms, impacts, having };
	}

	#addField(field: Field, { words, whole }: FieldWords): void {
		const { weight, normalisation, typicalLength } = this.#parameters.fields[field];
		const one = weight / (1 - normalisation + (normalisation * words.length) / typicalLength);
		const vocabulary = this.#vocabulary;
		if (field === 'pairs') for (const word of words) this.#add(vocabulary.addTerm(word), one);
		else for (const word of words) this.#add(vocabulary.addWord(word), one);
		for (const word of whole) this.#add(vocabulary.addWord(word), one);
	}

	#add(term: number, weight: number): void {
		if (term >= this.#weights.length) this.#grow(term);
		const before = this.#weights[term] as number;
		if (before === 0) this.#terms.push(term);
		this.#weights[term] = before + weight;
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
