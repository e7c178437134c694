import type { Tool } from '../catalog/tool.ts';
import { askedWords, bestOf, type RankerSteps, toolsAtOnce } from './ranker.ts';
import { fold, tokenize } from './words/tokenizer.ts';

/** Points per query word, as nexo's ToolSearch documents them; names of MCP servers' tools earn more. */
const points = {
	ofServer: { part: 12, insidePart: 6 },
	other: { part: 10, insidePart: 5 },
	hint: 4,
	description: 2,
};

/** Ranks by parts of the name: for each word its best match in the name, plus the hint and the description. */
export function* rankByNameParts(tools: readonly Tool[]): RankerSteps {
	const documents: ReturnType<typeof documentOf>[] = [];
	for (const tool of tools) {
		if (documents.length % toolsAtOnce === toolsAtOnce - 1) yield;
		documents.push(documentOf(tool));
	}
	const score = (text: string): Map<number, number> => {
		const terms = [...new Set(tokenize(text))];
		const scores = new Map<number, number>();
		documents.forEach(({ parts, name, hint, description }, i) => {
			let score = 0;
			for (const term of terms) {
				if (parts.includes(term)) score += name.part;
				else if (parts.some((part) => part.includes(term))) score += name.insidePart;
				if (hint.includes(term)) score += points.hint;
				if (description.includes(term)) score += points.description;
			}
			if (score > 0) scores.set(i, score);
		});
		return scores;
	};
	return { rank: (text, limit, accepts) => bestOf(score(text), limit, accepts), asked: askedWords };
}

function documentOf(tool: Tool) {
	return {
		parts: tokenize(`${tool.server} ${tool.name}`),
		name: tool.server ? points.ofServer : points.other,
		hint: fold(tool.searchHint ?? ''),
		description: fold(tool.description ?? ''),
	};
}

/** The usual constants of BM25 Okapi: term saturation, length normalisation, floor of IDF. */
const k1 = 1.5;
const b = 0.75;
const epsilon = 0.25;

/**
 * BM25 Okapi over name and description (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009).
 * A term in more than half of the tools has a negative IDF, for which a quarter of the mean IDF stands. Where that leaves no
 * score above 0, as in a corpus of one or two tools, shared words are counted instead.
 */
export function* rankByOkapi(tools: readonly Tool[]): RankerSteps {
	const documents: ReadonlyMap<string, number>[] = [];
	for (const tool of tools) {
		if (documents.length % toolsAtOnce === toolsAtOnce - 1) yield;
		documents.push(frequencies(tokenize(`${tool.name} ${tool.description ?? ''}`)));
	}
	yield;
	const lengths = documents.map((document) => [...document.values()].reduce((sum, n) => sum + n, 0));
	const averageLength = lengths.reduce((sum, n) => sum + n, 0) / Math.max(1, lengths.length);
	const idf = inverseFrequencies(documents);
	const score = (text: string): Map<number, number> => {
		const terms = tokenize(text);
		const scores = new Map<number, number>();
		documents.forEach((document, i) => {
			const norm = k1 * (1 - b + (b * (lengths[i] ?? 0)) / averageLength);
			let score = 0;
			for (const term of terms) {
				const frequency = document.get(term) ?? 0;
				score += ((idf.get(term) ?? 0) * frequency * (k1 + 1)) / (frequency + norm);
			}
			if (score > 0) scores.set(i, score);
		});
		return scores.size > 0 ? scores : overlaps(documents, terms);
	};
	return { rank: (text, limit, accepts) => bestOf(score(text), limit, accepts), asked: askedWords };
}

function inverseFrequencies(documents: readonly ReadonlyMap<string, number>[]): Map<string, number> {
	const containing = new Map<string, number>();
	for (const document of documents) {
		for (const term of document.keys()) containing.set(term, (containing.get(term) ?? 0) + 1);
	}
	const idf = new Map<string, number>();
	for (const [term, n] of containing) idf.set(term, Math.log((documents.length - n + 0.5) / (n + 0.5)));
	const mean = [...idf.values()].reduce((sum, value) => sum + value, 0) / Math.max(1, idf.size);
	for (const [term, value] of idf) if (value < 0) idf.set(term, epsilon * mean);
	return idf;
}

function overlaps(
	documents: readonly ReadonlyMap<string, number>[],
	terms: readonly string[],
): Map<number, number> {
	const shared = documents.map((document) => new Set(terms.filter((term) => document.has(term))).size);
	return new Map([...shared.entries()].filter(([, n]) => n > 0));
}

function frequencies(terms: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	return counts;
}
