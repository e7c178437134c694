import type { CatalogTool } from '../catalog.ts';
import type { MissingName } from './findTools.ts';

/** One tool of a search's answer. */
export interface OutcomeHit {
	readonly tool: CatalogTool;
	readonly score?: number;
	readonly state: 'loaded' | 'already-loaded' | 'refused';
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
			readonly more: number;
			readonly missing: readonly MissingName[];
			/** Unloaded to make room, by wire name. */
			readonly evicted: readonly string[];
	  }
	| { readonly ok: false; readonly query: string; readonly message: string };
