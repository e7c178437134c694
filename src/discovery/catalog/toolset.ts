import type { CatalogServer, CatalogTool } from './catalog.ts';

/** The part of a server in a toolset: all tools, all but some, or only some. */
export type ToolsetSelection = true | { readonly exclude: readonly string[] } | readonly string[];

/** A named subset of servers and tools; applied before anything else. */
export interface Toolset {
	readonly name: string;
	/** Where it is defined: two files may have toolsets of the same name. */
	readonly file?: string;
	readonly description?: string;
	readonly servers: ReadonlyMap<string, ToolsetSelection>;
	/**
	 * The configuration no longer defines it. `servers` is what it last permitted, or nothing if unknown. It stays in force: a typo in the file must not
	 * give a chat more tools than its user chose.
	 */
	readonly missing?: true;
}

/** A chat's toolset as stored. Plain JSON. */
export interface KeptToolset {
	readonly name: string;
	readonly file?: string;
	readonly servers: readonly (readonly [string, ToolsetSelection])[];
}

export function keptToolset(toolset: Toolset | undefined): KeptToolset | undefined {
	return toolset && { ...ownNames(toolset), servers: [...toolset.servers] };
}

/** A chat's stored toolset, used while the configuration does not define it. */
export function restoredToolset(kept: KeptToolset | undefined): Toolset | undefined {
	return kept && { ...ownNames(kept), servers: new Map(kept.servers), missing: true };
}

function ownNames({ name, file }: Pick<Toolset, 'name' | 'file'>): Pick<Toolset, 'name' | 'file'> {
	return { name, ...(file !== undefined && { file }) };
}

/** Whether a toolset permits a tool. Without a toolset every tool is permitted. */
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

export function permitsServer(toolset: Toolset | undefined, server: string): boolean {
	return !toolset || toolset.servers.has(server);
}

/** Whether a chat's stored toolset permits the same as this one, even if that was read again or is missing now. */
export function isSameToolset(kept: KeptToolset | undefined, toolset: Toolset | undefined): boolean {
	if (!kept || !toolset) return kept === toolset;
	if (kept.name !== toolset.name || kept.file !== toolset.file) return false;
	return JSON.stringify(kept.servers) === JSON.stringify([...toolset.servers]);
}

/** Names in a toolset that match no server or tool: `server` or `server:tool`. */
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
