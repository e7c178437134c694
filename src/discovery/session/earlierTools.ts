import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { toolId } from '../catalog/tool.ts';
import { isFullName, type NameResolution, ToolNames } from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { wireName } from '../catalog/wireNames.ts';
import type { NamesByServer } from './logEntry.ts';
import type { LogState } from './logState.ts';

/** Most names that are remembered of one server. Each has its own limit, so that none can make a chat forget another's tools. */
const maxNamesPerServer = 5_000;

/** Once per surface: each call asks for it. */
const namesByServer = weakMemo(({ tools }: ToolSurface): ReadonlyMap<string, ReadonlySet<string>> => {
	const byServer = Map.groupBy(tools, ({ server }) => server);
	return new Map([...byServer].map(([server, tools]) => [server, new Set(tools.map(({ name }) => name))]));
});

/** The tools of a surface that a chat has not had yet. */
export function newTools(surface: ToolSurface, knownNames: LogState['tools']): NamesByServer {
	return [...namesByServer(surface)].flatMap(([server, names]) => {
		const known = knownNames.get(server) ?? new Set();
		const newNames = [...names.difference(known)].slice(0, Math.max(0, maxNamesPerServer - known.size));
		return newNames.length > 0 ? [[server, newNames] as const] : [];
	});
}

/**
 * Names that meant something earlier in a chat. A model keeps using names it was told, and they must not lead to a different tool after the intended one
 * is gone.
 */
export class EarlierTools {
	readonly #knownNames: LogState['tools'];
	readonly #surface: ToolSurface;
	#names: ToolNames | undefined;

	/** `surface`: the tools of now; `knownNames`: all so far. */
	constructor(surface: ToolSurface, knownNames: LogState['tools'] = new Map()) {
		this.#surface = surface;
		this.#knownNames = knownNames;
	}

	/** Resolves a name, unless it meant something else before. `exact`: the tool whose wire name it is. */
	resolve(name: string, exact?: CatalogTool): NameResolution {
		const { names } = this.#surface;
		const resolution: NameResolution = exact
			? { kind: 'found', tool: exact }
			: names.resolve(name, undefined, this.#knownNames.keys());
		const isOther = resolution.kind === 'found' && this.#meansAnother(name, resolution.tool);
		return isOther ? names.unknown(name) : resolution;
	}

	/** Whether a name that resolves to this tool has meant, or may have meant, another one. */
	#meansAnother(name: string, tool: CatalogTool): boolean {
		this.#names ??= new ToolNames(this.#gone());
		const resolution = this.#names.resolve(name);
		if (resolution.kind === 'unknown') return false;
		const goneTools = resolution.kind === 'found' ? [resolution.tool] : resolution.candidates;
		// Otherwise a server could take over another's full names by listing tools with such bare names for a moment.
		const wrote = [isExactFullName, isFullName].find((isName) => isName(name, tool));
		return goneTools.some((other) => !isSameTool(other, tool) && (!wrote || wrote(name, other)));
	}

	/** Tools that are gone; only their names count. */
	#gone(): readonly CatalogTool[] {
		const now = namesByServer(this.#surface);
		return [...this.#knownNames].flatMap(([server, names]) =>
			[...names.difference(now.get(server) ?? new Set())].map((name) => {
				const tool = { server, name };
				return { ...tool, id: toolId(tool), wireName: wireName(tool), inputSchema: {} };
			}),
		);
	}
}

function isExactFullName(name: string, { id, wireName }: CatalogTool): boolean {
	return [id, wireName].includes(name.trim());
}

/** Whether both are the same tool of the same server, in any version. */
export function isSameTool(
	a: Pick<CatalogTool, 'server' | 'name'>,
	b: Pick<CatalogTool, 'server' | 'name'>,
): boolean {
	return a.server === b.server && a.name === b.name;
}
