import type { CatalogTool } from '../catalog.ts';
import { cleanSchema } from '../cleanSchema.ts';
import { cleanText } from '../text.ts';
import type { JsonSchema } from '../tool.ts';
import type { SearchFault, SearchFindings } from './findTools.ts';

/** The JSON form of a search's answer. */
export interface SearchResultJson {
	readonly query: string;
	readonly query_kind: 'select' | 'keyword';
	readonly total_deferred_tools: number;
	readonly matches: readonly {
		readonly name: string;
		/** Absent where the tools were named. */
		readonly score?: number;
		/** 0 to 1; absent where the tools were named, and where the ranking cannot tell. */
		readonly confidence?: number;
		readonly description: string;
		readonly parameters: JsonSchema;
	}[];
	/** Names that led to no tool; only where tools were named. */
	readonly missing?: readonly string[];
	/** Only where the search could not be done. */
	readonly error?: string;
}

/** What a search for `query` found, as JSON; `totalDeferred` counts the deferred tools that there are. `nameOf`: how tools are called. */
export function searchResultJson(
	query: string,
	findings: SearchFindings | SearchFault,
	totalDeferred: number,
	nameOf: (tool: CatalogTool) => string = ({ wireName }) => wireName,
): SearchResultJson {
	const select = findings.ok && findings.kind === 'select';
	return {
		query,
		query_kind: select ? 'select' : 'keyword',
		total_deferred_tools: totalDeferred,
		matches: (findings.ok ? findings.hits : []).map(({ tool, score, confidence }) => ({
			name: nameOf(tool),
			...(score !== undefined && { score }),
			...(confidence !== undefined && { confidence }),
			description: cleanText(tool.description ?? tool.title ?? '').trim(),
			parameters: cleanSchema(tool.inputSchema),
		})),
		...(select && { missing: findings.missing.map(({ name }) => name) }),
		...(!findings.ok && { error: findings.message }),
	};
}
