import type { CatalogTool } from '../catalog/catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import { certainty, likely } from './certainty.ts';
import { confidenceOf, maxUnsure } from './confidence.ts';
import { relevanceOf } from './evidence.ts';
import type { Ranked } from './ranker.ts';

/** A tool that was found: by words, or by its name. */
export interface Hit<T extends Tool = CatalogTool> {
	readonly tool: T;
	/** Not comparable between queries; 1 if it was asked for by name. */
	readonly score: number;
	/** How sure it is that this is the tool that was meant, 0 to 1; absent if it was asked for by name or the ranking has no confidence. */
	readonly confidence?: number;
	/** How likely it is that the tool is of use, 0 to 1: what is loaded depends on it. Absent like the confidence. */
	readonly relevance?: number;
	/** The tool may change or destroy something, as far as its server says. */
	readonly mayChange?: boolean;
}

/** Hits that say whether they may change something: no search loads more. */
const maxLoadedHits = 50;

interface HitOptions<T extends Tool> {
	readonly toolAt: (place: number) => T;
	readonly mayChange: (place: number) => boolean;
	/** The query named other tools, which come before. */
	readonly isBehind: boolean;
}

/**
 * Hits with how sure and how likely they are, if the ranking has evidence or past chats speak for some. Only the first one can be sure, and
 * none behind tools that were named.
 */
export function hitsOf<T extends Tool>(
	ranked: readonly Ranked[],
	{ toolAt, mayChange, isBehind }: HitOptions<T>,
): Hit<T>[] {
	if (ranked.every(({ evidence, isLearned }) => !evidence && isLearned === undefined))
		return ranked.map(({ place, score }) => ({ tool: toolAt(place), score }));
	const likelihoods = ranked.map(({ evidence }) => evidence && relevanceOf(evidence));
	// The ranking computes no evidence far down: these hits are no likelier than any that has some.
	const lowest = likelihoods.reduce<number>((min, own) => Math.min(min, own ?? 1), 1);
	let firstConfidence = Number(isBehind);
	return ranked.map(({ place, score, evidence, isLearned }, i) => {
		const own = likelihoods[i] ?? (isLearned === undefined ? lowest : 0);
		const relevance = isLearned ? Math.max(own, likely) : own;
		const changes = i < maxLoadedHits && mayChange(place);
		let confidence = Math.min(maxUnsure, relevance * (1 - firstConfidence));
		if (i === 0 && !isBehind) {
			confidence = evidence && own >= likely ? confidenceOf(evidence, score, ranked[1]) : 0;
			if (changes && evidence?.isOneWord) confidence = Math.min(maxUnsure, confidence);
			if (isLearned) confidence = Math.max(confidence, certainty);
			firstConfidence = confidence;
		}
		const hit = { tool: toolAt(place), score, confidence, relevance };
		return changes ? { ...hit, mayChange: true } : hit;
	});
}
