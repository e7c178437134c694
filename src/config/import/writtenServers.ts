import { findNodeAtLocation } from 'jsonc-parser';
import { rootOf, withObject } from '../writtenValue.ts';
import type { ServerJson } from './importedServer.ts';

/** A readable file's text with servers added to a section of it, over several lines where its entries are so. */
export function withServers(text: string, section: string, servers: ReadonlyMap<string, ServerJson>): string {
	const root = rootOf(text);
	if (!root || servers.size === 0) return text;
	if (!findNodeAtLocation(root, [section])) return withObject(text, [section], Object.fromEntries(servers));
	return [...servers].reduce((rest, [name, entry]) => withObject(rest, [section, name], entry), text);
}
