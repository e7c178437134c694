import { isPlural, stem } from './analyzer.ts';
import actions from './asked/actions.json' with { type: 'json' };

/** The number of kinds of actions, see `actionKinds`. */
export const KINDS = 8;

/** Beyond these odds, as a logarithm, a sentence says no more. */
const MOST_ODDS = 1.5;

/** What a sentence's features say about the kind of action that it asks for. Arrays are by kind. */
export interface ActionModel {
	readonly bias: Float64Array;
	readonly weights: { get(feature: string): ArrayLike<number> | undefined };
}

export interface LikelyActions extends ActionModel {
	/** How often sentences ask for a kind at all. */
	readonly usual: ArrayLike<number>;
}

/** Feature of a sentence with a plural. */
const SEVERAL = '+';

/** Words and neighbours, the first word, and whether there is a plural. Stop words count: "is there", "get rid of", "who". */
export function actionFeatures(words: readonly string[]): string[] {
	const features: string[] = words.some(isPlural) ? [SEVERAL] : [];
	let before = '^';
	for (const word of words) {
		const term = stem(word);
		features.push(term, `${before} ${term}`);
		before = term;
	}
	return features;
}

/** The probability of each kind. */
export function likelyActions({ bias, weights }: ActionModel, features: readonly string[]): Float64Array {
	const likely = bias.slice();
	for (const feature of features) {
		const own = weights.get(feature);
		if (own)
			for (let kind = 0; kind < KINDS; kind++)
				likely[kind] = (likely[kind] as number) + (own[kind] as number);
	}
	const most = Math.max(...likely);
	let sum = 0;
	for (let kind = 0; kind < KINDS; kind++) {
		likely[kind] = Math.exp((likely[kind] as number) - most);
		sum += likely[kind] as number;
	}
	for (let kind = 0; kind < KINDS; kind++) likely[kind] = (likely[kind] as number) / sum;
	return likely;
}

/** In the file, each weight is a letter: `m` is 0, and each letter after it a quarter more. */
const NOTHING = 'm'.charCodeAt(0);
const STEPS = 4;
const MOST_STEPS = 12;

/** Weights as letters. */
export function pack(all: ArrayLike<number>): string {
	const letter = (weight: number) =>
		NOTHING + Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round(weight * STEPS)));
	return String.fromCharCode(...Array.from(all, letter));
}

/** By feature: its weights, as in the file until they are needed. */
const weights = new Map<string, string | Float64Array>(Object.entries(actions.weights));

const learned: LikelyActions = {
	usual: actions.usual,
	bias: Float64Array.from(actions.bias),
	weights: {
		get(feature) {
			const found = weights.get(feature);
			if (typeof found !== 'string') return found;
			const read = Float64Array.from(found, (letter) => (letter.charCodeAt(0) - NOTHING) / STEPS);
			weights.set(feature, read);
			return read;
		},
	},
};

/** By kind: the probability that these words of a query ask for such an action. Learned by `scripts/personWords`. */
export function askedActions(words: readonly string[]): Float64Array {
	return likelyActions(learned, actionFeatures(words));
}

/** How much likelier than usual a query asks for one of a tool's kinds of actions, as a logarithm. */
export function actionOdds(likely: Float64Array, kinds: number): number {
	let [asked, usual] = [0, 0];
	for (let kind = 0; kind < KINDS; kind++) {
		if (((kinds >> kind) & 1) === 0) continue;
		asked += likely[kind] as number;
		usual += learned.usual[kind] as number;
	}
	return usual === 0 ? 0 : Math.max(-MOST_ODDS, Math.min(MOST_ODDS, Math.log(asked / usual)));
}
