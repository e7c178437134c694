import { isRecord } from '../../../common/json.ts';
import { propertiesOf } from '../../../common/jsonSchema.ts';
import { getOrAdd } from '../../../common/memo.ts';
import { firstSentence } from '../../../common/text.ts';
import type { ToolExpansion } from '../../catalog/expansion.ts';
import type { ServerDescription } from '../../catalog/manifest.ts';
import type { Tool } from '../../catalog/tool.ts';
import { type KnownExpansion, type KnownServer, readPlaces } from '../known/knownText.ts';
import { contentWords, isStopWord } from '../words/analyzer.ts';
import { Numbers } from '../words/textTable.ts';
import { tokenize } from '../words/tokenizer.ts';
import { type Field, namingFields, type RankingParameters } from './parameters.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Characters of a server's instructions, and enum values, that are indexed. */
const instructionsLimit = 600;
const enumLimit = 50;

/** Fields with words of their own; `pairs` are the neighbours in some of them. */
type OwnField = Exclude<Field, 'pairs'>;

function textsByField(tool: Tool, server?: ServerDescription): Record<OwnField, readonly string[]> {
	const description = tool.description ?? '';
	const summary = firstSentence(description);
	const { names, details } = parameterTexts(tool.inputSchema);
	return {
		hint: [tool.searchHint ?? ''],
		title: [tool.title ?? ''],
		server: [tool.server],
		name: [tool.name],
		summary: [summary],
		description: [description.trimStart().slice(summary.length)],
		parameters: names,
		instructions: [server?.description ?? '', server?.instructions?.slice(0, instructionsLimit) ?? ''],
		details,
	};
}

/** Stop words do not count in prose; in names every word does (`who_am_i`). */
const prose: ReadonlySet<OwnField> = new Set(['summary', 'description', 'instructions', 'details']);
/** Fields in which mixed-case words also count as a whole. */
const mixed: ReadonlySet<OwnField> = new Set([...namingFields, 'summary', 'description', 'instructions']);
/** Fields whose neighbouring words also count as one, so that `pull request` is more than two words and `file system` matches `filesystem`. */
const paired: ReadonlySet<OwnField> = new Set(['name', 'title', 'summary']);
const besideName = ['hint', 'title', 'server'] as const satisfies readonly (typeof namingFields)[number][];
const afterDescription = ['parameters', 'instructions', 'details'] as const;

/** The words of a field, and its mixed-case words as a whole (`mysql` for `MySQL`), which do not add to the field's length. */
export interface FieldWords {
	readonly words: readonly string[];
	readonly whole: readonly string[];
}

/** The words of each field as texts. The index reads the same texts as numbers, see {@link ToolAnalyzer}. */
export function wordsByField(tool: Tool, server?: ServerDescription): Record<OwnField, FieldWords> {
	const texts = textsByField(tool, server);
	const wordsOf = (field: OwnField): FieldWords => {
		const whole: string[] = [];
		const words = texts[field].flatMap((text) => tokenize(text, mixed.has(field) ? whole : undefined));
		return { words: prose.has(field) ? words.filter((word) => !isStopWord(word)) : words, whole };
	};
	return Object.fromEntries(
		(Object.keys(texts) as OwnField[]).map((field) => [field, wordsOf(field)]),
	) as Record<OwnField, FieldWords>;
}

/** The words of each sentence of an expansion, without stop words. */
export function wordsBySentence(expansion: ToolExpansion): readonly (readonly string[])[] {
	return sentencesOf(expansion).map((sentence) => contentWords(sentence));
}

function sentencesOf({ when, queries = [] }: ToolExpansion): readonly string[] {
	const sentences = when === undefined ? queries : [when, ...queries];
	return sentences.slice(0, maxSentences);
}

/** Parameter names, and their descriptions and enum values. */
function parameterTexts(schema: Tool['inputSchema']): {
	names: readonly string[];
	details: readonly string[];
} {
	const properties = propertiesOf(schema ?? {});
	const details: string[] = [];
	for (const schema of Object.values(properties)) {
		if (!isRecord(schema)) continue;
		const { description, enum: values } = schema;
		if (typeof description === 'string') details.push(description);
		if (!Array.isArray(values)) continue;
		for (const value of values.filter((one) => typeof one === 'string').slice(0, enumLimit))
			details.push(value);
	}
	return { names: Object.keys(properties), details };
}

