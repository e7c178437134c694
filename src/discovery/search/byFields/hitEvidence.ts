import type { Tool } from '../../catalog/tool.ts';
import type { Evidence } from '../evidence.ts';
import type { Candidate } from './candidate.ts';
import type { InvertedIndex } from './invertedIndex.ts';
import type { Slot } from './queryPlan.ts';
import type { ToolDocument } from './toolDocument.ts';
import { minThing, rarest, type WeighedQuery } from './weighedQuery.ts';

/** The tools that are ranked, with what the ranking knows of them. */
export interface RankedIndex {
	readonly tools: readonly Tool[];
	readonly documents: readonly ToolDocument[];
	/** By place: the numbers of the tool's server and name. */
	readonly servers: Uint32Array;
	readonly names: Uint32Array;
	/** By place: 1 if the tool has an expansion. */
	readonly hasExpansion: Uint8Array;
	/** All expansions come with Discovery, none from the user's teaching. */
	readonly isKnown: boolean;
	readonly index: InvertedIndex;
}

export function evidenceFor(hit: Candidate, query: WeighedQuery, ranked: RankedIndex): Evidence {
	const { weights, total, unnamedTopics, services, slots } = query;
	const { size } = ranked.index;
	let [information, literal, askedThings, things] = [0, 0, 0, 0];
	for (let i = 0; i < slots.length; i++) {
		const slot = slots[i] as Slot;
		const thing = slot.information >= minThing ? slot.information : 0;
		information += slot.information;
		askedThings += thing;
		if (hit.literal[i] === 1) literal += slot.information;
		things += thing * (hit.covered[i] as number);
	}
	let unserved = 0;
	for (const i of unnamedTopics) unserved += (1 - (hit.covered[i] as number)) * (weights[i] as number);
	return {
		strength: hit.sum / rarest(size),
		coverage: hit.coverage,
		literal: information > 0 ? literal / information : 0,
		things,
		isVague: query.isVague,
		isOneWord: slots.filter(({ information, tells }) => tells && information > 0).length < 2,
		hasOnlyAction: things === 0 && askedThings > 0 && hit.nameCoverage < 1,
		named: hit.nameCoverage,
		unserved: total > 0 ? unserved / total : 0,
		otherService: services.length > 0 && !hasService(ranked.documents[hit.place] as ToolDocument, services),
		isElsewhere: query.isElsewhere,
		tools: size,
		isMatch: isMatch(hit, query),
		isGuess: !hit.covered.subarray(0, slots.length).includes(1),
	};
}

/** See `Evidence.isMatch`. */
export function isMatch({ covered }: Candidate, { slots }: WeighedQuery): boolean {
	for (let i = 0; i < slots.length; i++) if (covered[i] !== 0 && slots[i]?.tells) return true;
	return false;
}

/** Whether any text of a tool mentions one of the services. */
function hasService({ terms }: ToolDocument, services: WeighedQuery['services']): boolean {
	return services.some((names) => names.some((term) => terms.includes(term)));
}
