import { estimateDefinitionTokens } from '../../common/tokens.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { SearchHit } from '../search/toolIndex.ts';
import { isUncertain, type SearchFindings } from './findTools.ts';

/**
 * Probability that a hit beside the best one is needed: a logistic function of its score relative to the best, and of its own confidence as log odds.
 * From a regression over the first five hits on the tuning halves of all labelled sets, each set with equal weight (`bench/tuning/fitLoading.ts`).
 */
const likelihood = { bias: -3.5, share: 2.1, confidence: 0.13 };
/** Log odds beyond which more certainty adds nothing. */
const mostOdds = 7;

/**
 * Likelihood that a definition of one token must have to be loaded; one of n tokens must have √n times as much. So what is hardly needed is
 * loaded where it costs next to nothing, and a definition of a thousand tokens only where it may well be needed. In proportion to n,
 * large tools that are needed would be left out; regardless of n, small ones. Of the needs that a sure search could meet, the tuning halves
 * lose few so for three tenths of the tokens; beyond, each token that is saved costs more of them. What the other halves say:
 * `npm run bench -- --only loaded`.
 */
const leastLikelihood = 0.0045;

/** Hits to load and hits to name, each best first. */
export interface Worth {
	readonly worth: readonly SearchHit[];
	readonly named: readonly SearchHit[];
}

/**
 * Parts hits, best first, into those that are worth the tokens of their definitions and those that the model can ask for by name. Where no
 * hit is sure, only what the model has already (`isKnown`) is worth it: a tool that is loaded on a doubt costs its definition in every
 * request from then on. Otherwise the best one always is. Where the ranking cannot tell how sure it is, all are loaded; where the model has
 * chosen the server (`inServer`), the best counts as sure.
 */
export function worthLoading(
	{ hits, inServer }: Pick<SearchFindings, 'hits' | 'inServer'>,
	isKnown: (tool: CatalogTool) => boolean,
): Worth {
	const [best] = hits;
	// The ranking computes no confidence far down; those hits get the lowest one computed.
	const least = hits.findLast(({ confidence }) => confidence !== undefined)?.confidence;
	if (!best || least === undefined) return { worth: hits, named: [] };
	const isSure = inServer || !hits.every(isUncertain);
	const paysOff = ({ tool, score = 0, confidence = least }: SearchHit) =>
		likelihoodOf(score / (best.score || 1), confidence) >= leastLikelihood * Math.sqrt(tokensOf(tool));
	const isWorth = (hit: SearchHit) => isKnown(hit.tool) || (isSure && (hit === best || paysOff(hit)));
	return { worth: hits.filter(isWorth), named: hits.filter((hit) => !isWorth(hit)) };
}

function likelihoodOf(share: number, confidence: number): number {
	const sum = likelihood.bias + likelihood.share * share + likelihood.confidence * oddsOf(confidence);
	return 1 / (1 + Math.exp(-sum));
}

/** A confidence as bounded log odds. */
export function oddsOf(confidence: number): number {
	const odds = Math.log(confidence / (1 - confidence));
	return Math.min(mostOdds, Math.max(-mostOdds, odds));
}

function tokensOf(tool: CatalogTool): number {
	return estimateDefinitionTokens(toolDefinition(tool));
}
