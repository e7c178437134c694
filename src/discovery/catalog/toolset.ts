import type { CatalogServer, CatalogTool } from './catalog.ts';

/** What a toolset takes of one server: all, all but some, or only some tools. */
export type ToolsetSelection = true | { readonly exclude: readonly string[] } | readonly string[];

/** A named subset of servers and tools; applied before anything else. */
export interface Toolset {
	readonly name: string;
	readonly description?: string;
	readonly servers: ReadonlyMap<string, ToolsetSelection>;
	/**
	 * The configuration does not define it now, and `servers` is what it permitted before, or nothing where that is not known. It stays
	 * in force all the same: a slip in the file must not give a chat more tools than its user has chosen.
	 */
	readonly missing?: true;
}

/** What is kept of a chat's toolset; plain JSON. */
export interface KeptToolset {
	readonly name: string;
	/** What it permitted. */
	readonly servers: readonly (readonly [string, ToolsetSelection])[];
}

/** A toolset as {@link restoredToolset} reads it. */
export function keptToolset(toolset: Toolset | undefined): KeptToolset | undefined {
	return toolset && { name: toolset.name, servers: [...toolset.servers] };
}

/** The toolset that a chat had, as it is used while the configuration does not define it. */
export function restoredToolset(kept: KeptToolset | undefined): Toolset | undefined {
	return kept && { name: kept.name, servers: new Map(kept.servers), missing: true };
}

/** Whether a toolset permits a tool. No toolset permits all. */
export function permits(
	toolset: Toolset | undefined,
	tool: { readonly server: string; readonly name: string },
): boolean {
	if (!toolset) return true;
	const selection = toolset.servers.get(tool.server);
	if (selection === undefined) return false;
	if (selection === true) return true;
	return 'exclude' in selection ? !selection.exclude.includes(tool.name) : selection.includes(tool.name);
}

/** Whether a toolset permits anything of a server. */
export function permitsServer(toolset: Toolset | undefined, server: string): boolean {
	return !toolset || toolset.servers.has(server);
}

/** Whether two toolsets take the same; the file that defines them may have been read anew, or be away. */
export function isSameToolset(a: Toolset | undefined, b: Toolset | undefined): boolean {
	if (a === b) return true;
	if (!a || !b || a.name !== b.name) return false;
	return JSON.stringify([...a.servers]) === JSON.stringify([...b.servers]);
}

/** Names of a toolset that no server, or no tool of the server, goes by: `server` or `server:tool`. */
export function unknownNames(
	toolset: Toolset,
	servers: readonly CatalogServer[],
	tools: readonly CatalogTool[],
): string[] {
	const known = new Set(servers.map((server) => server.name));
	const ids = new Set(tools.map((tool) => tool.id));
	return [...toolset.servers].flatMap(([server, selection]) => {
		if (!known.has(server)) return [server];
		if (selection === true) return [];
		const names = 'exclude' in selection ? selection.exclude : selection;
		return names.map((name) => `${server}:${name}`).filter((id) => !ids.has(id));
	});
}
