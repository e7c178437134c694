import { Catalog } from '../catalog/catalog.ts';
import type { ToolExpansion } from '../catalog/expansion.ts';
import type { DiscoveryPolicy } from '../catalog/policy.ts';
import { type Tool, toolId } from '../catalog/tool.ts';
import { type Indexing, ToolSurface } from '../catalog/toolSurface.ts';
import { type Evaluation, evaluate, type WorkSteps } from './evaluate.ts';
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

/** Two evaluations of the same queries, before and after a change. */
export interface Comparison {
	readonly before: Evaluation;
	readonly after: Evaluation;
}

/** Evaluates queries before and after search learned about some tools. */
export async function compareTeaching(
	{ catalog, policy }: { readonly catalog: Catalog; readonly policy: DiscoveryPolicy },
	taught: readonly TaughtTool[],
	queries: readonly LabelledQuery[],
	{ pause, progress }: WorkSteps,
): Promise<Comparison> {
	// The second index reuses the documents of the first.
	const indexing: Indexing = { pause };
	const evaluated = (time: 'before' | 'after', from: number) => {
		const expansions = new Map(taught.map((tool) => [toolId(tool), tool[time]]));
		const surface = new ToolSurface(withExpansions(catalog, expansions), policy, undefined, indexing);
		return evaluate(surface, queries, { pause, progress: (share) => progress?.(from + share / 2) });
	};
	return { before: await evaluated('before', 0), after: await evaluated('after', 1 / 2) };
}

/** The same catalog with other expansions, by the tools' ids. */
function withExpansions(
	{ servers, version, tools, quarantined, disabled }: Catalog,
	expansions: ReadonlyMap<string, ToolExpansion | undefined>,
): Catalog {
	const changed = tools.map((tool) => {
		if (!expansions.has(tool.id)) return tool;
		const { expansion: _, ...own } = tool;
		const expansion = expansions.get(tool.id);
		return expansion ? { ...own, expansion } : own;
	});
	return new Catalog(servers, version, { tools: changed, quarantined, disabled });
}

/** How much a change helps: how many more results are right; on a tie, how much higher the right tools rank. Negative: it makes search worse. */
export function gain({ before, after }: Comparison): number {
	const right = ({ found, falseAnswers }: Evaluation['figures']) => found - falseAnswers;
	return (
		right(after.figures) - right(before.figures) || Math.round((height(after) - height(before)) / rounding)
	);
}

/** Differences below this come from the order in which shares are added. */
const rounding = 1e-6;

function height({ results }: Evaluation): number {
	return results.flatMap(({ ranks }) => ranks).reduce((sum, rank) => sum + 1 / rank, 0);
}
