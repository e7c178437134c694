import type { CatalogTool } from '../catalog/catalog.ts';
import { isFullName, type NameResolution, ToolNames } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';

/** Most servers and tools that are remembered; the oldest are forgotten first. */
const keptServers = 256;
const keptTools = 5_000;

/**
 * Names that meant something earlier in a chat. A model keeps using names it was told, and they must not lead to a different tool after the intended one
 * is gone.
 */
export class EarlierTools {
	readonly #servers: Set<string>;
	/** Tools that are gone, by server and name. */
	readonly #gone = new Map<string, CatalogTool>();
	#names: ToolNames | undefined;
	#now: ToolSurface | undefined;

	/** `servers`: see {@link servers}. `tools`: tools that may be gone. */
	constructor(servers: readonly string[] = [], tools: readonly CatalogTool[] = []) {
		this.#servers = new Set(servers);
		for (const tool of tools) this.#gone.set(keyOf(tool), tool);
	}

	/** Every server so far, the newest last. */
	get servers(): readonly string[] {
		return [...this.#servers];
	}

	/** Records what has gone since the last surface. Call it with every surface of the chat. */
	follow(surface: ToolSurface): void {
		const before = this.#now?.tools ?? [];
		this.#now = surface;
		for (const tool of before) if (!isAt(surface, tool)) this.#gone.set(keyOf(tool), tool);
		for (const [key, tool] of this.#gone) if (isAt(surface, tool)) this.#gone.delete(key);
		for (const { name } of surface.servers) this.#servers.add(name);
		dropFirst(this.#servers, keptServers);
		dropFirst(this.#gone, keptTools);
		this.#names = undefined;
	}

	/** Resolves a name, unless it meant something else before. */
	resolve(name: string, surface: ToolSurface): NameResolution {
		const resolution = surface.names.resolve(name, undefined, this.#servers);
		const isOther = resolution.kind === 'found' && this.meansAnother(name, resolution.tool);
		return isOther ? surface.names.unknown(name) : resolution;
	}

	/** Whether a name that resolves to this tool has meant, or may have meant, another one. */
	meansAnother(name: string, tool: CatalogTool): boolean {
		this.#names ??= new ToolNames([...this.#gone.values()]);
		const resolution = this.#names.resolve(name);
		if (resolution.kind === 'unknown') return false;
		const gone = resolution.kind === 'found' ? [resolution.tool] : resolution.candidates;
		// Otherwise a server could take over another's full names by listing tools with such bare names for a moment.
		const wrote = [isExactFullName, isFullName].find((isName) => isName(name, tool));
		return gone.some((other) => !isSameTool(other, tool) && (!wrote || wrote(name, other)));
	}
}

function isExactFullName(name: string, { id, wireName }: CatalogTool): boolean {
	return [id, wireName].includes(name.trim());
}

function isAt(surface: ToolSurface, tool: CatalogTool): boolean {
	const now = surface.get(tool.wireName);
	return now !== undefined && isSameTool(now, tool);
}

/** Whether both are the same tool of the same server, in any version. */
export function isSameTool(
	a: Pick<CatalogTool, 'server' | 'name'>,
	b: Pick<CatalogTool, 'server' | 'name'>,
): boolean {
	return a.server === b.server && a.name === b.name;
}

function keyOf({ server, name }: CatalogTool): string {
	return JSON.stringify([server, name]);
}

function dropFirst(kept: Set<string> | Map<string, unknown>, most: number): void {
	for (const key of kept.keys()) {
		if (kept.size <= most) return;
		kept.delete(key);
	}
}
