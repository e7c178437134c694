import { getOrAdd } from '../../src/common/memo.ts';
import {
	actionFeatures,
	KINDS,
	type LikelyActions,
	likelyActions,
} from '../../src/discovery/search/words/likelyActions.ts';
import type { KnownSentence } from './knownSentences.ts';

/** So many servers must have a feature. Of these features, so many are kept: the ones that tell most, summed over all sentences. */
const LEAST_SERVERS = 8;
const MOST_FEATURES = 900;
const EPOCHS = 6;
const RATE = 0.1;
const DECAY = 0.02;

interface Sentence {
	readonly server: string;
	readonly features: readonly string[];
	/** By kind: its share of the sentence. */
	readonly wanted: readonly number[];
}

/** Learned weights, in full. */
interface Learned extends LikelyActions {
	readonly weights: ReadonlyMap<string, Float64Array>;
}

/**
 * Learns what kind of action a sentence asks for: a logistic regression over its words and neighbours of words. "get rid of the old one" has no verb
 * that a tool has, but tools that people ask for in such words delete something.
 */
export function learnActions(all: readonly KnownSentence[]): Learned {
	const sentences = all
		.filter(({ kinds }) => kinds !== 0)
		.map(({ server, words, kinds }) => ({ server, features: actionFeatures(words), wanted: shares(kinds) }));
	const uses = new Map<string, { count: number; servers: Set<string> }>();
	for (const { server, features } of sentences) {
		for (const feature of features) {
			const use = getOrAdd(uses, feature, () => ({ count: 0, servers: new Set<string>() }));
			use.count++;
			use.servers.add(server);
		}
	}
	const shared = [...uses].filter(([, { servers }]) => servers.size >= LEAST_SERVERS);
	const { weights } = regression(sentences, new Map(shared));
	const worth = (feature: string) =>
		(uses.get(feature)?.count ?? 0) * Math.hypot(...(weights.get(feature) ?? []));
	const best = shared.toSorted(([a], [b]) => worth(b) - worth(a)).slice(0, MOST_FEATURES);
	return regression(sentences, new Map(best));
}

function regression(sentences: readonly Sentence[], kept: ReadonlyMap<string, unknown>): Learned {
	const weights = new Map([...kept.keys()].map((feature) => [feature, new Float64Array(KINDS)]));
	const past = new Map([...kept.keys()].map((feature) => [feature, new Float64Array(KINDS).fill(0.01)]));
	const bias = new Float64Array(KINDS);
	const usual = new Float64Array(KINDS);
	// The sentences of a tool, and the tools of a server, must not follow one another.
	const stride = coprime(sentences.length);
	for (let step = 0; step < EPOCHS * sentences.length; step++) {
		const { features: all, wanted } = sentences[(step * stride) % sentences.length] as Sentence;
		const features = all.filter((feature) => kept.has(feature));
		const likely = likelyActions({ bias, weights }, features);
		for (let kind = 0; kind < KINDS; kind++) {
			const error = (likely[kind] as number) - (wanted[kind] as number);
			bias[kind] = (bias[kind] as number) - 0.1 * RATE * error;
			usual[kind] = (usual[kind] as number) + (wanted[kind] as number) / (EPOCHS * sentences.length);
			for (const feature of features) {
				const own = weights.get(feature) as Float64Array;
				const squares = past.get(feature) as Float64Array;
				const slope = error + DECAY * (own[kind] as number);
				squares[kind] = (squares[kind] as number) + slope ** 2;
				own[kind] = (own[kind] as number) - (RATE * slope) / Math.sqrt(squares[kind] as number);
			}
		}
	}
	return { usual, bias, weights };
}

/** Several kinds of one tool share a sentence. */
function shares(kinds: number): number[] {
	const bits = Array.from({ length: KINDS }, (_, kind) => (kinds >> kind) & 1);
	const count = bits.reduce((sum, bit) => sum + bit, 0);
	return bits.map((bit) => bit / count);
}

/** A stride that reaches every sentence before it comes back to one. */
function coprime(count: number): number {
	const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b));
	let stride = Math.max(1, Math.floor(count * 0.618));
	while (divides(stride, count) !== 1) stride++;
	return stride;
}
