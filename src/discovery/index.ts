/** The public face of the engine: all that benchmarks and other hosts need to run it without an editor. */
export {
	type Activation,
	type ActivationOutcome,
	type ActivationReason,
	ActivationSet,
} from './activationSet.ts';
export type { CallTarget } from './callTarget.ts';
export { Catalog, type CatalogServer, type CatalogTool, toolDefinition } from './catalog.ts';
export type { CostSums, TokenPrice, TokenUsage } from './cost.ts';
export { DiscoverySession } from './discoverySession.ts';
export type { DiscoveryStatistics } from './journal/statistics.ts';
export type { Happening, NamedTools, TimelineEntry } from './journal/timeline.ts';
export type { CallOutcome, KeptUsage, SessionUsage, ToolCalls } from './journal/usage.ts';
export type { GoneTool } from './loadedDefinitions.ts';
export { generateManifest, type ManifestOptions, type ServerDescription } from './manifest.ts';
export { type Placement, partition, placement } from './partition.ts';
export {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	type Loading,
	type Ranking,
	type ServerPolicy,
	type ToolPolicy,
} from './policy.ts';
export type { NextPrompt, TurnOptions } from './prompt/chatPrompt.ts';
export type { WordMatch } from './search/explain.ts';
export {
	type ScoredTool,
	type SearchResult,
	ToolIndex,
	type ToolIndexBuildOptions,
	type ToolIndexOptions,
	type ToolSearchOptions,
} from './search/toolIndex.ts';
export { searchToolsDefinition } from './searchTools/definition.ts';
export { findTools, type SearchFindings, type SearchHit } from './searchTools/findTools.ts';
export type { NearestTools } from './searchTools/nearestTools.ts';
export type { OutcomeHit, SearchOutcome } from './searchTools/outcome.ts';
export { parseRequest, type SearchRequest } from './searchTools/request.ts';
export { type SearchResultJson, searchResultJson } from './searchTools/resultJson.ts';
export type { SessionOptions, SessionState } from './sessionState.ts';
export { type SyntheticResult, type SyntheticTool, searchToolsName } from './syntheticTool.ts';
export { estimateDefinitionTokens, estimateTokens } from './tokens.ts';
export type { JsonSchema, Tool, ToolAnnotations, ToolDefinition } from './tool.ts';
export { errorResult, type ResultContent, resultText, type ToolResult, textResult } from './toolResult.ts';
export { type Indexing, ToolSurface } from './toolSurface.ts';
export type { Toolset, ToolsetSelection } from './toolset.ts';
