import { estimateDefinitionTokens } from '../tokens.ts';
import type { ToolDefinition } from '../tool.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { sumOfTokens, surfaceTokens } from '../toolTokens.ts';
import type { RequestCost } from './timeline.ts';

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
