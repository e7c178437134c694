import * as l10n from '@vscode/l10n';
import type { ContextReport, ServerCost } from '../../../discovery/report.ts';

/** A server's tool definitions, in estimated tokens. */
interface ServerBar {
	readonly label: string;
	/** Sent with every request. */
	readonly loaded: number;
	readonly deferred: number;
}

/** Servers with their own bar. The others share one. */
export const maxServers = 12;

/** The most expensive servers, then all others in one bar, then Discovery's own definitions. */
export function serverBars({
	servers,
	costs,
}: Pick<ContextReport, 'servers' | 'costs'>): readonly ServerBar[] {
	const ownBars = servers.length > maxServers + 1 ? servers.slice(0, maxServers) : servers;
	const rest = servers.slice(ownBars.length);
	return [
		...ownBars.map((server) => bar(server.server, [server])),
		...(rest.length > 0 ? [bar(l10n.t('{0} more servers', rest.length), rest)] : []),
		...(costs.synthetic.tokens > 0
			? [{ label: costs.syntheticNames.join(', '), loaded: costs.synthetic.tokens, deferred: 0 }]
			: []),
	];
}

function bar(label: string, servers: readonly ServerCost[]): ServerBar {
	const sum = (key: 'loaded' | 'deferred') =>
		servers.reduce((total, server) => total + server[key].tokens, 0);
	return { label, loaded: sum('loaded'), deferred: sum('deferred') };
}
