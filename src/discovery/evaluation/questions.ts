import type { CatalogTool } from '../catalog.ts';
import type { ToolSurface } from '../toolSurface.ts';
import type { LabelledQuery } from './labelledQuery.ts';

/** What is to be known of a label that does not name one deferred tool. */
export type LabelRemark =
	/** No tool goes by it; the closest names. */
	| { readonly kind: 'unknown'; readonly name: string; readonly closest: readonly CatalogTool[] }
	/** Several tools go by it: each of them counts as right. */
	| { readonly kind: 'ambiguous'; readonly name: string; readonly tools: readonly CatalogTool[] }
	/** The model has it from the start, so that nobody searches for it. */
	| { readonly kind: 'loaded'; readonly tool: CatalogTool };

/** A labelled query as it is put to the search: by wire names, which stay the same whatever hints the tools get. */
export interface Question {
	readonly labelled: LabelledQuery;
	/** Needs that search can meet, each with the wire names of which one is enough. */
	readonly needs: readonly ReadonlySet<string>[];
	/** Wire names that are taken out of what is found. */
	readonly also: ReadonlySet<string>;
	/** `nothing`: no tool should be found. `unclear`: no label is left to judge it by. */
	readonly expects: 'tools' | 'nothing' | 'unclear';
	readonly remarks: readonly LabelRemark[];
}

/** Reads the labels of queries as names of what a surface permits. */
export function questionsOf(queries: readonly LabelledQuery[], surface: ToolSurface): Question[] {
	const deferred = new Set(surface.deferred.map(({ wireName }) => wireName));
	return queries.map((labelled) => questionOf(labelled, surface, deferred));
}

function questionOf(labelled: LabelledQuery, surface: ToolSurface, deferred: ReadonlySet<string>): Question {
	const remarks: LabelRemark[] = [];
	const resolved = (name: string): readonly CatalogTool[] => {
		const resolution = surface.names.resolve(name);
		if (resolution.kind === 'found') return [resolution.tool];
		if (resolution.kind === 'unknown') {
			remarks.push({ kind: 'unknown', name, closest: resolution.closest });
			return [];
		}
		remarks.push({ kind: 'ambiguous', name, tools: resolution.candidates });
		return resolution.candidates;
	};
	const needs = labelled.needs.map((names) => {
		const tools = names.flatMap(resolved);
		for (const tool of tools) if (!deferred.has(tool.wireName)) remarks.push({ kind: 'loaded', tool });
		return new Set(tools.map(({ wireName }) => wireName).filter((name) => deferred.has(name)));
	});
	const met = needs.filter(({ size }) => size > 0);
	const helpers = (labelled.also ?? []).flatMap((name) => {
		const resolution = surface.names.resolve(name);
		return resolution.kind === 'found' ? [resolution.tool.wireName] : [];
	});
	return {
		labelled,
		needs: met,
		also: new Set(helpers),
		expects: labelled.needs.length === 0 ? 'nothing' : met.length > 0 ? 'tools' : 'unclear',
		remarks,
	};
}
