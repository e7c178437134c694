import { weakMemo } from '../../common/memo.ts';
import { estimateDefinitionTokens } from '../../common/tokens.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { searchToolsDefinition } from '../tools/searchTools.ts';
import type { RequestCost } from './journal.ts';

/** Estimated tokens of a tool's definition. Counted once a tool: views are drawn at every change of anything. */
export const toolTokens = weakMemo((tool: CatalogTool) => estimateDefinitionTokens(toolDefinition(tool)));

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

/** What a surface costs; counted once a surface. */
export const surfaceTokens = weakMemo((surface: ToolSurface): SurfaceTokens => {
	const search = surface.deferred.length > 0 ? estimateDefinitionTokens(searchToolsDefinition(surface)) : 0;
	return { all: sumOfTokens(surface.tools), loaded: sumOfTokens(surface.loaded), search };
});

/** What definitions come to in one request: those among its tools, and those that are `told` in its messages, by wire name. */
export function requestCost(
	surface: ToolSurface,
	tools: readonly ToolDefinition[],
	told: ReadonlySet<string>,
): RequestCost {
	const sent = new Set(tools.map(({ name }) => name));
	const inMessages = [...told]
		.filter((name) => !sent.has(name))
		.map((name) => surface.get(name))
		.filter((tool) => tool !== undefined);
	const among = tools.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0);
	return {
		tools: tools.length + inMessages.length,
		tokens: among + sumOfTokens(inMessages),
		everyToolTokens: surfaceTokens(surface).all,
	};
}