/** A tool in the index. Depends only on the tool and its server, so it can be reused when other servers change. */
export interface ToolDocument {
	/** Distinct terms: first those in a naming field, next those in the first sentence, then all others. */
	readonly terms: Uint32Array;
	/** Impact of each term, 0 to 1: weighted field frequencies, normalised by length and saturated. */
	readonly impacts: Float32Array;
	/** Number of {@link terms} in a naming field, and number of those that are there or in the first sentence. */
	readonly namingTerms: number;
	readonly centralTerms: number;
	/** Distinct terms of the tool's name, without stop words. */
	readonly nameTerms: Uint32Array;
	/** How detailed its description is, 0 to 1. */
	readonly detail: number;
	readonly expansion?: ExpansionDocument;
	/** What Discovery knows of the tool, if the user had it described, too. */
	readonly known?: ExpansionDocument;
}

/** A tool's expansion in the index. */
export interface ExpansionDocument {
	/** Distinct terms of all sentences, and their impact, 0 to 1: it grows with the number of sentences that have the term. */
	readonly terms: Uint32Array;
	readonly impacts: Float32Array;
	/** What Discovery knows of common servers, not what the user had written about this tool. */
	readonly isKnown: boolean;
}

/** Sentences of an expansion that are indexed. */
const maxSentences = 8;

/** First and largest size of a block of memory, in numbers. */
const firstBlock = 1024;
const maxBlock = 16_384;

/** An arena: allocates rows of numbers from few large blocks, because allocating tens of thousands of small arrays takes longer than filling them. */
class Arena<A extends { subarray(begin: number, end: number): A; readonly length: number }> {
	readonly #make: (length: number) => A;
	#block: A;
	#taken = 0;
	#size = firstBlock;

	constructor(make: (length: number) => A) {
		this.#make = make;
		this.#block = make(0);
	}

	take(length: number): A {
		if (this.#taken + length > this.#block.length) {
			this.#block = this.#make(Math.max(length, this.#size));
			this.#size = Math.min(2 * this.#size, maxBlock);
			this.#taken = 0;
		}
		this.#taken += length;
		return this.#block.subarray(this.#taken - length, this.#taken);
	}
}

