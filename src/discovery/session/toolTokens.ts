import { weakMemo } from '../../common/memo.ts';
import { estimateDefinitionTokens, estimateTokens } from '../../common/tokens.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { RequestCost } from './logEntry.ts';
import { frozenPrefix, type PromptPrefix } from './promptPrefix.ts';

/** Estimated tokens of a tool's definition. Counted once a tool: views are drawn at every change of anything. */
export const toolTokens = weakMemo((tool: CatalogTool) => estimateDefinitionTokens(toolDefinition(tool)));

/** Estimated tokens of several tools' definitions. */
export function sumOfTokens(tools: readonly CatalogTool[]): number {
	return tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
}

/** Estimated tokens of the tools of one surface, whatever a chat loads. */
export interface SurfaceTokens {
	/** Every tool's definition. */
	readonly all: number;
	/** What a chat's first request brings: the tools that are always loaded and, while any is deferred, what discovery adds. */
	readonly first: number;
}

/** What a surface costs; counted once a surface. */
export const surfaceTokens = weakMemo((surface: ToolSurface): SurfaceTokens => {
	const { paragraph, tools } = frozenPrefix(surface, 'append', [], surface.loaded);
	return { all: sumOfTokens(surface.tools), first: promptTokens(tools, paragraph) };
});

/** Estimated tokens that tools and the paragraph about discovery add to a request. */
export function promptTokens(tools: readonly ToolDefinition[], paragraph: string | undefined): number {
	const definitions = tools.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0);
	return definitions + (paragraph === undefined ? 0 : estimateTokens(paragraph));
}

/** A request next to one with every tool loaded, in estimated tokens. */
export interface ComparedTokens {
	readonly sent: number;
	readonly all: number;
}

/** A chat as far as it says what its next request brings. */
interface SendingChat {
	readonly nextHead: Pick<PromptPrefix, 'paragraph' | 'tools'>;
	/** Loaded tools that exist now. */
	readonly activated: readonly CatalogTool[];
}

/**
 * What the next request of a chat brings of tools and of discovery, `undefined` before there is a chat, next to every tool's definition.
 * The one figure that the status bar, the code lens, the context page and `/context` show.
 */
export function comparedTokens(surface: ToolSurface, chat: SendingChat | undefined): ComparedTokens {
	const { all, first } = surfaceTokens(surface);
	if (!chat) return { sent: first, all };
	const { tools, paragraph } = chat.nextHead;
	const sent = new Set(tools.map(({ name }) => name));
	// Where a result brings a definition, it is sent with the messages of each call.
	const inResults = chat.activated.filter(({ wireName }) => !sent.has(wireName));
	return { sent: promptTokens(tools, paragraph) + sumOfTokens(inResults), all };
}

/** What definitions come to in one request: those among its tools, and those that are `told` in its messages, by wire name. */
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
