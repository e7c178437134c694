import { Catalog, type CatalogTool } from '../catalog/catalog.ts';
import type { ToolExpansion } from '../catalog/expansion.ts';
import type { DiscoveryPolicy } from '../catalog/policy.ts';
import type { Tool } from '../catalog/tool.ts';
import { type Indexing, ToolSurface } from '../catalog/toolSurface.ts';
import { type Evaluation, evaluate, firstTools, type QuestionResult, type WorkSteps } from './evaluate.ts';
import type { LabelledQuery } from './queryFile.ts';

/** A tool about which search learned or forgot something. */
export interface TaughtTool extends Pick<Tool, 'server' | 'name'> {
	/** Its expansion before and after; absent: none. */
	readonly before?: ToolExpansion;
	readonly after?: ToolExpansion;
}

/** What search just learned, and how to take it back. */
export interface TeachingChange {
	readonly tools: readonly TaughtTool[];
	/** Restores everything. */
	readonly undo: () => Promise<void>;
}

/** A changed result for a query: how a need is met, or, if nothing should be found, whether something is. */
export interface SearchChange {
	readonly query: LabelledQuery;
	/** `gained`, `lost`: entered or left the first five, which a model sees first. Otherwise the rank within them changed. */
	readonly kind: 'gained' | 'lost' | 'higher' | 'lower';
	/** The tool that meets or last met the need; absent if nothing should be found. */
	readonly tool?: CatalogTool;
	/** From 1; infinite: not found. */
	readonly before: number;
	readonly after: number;
	/** Taught tools that are wrong here and rank first only now. */
	readonly blamed: readonly CatalogTool[];
}

/** Whether the change helps overall; `slightly`: only ranks changed. */
export type Effect = 'better' | 'slightly-better' | 'same' | 'slightly-worse' | 'worse';

/** Two evaluations of the same queries, before and after a change. */
export interface Comparison {
	readonly before: Evaluation;
	readonly after: Evaluation;
	readonly effect: Effect;
	/** All needs, and those met by the first five tools. */
	readonly needs: { readonly all: number; readonly before: number; readonly after: number };
	/** In the order of the queries. */
	readonly changes: readonly SearchChange[];
}

/** The searched tools; only their expansions differ. */
export interface SearchedTools {
	readonly catalog: Catalog;
	readonly policy: DiscoveryPolicy;
}

/** Evaluates queries before and after search learned about some tools. */
export async function compareTeaching(
	searched: SearchedTools,
	taught: readonly TaughtTool[],
	queries: readonly LabelledQuery[],
	{ pause, progress }: WorkSteps,
): Promise<Comparison> {
	// The second index reuses the documents of the first.
	const indexing: Indexing = { pause };
	const evaluated = (expansionOf: (tool: TaughtTool) => ToolExpansion | undefined, from: number) => {
		const catalog = withExpansions(searched.catalog, taught, expansionOf);
		const surface = new ToolSurface(catalog, searched.policy, undefined, indexing);
		return evaluate(surface, queries, { pause, progress: (share) => progress?.(from + share / 2) });
	};
	const before = await evaluated((tool) => tool.before, 0);
	const after = await evaluated((tool) => tool.after, 1 / 2);
	return compareEvaluations(before, after, new Set(taught.map(keyOf)));
}

/** The same catalog with other expansions. */
function withExpansions(
	catalog: Catalog,
	taught: readonly TaughtTool[],
	expansionOf: (tool: TaughtTool) => ToolExpansion | undefined,
): Catalog {
	const expansions = new Map(taught.map((tool) => [keyOf(tool), expansionOf(tool)]));
	const tools = catalog.tools.map((tool) => {
		if (!expansions.has(keyOf(tool))) return tool;
		const { expansion: _, ...own } = tool;
		const expansion = expansions.get(keyOf(tool));
		return expansion ? { ...own, expansion } : own;
	});
	const { quarantined, disabled } = catalog;
	return new Catalog(catalog.servers, catalog.version, { tools, quarantined, disabled });
}

