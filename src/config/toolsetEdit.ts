import * as l10n from '@vscode/l10n';
import type { ConfigEdits } from './edit.ts';
import { unprintable } from './serverName.ts';
import { smallestEdit } from './textEdit.ts';
import { rootOf, withObject } from './writtenValue.ts';

/** What a toolset takes: all tools of a server, or only these. */
export type ToolsetServers = ReadonlyMap<string, true | readonly string[]>;

const maxNameLength = 64;

/** Writes a toolset, in the place of one of the same name, of which only comments and the description stay. */
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

/** Why a toolset cannot have this name, as a sentence; nothing where it can. */
export function toolsetNameFault(name: string): string | undefined {
	const trimmed = name.trim();
	if (trimmed === '') return l10n.t('A toolset needs a name.');
	if (trimmed.length > maxNameLength) return l10n.t('A name has at most {0} characters.', maxNameLength);
	if (unprintable.test(trimmed)) return l10n.t('A name can hold no control characters.');
	if (trimmed === 'none') return l10n.t('“none” is how /toolset says that no toolset is chosen.');
	if (trimmed === '__proto__') return l10n.t('No toolset can have this name.');
	return undefined;
}
