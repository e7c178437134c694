import { estimateDefinitionTokens } from '../../common/tokens.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import { isLikely } from '../search/certainty.ts';
import type { Hit } from '../search/hit.ts';
import { isUncertain, type SearchFindings } from './findTools.ts';

/**
 * Probability that a hit beside the best one is needed: a logistic function of its score relative to the best, and of its own relevance as log odds.
 * From a regression over the first five hits on the tuning halves of all labelled sets, each set with equal weight (`bench/tuning/fitLoading.ts`).
 */
const likelihood = { bias: -3.5, share: 2.1, relevance: 0.13 };
/** Log odds beyond which more certainty adds nothing. */
const maxOdds = 7;

/**
 * Likelihood that a definition of one token must have to be loaded; one of n tokens must have √n times as much. So what is hardly needed is
 * loaded where it costs next to nothing, and a definition of a thousand tokens only where it may well be needed. In proportion to n,
 * large tools that are needed would be left out; regardless of n, small ones. Of the needs that a sure search could meet, the tuning halves
 * lose few so for three tenths of the tokens; beyond, each token that is saved costs more of them. What the other halves say:
 * `npm run bench -- --only loaded`.
 */
const minLikelihood = 0.0045;
/** Beside a sure hit, where the query has several needs. */
const minBesideSure = 0.007;

/** Hits to load, hits that would be loaded if they could not change anything, and hits to name; each best first. */
export interface HitsByWorth {
	readonly worth: readonly Hit[];
	readonly risky: readonly Hit[];
	readonly named: readonly Hit[];
}

/**
 * Parts hits, best first, into those that are worth the tokens of their definitions and those that the model can ask for by name. A sure hit is
 * loaded alone, unless the query has several needs, which may take several tools. If none is sure, the best one is loaded if it is likely, and others
 * if they may well be needed. A tool that may change or destroy something is never loaded on a doubt. What the model has already (`isKnown`) costs nothing. Where the ranking has no evidence, all are
 * loaded; where the model has chosen the server (`inServer`), the best counts as likely.
 */
export function worthLoading(
	found: Pick<SearchFindings, 'hits' | 'inServer' | 'hasNeeds'>,
	isKnown: (tool: CatalogTool) => boolean,
): HitsByWorth {
	const { hits } = found;
	const isWorth = worthOf(found);
	const worth = hits.filter((hit) => isKnown(hit.tool) || (isWorth(hit) && !isRisky(hit)));
	const others = hits.filter((hit) => !worth.includes(hit));
	return { worth, risky: others.filter(isWorth), named: others.filter((hit) => !isWorth(hit)) };
}

function worthOf({ hits, inServer, hasNeeds }: Parameters<typeof worthLoading>[0]): (hit: Hit) => boolean {
	const [best] = hits;
	if (!best || best.relevance === undefined) return () => true;
	const isSure = !isUncertain(best);
	if (isSure && !hasNeeds) return (hit) => !isUncertain(hit);
	if (!inServer && !hits.some(isLikely)) return () => false;
	const least = isSure ? minBesideSure : minLikelihood;
	const paysOff = ({ tool, score, relevance = 0 }: Hit) =>
		likelihoodOf(score / (best.score || 1), relevance) >= least * Math.sqrt(tokensOf(tool));
	return (hit) => hit === best || paysOff(hit);
}

/** Whether loading the tool unasked is a risk: it may change or destroy something, and is not sure to be the one that was meant. */
export function isRisky(hit: Hit): boolean {
	return hit.mayChange === true && isUncertain(hit);
}

function likelihoodOf(share: number, relevance: number): number {
	const sum = likelihood.bias + likelihood.share * share + likelihood.relevance * oddsOf(relevance);
	return 1 / (1 + Math.exp(-sum));
}

/** A probability as bounded log odds. */
export function oddsOf(probability: number): number {
	const odds = Math.log(probability / (1 - probability));
	return Math.min(maxOdds, Math.max(-maxOdds, odds));
}

function tokensOf(tool: CatalogTool): number {
	return estimateDefinitionTokens(toolDefinition(tool));
}