/** Identifies a tool across catalogs. */
function keyOf({ server, name }: Pick<Tool, 'server' | 'name'>): string {
	return JSON.stringify([server, name]);
}

/** Compares two evaluations of the same queries. `taught`: keys of the tools that search learned about in between. */
export function compareEvaluations(
	before: Evaluation,
	after: Evaluation,
	taught: ReadonlySet<string> = new Set(),
): Comparison {
	return {
		before,
		after,
		effect: effectOf(before, after),
		needs: { all: needsOf(after).length, before: needsMet(before), after: needsMet(after) },
		changes: after.results.flatMap((now, i) => {
			const then = before.results[i];
			return then ? changesOf(then, now, taught) : [];
		}),
	};
}

function needsOf({ results }: Evaluation): number[] {
	return results.flatMap(({ ranks }) => ranks);
}

function needsMet(evaluation: Evaluation): number {
	return needsOf(evaluation).filter((rank) => rank <= firstTools).length;
}

/** Tolerance for rounding errors of sums. */
const rounding = 1e-9;

/** How many more queries are right; on a tie, how much higher the right tools rank. */
function balance(
	before: Evaluation,
	after: Evaluation,
): { readonly by: 'number' | 'rank'; readonly sum: number } {
	const right = (one: Evaluation) => needsMet(one) - one.figures.falseAnswers;
	const number = right(after) - right(before);
	if (number !== 0) return { by: 'number', sum: number };
	const rank = after.figures.relevance.ndcg10 - before.figures.relevance.ndcg10;
	return { by: 'rank', sum: Math.abs(rank) < rounding ? 0 : rank };
}

function effectOf(before: Evaluation, after: Evaluation): Effect {
	const { by, sum } = balance(before, after);
	if (sum === 0) return 'same';
	if (sum > 0) return by === 'number' ? 'better' : 'slightly-better';
	return by === 'number' ? 'worse' : 'slightly-worse';
}

function changesOf(
	before: QuestionResult,
	after: QuestionResult,
	taught: ReadonlySet<string>,
): SearchChange[] {
	const { labelled: query, expects, needs } = after.question;
	const [then, now] = [toolsOf(before), toolsOf(after)];
	const isTaught = (tool: CatalogTool) => taught.has(keyOf(tool));
	if (expects === 'nothing') {
		const [found, none] = [1, Number.POSITIVE_INFINITY];
		if (then.length === 0 && now.length > 0) {
			const blamed = now.slice(0, firstTools).filter(isTaught);
			return [{ query, kind: 'lost', before: none, after: found, blamed }];
		}
		return then.length > 0 && now.length === 0
			? [{ query, kind: 'gained', before: found, after: none, blamed: [] }]
			: [];
	}
	return needs.flatMap((_, i): SearchChange[] => {
		const [old, rank] = [rankIn(before, i), rankIn(after, i)];
		const tool = now[rank - 1] ?? then[old - 1];
		const kind = kindOf(old, rank);
		if (!kind || !tool) return [];
		const were = new Set(then.slice(0, old - 1).map(({ wireName }) => wireName));
		const isRight = ({ wireName }: CatalogTool) => needs.some((need) => need.has(wireName));
		const blamed = now
			.slice(0, rank - 1)
			.filter((one) => rank > old && isTaught(one) && !were.has(one.wireName) && !isRight(one));
		return [{ query, kind, tool, before: old, after: rank, blamed }];
	});
}

function toolsOf({ hits }: QuestionResult): readonly CatalogTool[] {
	return hits.map(({ tool }) => tool);
}

function rankIn({ ranks }: QuestionResult, need: number): number {
	return ranks[need] ?? Number.POSITIVE_INFINITY;
}

/** Classifies a change of rank; `undefined` if the tool is never among the first five. */
function kindOf(before: number, after: number): SearchChange['kind'] | undefined {
	if (before === after || Math.min(before, after) > firstTools) return undefined;
	if (before > firstTools) return 'gained';
	if (after > firstTools) return 'lost';
	return after < before ? 'higher' : 'lower';
}
