import * as l10n from '@vscode/l10n';
import type { ContextReport, ServerCost } from '../../../discovery/report/contextReport.ts';
import { short } from './numbers.ts';

/** One bar: what the tools of a server cost, in estimated tokens of their definitions. */
export interface ServerBar {
	readonly label: string;
	/** Goes with every request. */
	readonly loaded: number;
	readonly deferred: number;
}

/** Servers that have a bar of their own; the rest share one. */
export const mostServers = 12;

/** The dearest servers, then all others in one, then what Discovery itself adds. */
export function serverBars({
	servers,
	costs,
}: Pick<ContextReport, 'servers' | 'costs'>): readonly ServerBar[] {
	const shown = servers.length > mostServers + 1 ? servers.slice(0, mostServers) : servers;
	const rest = servers.slice(shown.length);
	return [
		...shown.map((server) => bar(server.server, [server])),
		...(rest.length > 0 ? [bar(l10n.t('{0} more servers', rest.length), rest)] : []),
		...(costs.synthetic.tokens > 0
			? [{ label: costs.syntheticNames.join(', '), loaded: costs.synthetic.tokens, deferred: 0 }]
			: []),
	];
}

/** What the picture says, for those who do not see it. */
export function serverGist(bars: readonly ServerBar[]): string {
	const sum = (key: 'loaded' | 'deferred') => bars.reduce((total, one) => total + one[key], 0);
	const dearest = bars.toSorted((a, b) => b.loaded + b.deferred - a.loaded - a.deferred)[0];
	const gist = l10n.t(
		'Tokens by server: {0} loaded, {1} deferred.',
		short(sum('loaded')),
		short(sum('deferred')),
	);
	if (!dearest) return gist;
	return `${gist} ${l10n.t('The most: {0}, {1}.', dearest.label, short(dearest.loaded + dearest.deferred))}`;
}

function bar(label: string, servers: readonly ServerCost[]): ServerBar {
	const sum = (key: 'loaded' | 'deferred') => servers.reduce((total, one) => total + one[key].tokens, 0);
	return { label, loaded: sum('loaded'), deferred: sum('deferred') };
}