/** Words of a description above which more do not matter. */
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
	/** Weight and list of terms of the current tool. Weights are zero between tools. */
	#weights = new Float64Array(1024);
	readonly #terms = new Numbers();
	/** Words of the current field and its mixed-case words as a whole; later their terms. */
	readonly #words = new Numbers();
	readonly #whole = new Numbers();
	/** Terms of neighbouring words, over all fields that have pairs. */
	readonly #pairs = new Numbers();
	/** The terms of known servers, as numbers. */
	readonly #known = new Map<KnownServer, readonly number[]>();
	readonly #storedTerms = new Arena((length) => new Uint32Array(length));
	readonly #storedImpacts = new Arena((length) => new Float32Array(length));

	constructor(vocabulary: Vocabulary, parameters: RankingParameters) {
		this.#vocabulary = vocabulary;
		this.#parameters = parameters;
	}

	/** `known`: what Discovery knows of the tool. What the user had written about it comes first. */
	analyze(tool: Tool, server: ServerDescription | undefined, known?: KnownExpansion): ToolDocument {
		const texts = textsByField(tool, server);
		this.#pairs.length = 0;
		for (const field of besideName) this.#addField(field, texts[field]);
		this.#read('name', texts.name);
		const nameTerms = this.#tellingTerms();
		this.#addWords('name');
		const namingTerms = this.#terms.length;
		this.#read('summary', texts.summary);
		this.#addTerms('pairs', this.#pairs);
		const summaryWords = this.#addWords('summary');
		const centralTerms = this.#terms.length;
		const descriptionWords = this.#addField('description', texts.description);
		for (const field of afterDescription) this.#addField(field, texts[field]);
		return {
			...this.#takeTerms(),
			namingTerms,
			centralTerms,
			nameTerms,
			detail: Math.min(1, (summaryWords + descriptionWords) / wellDescribed),
			...this.#expansion(tool, known),
		};
	}

	#expansion(
		{ expansion }: Tool,
		known: KnownExpansion | undefined,
	): Pick<ToolDocument, 'expansion' | 'known'> {
		const knownDocument = known && this.#readKnown(known);
		if (!expansion) return knownDocument ? { expansion: knownDocument } : {};
		this.#readSentences(expansion);
		return {
			expansion: { ...this.#takeCounts(), isKnown: false },
			...(knownDocument && { known: knownDocument }),
		};
	}

	#readKnown(known: KnownExpansion): ExpansionDocument {
		const ofServer = getOrAdd(this.#known, known.server, () =>
			known.server.terms.split(' ').map((term) => this.#vocabulary.add(term)),
		);
		readPlaces(known, (place, count) => this.#count(ofServer[place] as number, count));
		return { ...this.#takeCounts(), isKnown: true };
	}

	#readSentences(expansion: ToolExpansion): void {
		for (const text of sentencesOf(expansion)) {
			this.#words.length = 0;
			this.#vocabulary.read(text, this.#words);
			for (const term of this.#tellingTerms()) this.#count(term, 1);
		}
	}

	#count(term: number, sentences: number): void {
		const before = this.#weightSoFar(term);
		this.#weights[term] = before + sentences;
	}

	/** The current tool's terms, whose weights are the numbers of sentences with them. */
	#takeCounts(): Omit<ExpansionDocument, 'isKnown'> {
		const { normalisation } = this.#parameters;
		const { saturation, typicalLength } = this.#parameters.expansion;
		const count = this.#terms.length;
		const half = saturation * (1 - normalisation + (normalisation * count) / typicalLength);
		return this.#take((sentences) => sentences / (sentences + half));
	}

	#addField(field: OwnField, texts: readonly string[]): number {
		this.#read(field, texts);
		return this.#addWords(field);
	}

	/** Reads the words of a field and their pairs. */
	#read(field: OwnField, texts: readonly string[]): void {
		const words = this.#words;
		const vocabulary = this.#vocabulary;
		words.length = 0;
		this.#whole.length = 0;
		for (const text of texts) vocabulary.read(text, words, mixed.has(field) ? this.#whole : undefined);
		if (paired.has(field)) {
			for (let i = 1; i < words.length; i++) {
				this.#pairs.push(vocabulary.joined(words.values[i - 1] as number, words.values[i] as number));
			}
		}
		if (prose.has(field)) this.#dropStopWords();
	}

	/** Distinct terms that were read, without stop words. */
	#tellingTerms(): Uint32Array {
		const terms: number[] = [];
		for (let i = 0; i < this.#words.length; i++) {
			const word = this.#words.values[i] as number;
			const term = this.#vocabulary.termOf(word);
			if (!this.#vocabulary.isStopWord(word) && !terms.includes(term)) terms.push(term);
		}
		return Uint32Array.from(terms);
	}

	#dropStopWords(): void {
		const { values, length } = this.#words;
		let kept = 0;
		for (let i = 0; i < length; i++) {
			const word = values[i] as number;
			if (!this.#vocabulary.isStopWord(word)) values[kept++] = word;
		}
		this.#words.length = kept;
	}

	/** Adds the words of a field; returns their number. */
	#addWords(field: OwnField): number {
		this.#toTerms(this.#words);
		this.#toTerms(this.#whole);
		this.#addTerms(field, this.#words, this.#whole);
		return this.#words.length;
	}

	#toTerms({ values, length }: Numbers): void {
		for (let i = 0; i < length; i++) values[i] = this.#vocabulary.termOf(values[i] as number);
	}

	#addTerms(field: Field, ...lists: readonly Numbers[]): void {
		const { normalisation } = this.#parameters;
		const { weight, typicalLength } = this.#parameters.fields[field];
		const length = lists[0]?.length ?? 0;
		const perOccurrence = weight / (1 - normalisation + (normalisation * length) / typicalLength);
		for (const { values, length: count } of lists) {
			for (let i = 0; i < count; i++) {
				const term = values[i] as number;
				const before = this.#weightSoFar(term);
				this.#weights[term] = before + perOccurrence;
			}
		}
	}

	/** A term's weight so far. Records a new term and makes room for its weight. */
	#weightSoFar(term: number): number {
		if (term >= this.#weights.length) this.#grow(term);
		const before = this.#weights[term] as number;
		if (before === 0) this.#terms.push(term);
		return before;
	}

	#grow(term: number): void {
		const larger = new Float64Array(2 * term);
		larger.set(this.#weights);
		this.#weights = larger;
	}

	#takeTerms(): { terms: Uint32Array; impacts: Float32Array } {
		const { saturation } = this.#parameters;
		return this.#take((weight) => weight / (weight + saturation));
	}

	/** The current tool's terms with their impacts. Resets the weights to zero. */
	#take(impactOf: (weight: number) => number): { terms: Uint32Array; impacts: Float32Array } {
		const { values, length } = this.#terms;
		const terms = this.#storedTerms.take(length);
		const impacts = this.#storedImpacts.take(length);
		for (let i = 0; i < length; i++) {
			const term = values[i] as number;
			terms[i] = term;
			impacts[i] = impactOf(this.#weights[term] as number);
			this.#weights[term] = 0;
		}
		this.#terms.length = 0;
		return { terms, impacts };
	}
}
