import * as l10n from '@vscode/l10n';
import type { Toolset } from '../discovery/toolset.ts';
import type { ProblemReport } from './problemReport.ts';
import type { SalvagedConfig } from './serverEntry.ts';
import { suggestion } from './suggestion.ts';

/**
 * Reads `tool_sets`. A toolset with a fault is off as a whole: read without its faulty part it could permit what the
 * user excluded. Whether its tools exist is known only when the servers are up.
 */
export function readToolsets(
	config: SalvagedConfig,
	serverNames: readonly string[],
	report: ProblemReport,
): ReadonlyMap<string, Toolset> {
	const known = new Set(serverNames);
	const toolsets = new Map<string, Toolset>();
	for (const [name, { description, servers }] of config.tool_sets ?? []) {
		if (!servers || report.hasErrorIn(['tool_sets', name])) continue;
		for (const server of servers.keys()) {
			if (known.has(server)) continue;
			const message = () => noServerText(suggestion(server, serverNames));
			report.warning(['tool_sets', name, 'servers', server], message, {
				part: 'key',
				reason: { kind: 'no-server', names: serverNames },
			});
		}
		toolsets.set(name, { name, servers, ...(description === undefined ? {} : { description }) });
	}
	return toolsets;
}

function noServerText(meant: string | undefined): string {
	return meant === undefined
		? l10n.t('there is no server of this name')
		: l10n.t('there is no server of this name; did you mean {0}?', meant);
}
