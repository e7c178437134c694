import type { CatalogTool } from '../catalog/catalog.ts';
import { isFullName, type NameResolution, ToolNames } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';

/** Servers, and tools, that are remembered after they have gone; the oldest are forgotten first. */
const keptServers = 256;
const keptTools = 5_000;

/**
 * What went by which name earlier in a chat. A model goes on to use the names that it was told: they must not lead to another tool
 * because the one that they meant is gone.
 */
export class EarlierTools {
	readonly #servers: Set<string>;
	/** By server and name, those that are gone. */
	readonly #gone = new Map<string, CatalogTool>();
	#names: ToolNames | undefined;
	#now: ToolSurface | undefined;

	/** `servers`: what was known before, see {@link servers}; `tools`: some that may be gone. */
	constructor(servers: readonly string[] = [], tools: readonly CatalogTool[] = []) {
		this.#servers = new Set(servers);
		for (const tool of tools) this.#gone.set(keyOf(tool), tool);
	}

	/** Every server there was, the ones that came last at the end. */
	get servers(): readonly string[] {
		return [...this.#servers];
	}

	/** Notes what has gone since the last surface; called with each surface of the chat. */
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

	/** What a name means on a surface, where it has not meant anything else. */
	resolve(name: string, surface: ToolSurface): NameResolution {
		const resolution = surface.names.resolve(name, undefined, this.#servers);
		const isOther = resolution.kind === 'found' && this.meansAnother(name, resolution.tool);
		return isOther ? surface.names.unknown(name) : resolution;
	}

	/** Whether a name that leads to a tool has led to another one, or may have. */
	meansAnother(name: string, tool: CatalogTool): boolean {
		this.#names ??= new ToolNames([...this.#gone.values()]);
		const resolution = this.#names.resolve(name);
		if (resolution.kind === 'unknown') return false;
		const gone = resolution.kind === 'found' ? [resolution.tool] : resolution.candidates;
		// Without this, a server could take another's full names away by having tools of such bare names for a moment.
		const wrote = [asWritten, isFullName].find((isName) => isName(name, tool));
		return gone.some((other) => !isSameTool(other, tool) && (!wrote || wrote(name, other)));
	}
}

/** Whether a name is a tool's full name in these very letters. */
function asWritten(name: string, { id, wireName }: CatalogTool): boolean {
	return [id, wireName].includes(name.trim());
}

function isAt(surface: ToolSurface, tool: CatalogTool): boolean {
	const now = surface.get(tool.wireName);
	return now !== undefined && isSameTool(now, tool);
}

/** Whether both are the same tool of the same server, whatever they look like. */
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
