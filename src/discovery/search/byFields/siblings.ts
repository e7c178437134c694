import { actionKinds, reading } from '../words/actionKinds.ts';
import { actionOdds } from '../words/likelyActions.ts';
import type { AskedTerms } from './askedTerms.ts';
import type { Intent } from './intent.ts';
import type { SiblingWeights } from './parameters.ts';
import type { ToolShape } from './toolShape.ts';
import type { WeighedQuery } from './weighedQuery.ts';

/** Factor for the score of a tool among the tools of its server: how its action and its object fit those of a query. */
export function siblingFactor(
	shape: ToolShape,
	query: WeighedQuery,
	asked: AskedTerms,
	weights: SiblingWeights,
): number {
	const slot = asked.slots[shape.head] ?? 0;
	const strength = asked.strengths[shape.head] ?? 0;
	let boost = actionBoost(query, shape, weights);
	if (query.isHead[slot - 1]) boost += weights.head * strength;
	if (query.isInObject[slot - 1]) boost += strength * numberBoost(query.intent, shape, weights);
	return Math.exp(boost);
}

/** Only for tools that read: whether a tool returns one thing or several does not matter where things are changed. */
function numberBoost(
	{ actionKinds: asked, isMany }: Intent,
	shape: ToolShape,
	weights: SiblingWeights,
): number {
	const mayRead = asked === 0 || (asked & reading) !== 0;
	return isMany && shape.isMany && mayRead ? weights.many : 0;
}

const oneOrSeveral = actionKinds.list | actionKinds.get;

function actionBoost(
	{ intent: { actionKinds: asked, isMany }, likelyActions }: WeighedQuery,
	{ named, described }: ToolShape,
	weights: SiblingWeights,
): number {
	const kinds = named || described;
	// Whether one thing or several are asked for, their number says better.
	const alike = isMany && (kinds & oneOrSeveral) !== 0 ? kinds | oneOrSeveral : kinds;
	return (
		weights.likelyAction * actionOdds(likelyActions, alike) +
		weights.sameAction * Number((asked & kinds) !== 0)
	);
}
