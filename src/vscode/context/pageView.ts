import { DiscoverySession } from '../../discovery/discoverySession.ts';
import { habitSummary } from '../../discovery/habits/habitSummary.ts';
import { contextReport } from '../../discovery/report/contextReport.ts';
import type { ConfigState } from '../config/configState.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { HabitStore } from '../habits/habitStore.ts';
import type { Unloads } from '../loaded/unloads.ts';
import type { PageView } from './messages.ts';

/** What a view is made of. */
export interface ViewSources {
	readonly hub: DiscoveryHub;
	readonly unloads: Unloads;
	readonly habits: Pick<HabitStore, 'suggestions' | 'habits'>;
	readonly trusted: boolean;
	readonly configuration: ConfigState['kind'];
}

/** What there is to show now. */
export function pageView({ hub, unloads, habits, trusted, configuration }: ViewSources): PageView {
	if (!trusted) return { kind: 'untrusted' };
	if (configuration !== 'ok') return { kind: configuration };
	const undo = hub.current && unloads.last(hub.current)?.tool.id;
	return {
		kind: 'report',
		report: contextReport(hub.current?.discovery ?? new DiscoverySession(hub.currentSurface)),
		suggestions: habits.suggestions(),
		past: habitSummary(habits.habits),
		...(undo !== undefined && { undo }),
	};
}
