import { weakMemo } from '../../common/memo.ts';
import { estimateDefinitionTokens, estimateTokens } from '../../common/tokens.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { RequestCost } from './logEntry.ts';
import { frozenPrefix, type PromptPrefix } from './promptPrefix.ts';

/** Estimated tokens of a tool's definition. */
export function toolTokens(tool: CatalogTool): number {
	return estimateDefinitionTokens(toolDefinition(tool));
}

export function sumOfTokens(tools: readonly CatalogTool[]): number {
	return tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
}

/** Estimated tokens of tools and of the paragraph about discovery. */
export function promptTokens(tools: readonly ToolDefinition[], paragraph: string | undefined): number {
	const definitions = tools.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0);
	return definitions + (paragraph === undefined ? 0 : estimateTokens(paragraph));
}

/** The cost of a new chat's first request: always-loaded tools and, while any is deferred, what discovery adds. Cached per surface. */
export const firstCost = weakMemo((surface: ToolSurface): RequestCost => {
	const { paragraph, tools } = frozenPrefix(surface, 'append', [], surface.loaded);
	return {
		tools: tools.length,
		tokens: promptTokens(tools, paragraph),
		everyToolTokens: sumOfTokens(surface.tools),
	};
});

/** The cost of a request with this head. `inResults`: definitions inside results, by wire name, which are sent with the messages. */
export function requestCost(
	surface: ToolSurface,
	{ tools, paragraph }: Pick<PromptPrefix, 'paragraph' | 'tools'>,
	inResults: ReadonlyMap<string, unknown>,
): RequestCost {
	const sentNames = new Set(tools.map(({ name }) => name));
	const inMessages = [...inResults.keys()]
		.filter((name) => !sentNames.has(name))
		.map((name) => surface.get(name))
		.filter((tool) => tool !== undefined);
	return {
		tools: tools.length + inMessages.length,
		tokens: promptTokens(tools, paragraph) + sumOfTokens(inMessages),
		everyToolTokens: firstCost(surface).everyToolTokens,
	};
}
