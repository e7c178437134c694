import { estimateDefinitionTokens } from '../../common/tokens.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { AgentUse } from '../../gateway/agentUses.ts';
import { gatewayDefinitions } from '../../gateway/gatewayTools.ts';

/** Tokens of an agent's requests, estimated: what it has, and the definitions of all tools that it would have without the four. */
export function agentTokens(
	{ searchTokens }: AgentUse,
	tools: readonly CatalogTool[],
): { readonly having: number; readonly without: number } {
	const services = [...new Set(tools.map(({ server }) => server))];
	const four = gatewayDefinitions(services).reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0);
	return { having: four + searchTokens, without: sumOfTokens(tools) };
}
