import { getOrAdd } from '../../src/common/memo.ts';
import { isSmallTalk, isStopWord, stem } from '../../src/discovery/search/words/analyzer.ts';
import type { KnownSentence } from './knownSentences.ts';

/** A term of a tool that a person's word stands for. */
export interface LearnedLink {
	readonly word: string;
	readonly term: string;
	/** Share of the word's uses in which it stands for the term. */
	readonly share: number;
}

const ROUNDS = 6;
/** Servers that must use a link, and the least use in a server that counts. */
const LEAST_SERVERS = 2;
const LEAST_USE = 0.25;
/** Least share of a word's uses, and how much more frequent the word must be beside the term than elsewhere. */
const LEAST_SHARE = 0.02;
const LEAST_LIFT = 3;
const MOST_TERMS = 8;
/** Terms that more tools than this have in their names would link to nearly everything. Actions are learned by themselves. */
const COMMON = 0.03;
/** Stands for nothing: words that belong to the sentence alone. */
const NOTHING = '';
const PRIOR = 5;

/**
 * Learns which terms of tools people's words stand for: IBM's first model of translation (Brown et al. 1993), which finds out for each word of a
 * sentence what it stands for by how often the two occur together elsewhere.
 */
export function learnLinks(sentences: readonly KnownSentence[]): LearnedLink[] {
	const pairs = sentences.map(({ server, words, tool }) => ({
		server,
		words: [...new Set(words.filter(isTelling).map(stem))],
		terms: [[NOTHING, 1] as const, ...tool],
	}));
	/** By term: the probability of each word, unscaled at first. */
	let given = new Map<string, Map<string, number>>();
	const counts = new Map<string, number>();
	for (const { words } of pairs) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	for (let round = 0; round < ROUNDS; round++) {
		const seen = new Map<string, Map<string, number>>();
		eachUse(pairs, given, (term, word, use) => {
			const ofTerm = getOrAdd(seen, term, () => new Map<string, number>());
			ofTerm.set(word, (ofTerm.get(word) ?? 0) + use);
		});
		given = new Map([...seen].map(([term, uses]) => [term, scaled(uses, term === NOTHING ? 0 : PRIOR)]));
	}
	/** By word and term: use by server. */
	const uses = new Map<string, Map<string, Map<string, number>>>();
	eachUse(pairs, given, (term, word, use, server) => {
		const ofWord = getOrAdd(uses, word, () => new Map<string, Map<string, number>>());
		const ofTerm = getOrAdd(ofWord, term, () => new Map<string, number>());
		ofTerm.set(server, (ofTerm.get(server) ?? 0) + use);
	});
	const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
	const common = commonTerms(sentences);
	return [...uses].flatMap(([word, ofWord]) => {
		const count = counts.get(word) ?? 0;
		const links = [...ofWord].flatMap(([term, byServer]) => {
			if (term === NOTHING || term === word || isStopWord(term) || term.length < 2 || common.has(term))
				return [];
			const ofServers = [...byServer.values()];
			const share = ofServers.reduce((sum, use) => sum + use, 0) / count;
			const lift = ((given.get(term)?.get(word) ?? 0) * all) / count;
			const servers = ofServers.filter((use) => use >= LEAST_USE).length;
			return servers >= LEAST_SERVERS && share >= LEAST_SHARE && lift >= LEAST_LIFT
				? [{ word, term, share }]
				: [];
		});
		return links.sort((a, b) => b.share - a.share).slice(0, MOST_TERMS);
	});
}

/** Without digits, which stand for themselves. */
function isTelling(word: string): boolean {
	return word.length > 1 && !/\d/.test(word) && !isStopWord(word) && !isSmallTalk(word);
}

interface Pair {
	readonly server: string;
	readonly words: readonly string[];
	readonly terms: readonly (readonly [term: string, weight: number])[];
}

/** Divides each word among the terms that it may stand for. */
function eachUse(
	pairs: readonly Pair[],
	given: ReadonlyMap<string, ReadonlyMap<string, number>>,
	use: (term: string, word: string, share: number, server: string) => void,
): void {
	for (const { server, words, terms } of pairs) {
		for (const word of words) {
			const odds = terms.map(
				([term, weight]) => weight * (given.size === 0 ? 1 : (given.get(term)?.get(word) ?? 0)),
			);
			const sum = odds.reduce((a, b) => a + b, 0);
			for (const [i, [term]] of terms.entries()) {
				const share = (odds[i] as number) / sum;
				if (share > 1e-4) use(term, word, share, server);
			}
		}
	}
}

function scaled(uses: ReadonlyMap<string, number>, prior: number): Map<string, number> {
	const sum = [...uses.values()].reduce((a, b) => a + b, prior);
	return new Map([...uses].map(([word, use]) => [word, use / sum]));
}

function commonTerms(sentences: readonly KnownSentence[]): ReadonlySet<string> {
	const tools = new Set(sentences.map(({ tool }) => tool));
	const counts = new Map<string, number>();
	for (const tool of tools)
		for (const [term, weight] of tool) if (weight === 1) counts.set(term, (counts.get(term) ?? 0) + 1);
	return new Set([...counts].filter(([, count]) => count > COMMON * tools.size).map(([term]) => term));
}
