import { DiscoverySession } from '../../discovery/discoverySession.ts';
import type { SuggestionSource } from '../../discovery/habits/suggestion.ts';
import { contextReport } from '../../discovery/report/contextReport.ts';
import type { ConfigState } from '../config/configFile.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { Unloads } from '../loaded/unloads.ts';
import type { PageView } from './messages.ts';

/** What a view is made of. */
export interface ViewSources {
	readonly hub: DiscoveryHub;
	readonly unloads: Unloads;
	readonly suggestions?: Pick<SuggestionSource, 'suggestions'>;
	readonly trusted: boolean;
	readonly configuration: ConfigState['kind'];
}

/** What there is to show now. */
export function pageView({ hub, unloads, suggestions, trusted, configuration }: ViewSources): PageView {
	if (!trusted) return { kind: 'untrusted' };
	if (configuration !== 'ok') return { kind: configuration };
	const undo = hub.current && unloads.last(hub.current)?.tool.id;
	return {
		kind: 'report',
		report: contextReport(hub.current?.discovery ?? new DiscoverySession(hub.currentSurface)),
		suggestions: suggestions?.suggestions() ?? [],
		...(undo !== undefined && { undo }),
	};
}
