import { type CatalogTool, toolDefinition } from './catalog.ts';
import { searchToolsDefinition } from './searchTools/definition.ts';
import { estimateDefinitionTokens } from './tokens.ts';
import type { ToolSurface } from './toolSurface.ts';

const counts = new WeakMap<CatalogTool, number>();

/** Estimated tokens of a tool's definition. Counted once a tool: views are drawn at every change of anything. */
export function toolTokens(tool: CatalogTool): number {
	let tokens = counts.get(tool);
	if (tokens === undefined) {
		tokens = estimateDefinitionTokens(toolDefinition(tool));
		counts.set(tool, tokens);
	}
	return tokens;
}

/** Estimated tokens of several tools' definitions. */
export function sumOfTokens(tools: readonly CatalogTool[]): number {
	return tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
}

/** Estimated tokens of what one surface has whatever a chat loads. */
export interface SurfaceTokens {
	/** Every tool. */
	readonly all: number;
	/** Tools that are always loaded. */
	readonly loaded: number;
	/** `search_tools` with its manifest; 0 where nothing is deferred. */
	readonly search: number;
}

const surfaces = new WeakMap<ToolSurface, SurfaceTokens>();

/** What a surface costs; counted once a surface. */
export function surfaceTokens(surface: ToolSurface): SurfaceTokens {
	let tokens = surfaces.get(surface);
	if (!tokens) {
		const search = surface.deferred.length > 0 ? estimateDefinitionTokens(searchToolsDefinition(surface)) : 0;
		tokens = { all: sumOfTokens(surface.tools), loaded: sumOfTokens(surface.loaded), search };
		surfaces.set(surface, tokens);
	}
	return tokens;
}
