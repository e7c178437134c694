import type { CatalogTool } from '../catalog.ts';
import { certainty } from '../search/confidence.ts';
import type { MissingName, SearchHit } from './findTools.ts';
import type { NearestTools } from './nearestTools.ts';

/** One tool of a search's answer. */
export interface OutcomeHit extends SearchHit {
	/** Not loaded are those that are `refused`, since this turn has filled the set, and `crowded`, since a request takes no more tools. */
	readonly state: 'loaded' | 'already-loaded' | 'refused' | 'crowded';
}

/** What a search did, for the model's text, the JSON form and whoever shows it. */
export type SearchOutcome =
	| {
			readonly ok: true;
			readonly kind: 'select' | 'keyword' | 'server';
			/** As asked: keywords, names with commas, or the server. */
			readonly query: string;
			/** Tools there were to search. */
			readonly searched: number;
			readonly hits: readonly OutcomeHit[];
			/** The next best, best first, none of them loaded. */
			readonly further: readonly CatalogTool[];
			/** Tools that match besides the hits, the further ones among them. */
			readonly more: number;
			/** Only where keywords found nothing. */
			readonly nearest?: NearestTools;
			readonly missing: readonly MissingName[];
			/** Names that were not looked for, as there were too many. */
			readonly unread?: number;
			/** Unloaded to make room, by wire name. */
			readonly evicted: readonly string[];
	  }
	| { readonly ok: false; readonly query: string; readonly message: string };

/** Whether a tool may not be what was meant; one that was named, or whose ranking cannot tell, is taken for what it is. */
export function isUncertain({ confidence }: Pick<SearchHit, 'confidence'>): boolean {
	return confidence !== undefined && confidence < certainty;
}
