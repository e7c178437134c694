import {
	actionFeatures,
	KINDS,
	type LikelyActions,
	likelyActions,
} from '../../src/discovery/search/words/likelyActions.ts';
import type { KnownSentence } from './knownSentences.ts';

/** Servers that must have a feature. */
const LEAST_SERVERS = 5;
const EPOCHS = 6;
const RATE = 0.1;
const DECAY = 0.02;

/**
 * Learns what kind of action a sentence asks for: a logistic regression over its words and neighbours of words. "get rid of the old one" has no verb
 * that a tool has, but tools that people ask for in such words delete something.
 */
export function learnActions(all: readonly KnownSentence[]): LikelyActions & {
	readonly weights: ReadonlyMap<string, Float64Array>;
} {
	const sentences = all
		.filter(({ kinds }) => kinds !== 0)
		.map(({ server, words, kinds }) => ({ server, features: actionFeatures(words), wanted: shares(kinds) }));
	const servers = new Map<string, Set<string>>();
	for (const { server, features } of sentences) {
		for (const feature of features) {
			const known = servers.get(feature);
			if (known) known.add(server);
			else servers.set(feature, new Set([server]));
		}
	}
	const weights = new Map<string, Float64Array>();
	for (const [feature, { size }] of servers)
		if (size >= LEAST_SERVERS) weights.set(feature, new Float64Array(KINDS));
	const bias = new Float64Array(KINDS);
	const past = new Map([...weights.keys()].map((feature) => [feature, new Float64Array(KINDS).fill(0.01)]));
	// The sentences of a tool, and the tools of a server, must not follow one another.
	const stride = coprime(sentences.length);
	for (let step = 0; step < EPOCHS * sentences.length; step++) {
		const sentence = sentences[(step * stride) % sentences.length];
		if (!sentence) continue;
		const features = sentence.features.filter((feature) => weights.has(feature));
		const likely = likelyActions({ bias, weights }, features);
		for (let kind = 0; kind < KINDS; kind++) {
			const error = (likely[kind] as number) - (sentence.wanted[kind] as number);
			bias[kind] = (bias[kind] as number) - 0.1 * RATE * error;
			for (const feature of features) {
				const own = weights.get(feature) as Float64Array;
				const squares = past.get(feature) as Float64Array;
				const slope = error + DECAY * (own[kind] as number);
				squares[kind] = (squares[kind] as number) + slope ** 2;
				own[kind] = (own[kind] as number) - (RATE * slope) / Math.sqrt(squares[kind] as number);
			}
		}
	}
	const usual = new Float64Array(KINDS);
	for (const { wanted } of sentences)
		for (const [kind, share] of wanted.entries())
			usual[kind] = (usual[kind] as number) + share / sentences.length;
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
