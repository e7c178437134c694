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
	if (trimmed === '') return 'A toolset needs a name.';
	if (trimmed.length > maxNameLength) return `A name has at most ${maxNameLength} characters.`;
	if (unprintable.test(trimmed)) return 'A name can hold no control characters.';
	if (trimmed === 'none') return '“none” is how /toolset says that no toolset is chosen.';
	if (trimmed === '__proto__') return 'No toolset can have this name.';
	return undefined;
}
