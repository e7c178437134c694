import * as l10n from '@vscode/l10n';
import { autoWords } from '../../../chat/autoWords.ts';
import { searchCount, toolCount } from '../../../chat/counts.ts';
import { loadedIn, loadedWords } from '../../../chat/loadedCount.ts';
import type { ActiveTool, ContextReport } from '../../../discovery/report.ts';
import type { TimelineEntry } from '../../../discovery/session/timeline.ts';
import { offlinePlannerDescription } from '../../../models/planner/description.ts';
import { nameInId } from '../../core/modelInformation.ts';

/** `5 of 957 tools loaded · −99% · gpt-4.1 · toolset reading`. */
export function chatState(report: ContextReport): string {
	const { enabled, auto, always, timeline } = report;
	const model = timeline.findLast((entry) => entry.kind === 'turn')?.model;
	return [
		...(auto ? [autoWords(auto)] : []),
		...(enabled
			? [loadedWords(loadedIn(report))]
			: auto
				? []
				: [l10n.t('Discovery is off: {0} loaded', toolCount(always.length))]),
		...(model ? [modelName(model)] : []),
		...toolsetWords(report),
	].join(' · ');
}

/** A model as people know it, by its id. */
export function modelName(id: string): string {
	return id === offlinePlannerDescription.id ? l10n.t('Offline Planner (no AI)') : nameInId(id);
}

function toolsetWords({ toolset, toolsetMissing }: ContextReport): string[] {
	if (toolset === undefined) return [];
	return [
		toolsetMissing
			? l10n.t('toolset {0}, missing from the configuration', toolset)
			: l10n.t('toolset {0}', toolset),
	];
}

/** `3 searches, 1 found nothing; 7 tools loaded`. */
export function searchSummary(statistics: NonNullable<ContextReport['statistics']>): string {
	const { search_calls, searches_without_hit: missed = 0, tools_discovered } = statistics;
	const [searches, tools] = [searchCount(search_calls), toolCount(tools_discovered)];
	return missed > 0
		? l10n.t('{0}, {1} found nothing; {2} loaded.', searches, missed, tools)
		: l10n.t('{0}; {1} loaded.', searches, tools);
}

/** When each tool was last called, by `server:tool`, in milliseconds since 1970; the last one first. Absent: not called, or too long ago. */
export function lastCalls(timeline: readonly TimelineEntry[]): ReadonlyMap<string, number> {
	const calls = new Map<string, number>();
	for (const entry of timeline.toReversed())
		if (entry.kind === 'call' && !calls.has(entry.tool)) calls.set(entry.tool, entry.at);
	return calls;
}

/** The tools that a chat has loaded: first those that it called, the last one first, then the others, the last loaded first. */
export function inOrderOfCalls(
	active: readonly ActiveTool[],
	calls: ReadonlyMap<string, number>,
): readonly ActiveTool[] {
	const places = new Map([...calls.keys()].map((id, i) => [id, i]));
	const placeOf = ({ server, name }: ActiveTool) => places.get(`${server}:${name}`) ?? places.size;
	return active.toSorted((a, b) => placeOf(a) - placeOf(b) || b.lastTurn - a.lastTurn);
}
