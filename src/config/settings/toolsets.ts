import * as l10n from '@vscode/l10n';
import type { Toolset } from '../../discovery/catalog/toolset.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import { suggestedName, withSuggestion } from '../problemText.ts';
import type { SalvagedConfig } from '../salvage.ts';

/**
 * Reads `tool_sets`. A toolset with a fault is off as a whole: without its faulty part it could permit what the user excluded. Whether its
 * tools exist is known only once servers run.
 */
export function readToolsets(
	config: SalvagedConfig,
	{ file, serverNames }: { readonly file: string; readonly serverNames: readonly string[] },
	report: ProblemReport,
): ReadonlyMap<string, Toolset> {
	const knownServers = new Set(serverNames);
	const toolsets = new Map<string, Toolset>();
	for (const [name, { description, servers }] of config.tool_sets ?? []) {
		if (!servers || report.hasErrorAt(['tool_sets', name])) continue;
		for (const server of servers.keys()) {
			if (knownServers.has(server)) continue;
			const message = () =>
				withSuggestion(l10n.t('there is no server with this name'), suggestedName(server, serverNames));
			report.warning(['tool_sets', name, 'servers', server], message, 'key');
		}
		toolsets.set(name, { name, file, servers, ...(description === undefined ? {} : { description }) });
	}
	return toolsets;
}
