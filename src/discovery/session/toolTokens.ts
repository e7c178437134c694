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

/** Estimated tokens of a surface's tools, independent of any chat. */
export interface SurfaceTokens {
	/** Every tool's definition. */
	readonly all: number;
	/** A chat's first request: always-loaded tools and, while any is deferred, what discovery adds. */
	readonly first: number;
}

/** Cached per surface. */
export const surfaceTokens = weakMemo((surface: ToolSurface): SurfaceTokens => {
	const { paragraph, tools } = frozenPrefix(surface, 'append', [], surface.loaded);
	return { all: sumOfTokens(surface.tools), first: promptTokens(tools, paragraph) };
});

/** Estimated tokens of tools and of the paragraph about discovery. */
export function promptTokens(tools: readonly ToolDefinition[], paragraph: string | undefined): number {
	const definitions = tools.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0);
	return definitions + (paragraph === undefined ? 0 : estimateTokens(paragraph));
}

/** A request compared with one that has every tool loaded, in estimated tokens. */
export interface ComparedTokens {
	readonly sent: number;
	readonly all: number;
}

interface SendingChat {
	readonly nextHead: Pick<PromptPrefix, 'paragraph' | 'tools'>;
	readonly activated: readonly CatalogTool[];
}

/**
 * Tokens of tools and discovery in a chat's next request (`undefined`: no chat yet), compared with every tool's definition. The status bar, the code
 * lens, the context page and `/context` all show this figure.
 */
export function comparedTokens(surface: ToolSurface, chat: SendingChat | undefined): ComparedTokens {
	const { all, first } = surfaceTokens(surface);
	if (!chat) return { sent: first, all };
	const { tools, paragraph } = chat.nextHead;
	const sent = new Set(tools.map(({ name }) => name));
	// Definitions inside results are sent with the messages of each request.
	const inResults = chat.activated.filter(({ wireName }) => !sent.has(wireName));
	return { sent: promptTokens(tools, paragraph) + sumOfTokens(inResults), all };
}

/** The cost of definitions in one request: those among its tools, and those inside messages (`told`, by wire name). */
export function requestCost(
	surface: ToolSurface,
	tools: readonly ToolDefinition[],
	told: ReadonlyMap<string, unknown>,
	paragraph: string | undefined,
): RequestCost {
	const sent = new Set(tools.map(({ name }) => name));
	const inMessages = [...told.keys()]
		.filter((name) => !sent.has(name))
		.map((name) => surface.get(name))
		.filter((tool) => tool !== undefined);
	return {
		tools: tools.length + inMessages.length,
		tokens: promptTokens(tools, paragraph) + sumOfTokens(inMessages),
		everyToolTokens: surfaceTokens(surface).all,
	};
}
