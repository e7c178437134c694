import type { Tool } from '../../catalog/tool.ts';
import { byScore, type Ranked, toolsAtOnce } from '../ranker.ts';

/** A sentence in which a tool calls itself deprecated, and not something else that it is about. */
const statement =
	/(?:^|[.!?:;([\n]|\bNOTE|\bWARNING)[\s*_~`"'-]{0,8}(?:this (?:tool|command|function|endpoint|method|action) (?:is|has been) (?:now )?)?deprecated\b(?=\s*(?:[^\w\s]|$|in fav|as of|since|and\b|use\b|please\b|now\b))/i;
/** Where such a sentence, or the next one, names the tool to use. */
const replacement =
	/\b(?:use|call|prefer|in favou?r of|replaced by|superseded by|(?:switch|migrate|move) to)\s+(?:the\s+)?[`'"*]*([\w./:-]*\w)/i;
/** Characters after the statement in which the other tool is named. */
const reach = 200;

/** The name of the tool that a tool's description tells to use instead, because it is deprecated. */
export function replacementOf({ description = '' }: Pick<Tool, 'description'>): string | undefined {
	const match = /deprecated/i.test(description) ? statement.exec(description) : null;
	if (!match) return undefined;
	const after = description.slice(match.index + match[0].length).slice(0, reach);
	return replacement.exec(after)?.[1];
}

/** By place of each deprecated tool: the place of the tool that it names; -1 if the index has none of that name. */
export type Replacements = ReadonlyMap<number, number>;

export function* findReplacements(tools: readonly Tool[]): Generator<void, Replacements, void> {
	const found = new Map<number, number>();
	for (const [place, tool] of tools.entries()) {
		if (place % toolsAtOnce === toolsAtOnce - 1) yield;
		const name = replacementOf(tool);
		if (name === undefined) continue;
		found.set(
			place,
			tools.findIndex((other) => other.server === tool.server && other.name === name),
		);
	}
	return found;
}

/** Hits in which a deprecated tool is never sure, and stands behind the tool that it names. `accepts`: see `Ranker.rank`. */
export function behindReplacements(
	hits: readonly Ranked[],
	replacements: Replacements,
	accepts: (place: number) => boolean = () => true,
): readonly Ranked[] {
	if (!hits.some(({ place }) => replacements.has(place))) return hits;
	const all = new Map(hits.map((hit) => [hit.place, hit]));
	for (const hit of hits) {
		const place = replacements.get(hit.place);
		if (place === undefined) continue;
		const deprecated = hit.evidence ? { ...hit, evidence: { ...hit.evidence, isDeprecated: true } } : hit;
		all.set(hit.place, deprecated);
		if (place < 0 || replacements.has(place) || !accepts(place)) continue;
		const other = all.get(place) ?? { ...hit, place };
		all.set(place, { ...other, score: Math.max(other.score, hit.score) });
		if (other.score <= hit.score) all.set(hit.place, { ...deprecated, score: hit.score * justBehind });
	}
	return [...all.values()].sort(byScore);
}

/** Separates a deprecated tool from the one before it. */
const justBehind = 1 - 1e-9;
