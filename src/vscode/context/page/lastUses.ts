import type { TimelineEntry } from '../../../discovery/journal/timeline.ts';

/** When each tool was last loaded or called, by `server:tool`, in milliseconds since 1970; absent where nothing tells. */
export function lastUses(timeline: readonly TimelineEntry[]): ReadonlyMap<string, number> {
	const uses = new Map<string, number>();
	for (const entry of timeline) {
		if (entry.kind === 'call') uses.set(entry.tool, entry.at);
		if (entry.kind === 'load') for (const name of entry.tools.names) uses.set(name, entry.at);
	}
	return uses;
}
