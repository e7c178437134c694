import { Catalog, type CatalogTool } from '../catalog/catalog.ts';
import type { ToolExpansion } from '../catalog/expansion.ts';
import type { DiscoveryPolicy } from '../catalog/policy.ts';
import type { Tool } from '../catalog/tool.ts';
import { type Indexing, ToolSurface } from '../catalog/toolSurface.ts';
import { type Evaluation, evaluate, firstTools, type QuestionResult, type WorkSteps } from './evaluate.ts';
import type { LabelledQuery } from './queryFile.ts';

/** A tool of which search has learned something, or forgotten it. */
export interface TaughtTool extends Pick<Tool, 'server' | 'name'> {
	/** What was written of it before, and what is now; absent: nothing. */
	readonly before?: ToolExpansion;
	readonly after?: ToolExpansion;
}

/** What search has just learned, and how that is taken back. */
export interface TeachingChange {
	readonly tools: readonly TaughtTool[];
	/** Makes all of it as it was before. */
	readonly undo: () => Promise<void>;
	/** Forgets what is written of some of the tools, and keeps the rest. */
	readonly forget: (tools: readonly TaughtTool[]) => Promise<void>;
}

/** How a need of a query is met otherwise than before; or, where nothing should be found, that something is, or no longer. */
export interface SearchChange {
	readonly query: LabelledQuery;
	/** `gained` and `lost`: now, or no longer, among the first five, which a model sees first; else higher or lower among these. */
	readonly kind: 'gained' | 'lost' | 'higher' | 'lower';
	/** The tool that meets the need, or last met it; absent where nothing should be found. */
	readonly tool?: CatalogTool;
	/** From 1; infinite where it is not found. */
	readonly before: number;
	readonly after: number;
	/** Taught tools that are wrong here and come first only now. */
	readonly blamed: readonly CatalogTool[];
}

/** Whether what search learned does good on the whole; slightly where only ranks have changed. */
export type Effect = 'better' | 'slightly-better' | 'same' | 'slightly-worse' | 'worse';

/** Two evaluations of the same queries, before and after search has learned something. */
export interface Comparison {
	readonly before: Evaluation;
	readonly after: Evaluation;
	readonly effect: Effect;
	/** Needs of all queries, and those that the first five tools meet. */
	readonly needs: { readonly all: number; readonly before: number; readonly after: number };
	/** In the order of the queries. */
	readonly changes: readonly SearchChange[];
}

/** A comparison, and what would be without the texts that do harm. */
export interface TeachingComparison extends Comparison {
	/** Taught tools that are right for some query. */
	readonly asked: number;
	readonly withoutHarm?: WithoutHarm;
}

/** Search with all that it learned but for some tools. It was tried, and does more right than with them. */
export interface WithoutHarm {
	/** Tools whose texts bring them to the fore where they are wrong, more often than where they are right. */
	readonly tools: readonly TaughtTool[];
	readonly comparison: TeachingComparison;
}

/** What is searched: the same before and after, but for what was written of tools. */
export interface SearchedTools {
	readonly catalog: Catalog;
	readonly policy: DiscoveryPolicy;
}

/** How often tools that do harm are looked for: without some, others may come to the fore. */
const mostRounds = 3;

/** Puts queries to search as it was before it learned of some tools, as it is now, and as it would be without what does harm. */
export async function compareTeaching(
	searched: SearchedTools,
	taught: readonly TaughtTool[],
	queries: readonly LabelledQuery[],
	{ pause, progress }: WorkSteps,
): Promise<TeachingComparison> {
	// The next index reuses the documents of the last one.
	const indexing: Indexing = { pause };
	const evaluated = (
		expansionOf: (tool: TaughtTool) => ToolExpansion | undefined,
		told: WorkSteps['progress'],
	) => {
		const catalog = withExpansions(searched.catalog, taught, expansionOf);
		const surface = new ToolSurface(catalog, searched.policy, undefined, indexing);
		return evaluate(surface, queries, { pause, ...(told && { progress: told }) });
	};
	const before = await evaluated(
		(tool) => tool.before,
		(share) => progress?.(share / 2),
	);
	const keys = new Set(taught.map(keyOf));
	const after = await evaluated(
		(tool) => tool.after,
		(share) => progress?.((1 + share) / 2),
	);
	const needed = new Set(
		after.results.flatMap(({ question }) => question.needs.flatMap((need) => [...need])),
	);
	const asked = searched.catalog.tools.filter(
		(tool) => keys.has(keyOf(tool)) && needed.has(tool.wireName),
	).length;
	const full = { ...compareEvaluations(before, after, keys), asked };
	const left = new Set<string>();
	let rest: TeachingComparison = full;
	for (let round = 0; round < mostRounds; round++) {
		const harmful = harmfulTools(rest).filter((key) => !left.has(key));
		if (harmful.length === 0) break;
		for (const key of harmful) left.add(key);
		const without = (tool: TaughtTool) => (left.has(keyOf(tool)) ? undefined : tool.after);
		rest = { ...compareEvaluations(before, await evaluated(without, undefined), keys), asked };
	}
	const { by, sum } = balance(full.after, rest.after);
	// For better ranks alone nothing is to be forgotten.
	if (by === 'rank' || sum < 0) return full;
	return {
		...full,
		withoutHarm: { tools: taught.filter((tool) => left.has(keyOf(tool))), comparison: rest },
	};
}

/** The same tools under the same names, of some of which something else is written. */
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

/** Tells the same tool in several catalogs. */
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
	return results.flatMap(({ answer }) => answer.ranks);
}

function needsMet(evaluation: Evaluation): number {
	return needsOf(evaluation).filter((rank) => rank <= firstTools).length;
}

/** Gains of a recall or an nDCG that are only the rounding of sums. */
const rounding = 1e-9;

/** How much more search does right; where that is the same, how much higher the right tools come. */
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

function toolsOf({ answer }: QuestionResult): readonly CatalogTool[] {
	return answer.hits.map(({ tool }) => tool);
}

function rankIn({ answer }: QuestionResult, need: number): number {
	return answer.ranks[need] ?? Number.POSITIVE_INFINITY;
}

/** What a change of rank amounts to; nothing where the tool is not among the first five, neither before nor after. */
function kindOf(before: number, after: number): SearchChange['kind'] | undefined {
	if (before === after || Math.min(before, after) > firstTools) return undefined;
	if (before > firstTools) return 'gained';
	if (after > firstTools) return 'lost';
	return after < before ? 'higher' : 'lower';
}

/** Keys of the tools that are to blame for more losses than they have gains. */
function harmfulTools({ changes }: Comparison): string[] {
	const sums = new Map<string, number>();
	const count = (tool: CatalogTool, by: 1 | -1) => sums.set(keyOf(tool), (sums.get(keyOf(tool)) ?? 0) + by);
	for (const { kind, tool, blamed } of changes) {
		if (kind === 'lost') for (const one of blamed) count(one, -1);
		else if (kind === 'gained' && tool) count(tool, 1);
	}
	return [...sums].filter(([, sum]) => sum < 0).map(([key]) => key);
}
