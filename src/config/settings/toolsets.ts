import * as l10n from '@vscode/l10n';
import type { Toolset } from '../../discovery/catalog/toolset.ts';
import { rootOf } from '../file/document.ts';
import { maxNameLength, printable } from '../file/entryNames.ts';
import { withObject } from '../file/jsoncText.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import { type ConfigEdits, smallestEdit } from '../file/textEdit.ts';
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
	const known = new Set(serverNames);
	const toolsets = new Map<string, Toolset>();
	for (const [name, { description, servers }] of config.tool_sets ?? []) {
		if (!servers || report.hasErrorAt(['tool_sets', name])) continue;
		for (const server of servers.keys()) {
			if (known.has(server)) continue;
			const message = () =>
				withSuggestion(l10n.t('there is no server with this name'), suggestedName(server, serverNames));
			report.warning(['tool_sets', name, 'servers', server], message, 'key');
		}
		toolsets.set(name, { name, file, servers, ...(description === undefined ? {} : { description }) });
	}
	return toolsets;
}

/** What a toolset includes: all tools of a server, or only these. */
export type ToolsetServers = ReadonlyMap<string, true | readonly string[]>;

/** Writes a toolset in place of one with the same name, keeping comments and the description. */
export function saveToolset(
	text: string,
	name: string,
	servers: ToolsetServers,
	description: string | undefined,
): ConfigEdits {
	if (!rootOf(text)) return undefined;
	const entry = {
		...(description !== undefined && { description }),
		servers: Object.fromEntries(servers),
	};
	return smallestEdit(text, withObject(text, ['tool_sets', name], entry));
}

/** Why a toolset cannot have this name, as a sentence; `undefined`: it can. */
export function toolsetNameFault(name: string): string | undefined {
	const trimmed = name.trim();
	if (trimmed === '') return l10n.t('A toolset needs a name.');
	if (trimmed.length > maxNameLength) return l10n.t('A name has at most {0} characters.', maxNameLength);
	if (printable(trimmed) !== trimmed) return l10n.t('A name cannot contain control characters.');
	if (trimmed === 'none') return l10n.t('“none” is reserved: /toolset none removes a chat’s toolset.');
	if (trimmed === '__proto__') return l10n.t('This name is not allowed for a toolset.');
	return undefined;
}
