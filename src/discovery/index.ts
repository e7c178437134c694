/** The public face of the engine: all that benchmarks and other hosts need to run it without an editor. */

export type { CostSums, TokenPrice, TokenUsage } from '../common/cost.ts';
export type { JsonSchema } from '../common/jsonSchema.ts';
export { estimateDefinitionTokens, estimateTokens } from '../common/tokens.ts';
export { Catalog, type CatalogServer, type CatalogTool, toolDefinition } from './catalog/catalog.ts';
export type { ToolExpansion } from './catalog/expansion.ts';
export { generateManifest, type ManifestOptions, type ServerDescription } from './catalog/manifest.ts';
export {
	type AutoReason,
	type ConfiguredPolicy,
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	type Loading,
	type Placement,
	placement,
	type Ranking,
	type ServerPolicy,
	type ToolPolicy,
} from './catalog/policy.ts';
export { type SyntheticResult, type SyntheticTool, searchToolsName } from './catalog/syntheticTool.ts';
export type { Tool, ToolAnnotations, ToolDefinition } from './catalog/tool.ts';
export { errorResult, type ResultContent, resultText, type ToolResult, textResult } from './catalog/tool.ts';
export { type Indexing, ToolSurface } from './catalog/toolSurface.ts';
export type { Toolset, ToolsetSelection } from './catalog/toolset.ts';
export type { WordMatch } from './search/explain.ts';
export { parseRequest, type SearchRequest } from './search/searchRequest.ts';
export {
	type SearchResult,
	ToolIndex,
	type ToolIndexBuildOptions,
	type ToolIndexOptions,
	type ToolSearchOptions,
} from './search/toolIndex.ts';
export { type SearchUse, type ToolUse, type TurnUse, UseEvidence } from './search/useEvidence.ts';
export type { Activation, ActivationOutcome } from './session/activations.ts';
export { decidedSurface } from './session/autoDiscovery.ts';
export type { CallTarget } from './session/callTarget.ts';
export { ChatLog } from './session/chatLog.ts';
export { DiscoverySession } from './session/discoverySession.ts';
export {
	evidenceOf,
	type LearnedUse,
	nothingLearned,
	type ObservedTimeline,
	withUse,
} from './session/learnedUse.ts';
export type {
	ActivationReason,
	ChatEvent as Happening,
	LogEntry,
	ShortToolList as NamedTools,
} from './session/logEntry.ts';
export type { LogState as Seen } from './session/logState.ts';
export type { NextRequest, TurnOptions } from './session/nextHead.ts';
export type { DiscoveryStatistics } from './session/tally.ts';
export type { TimelineEntry } from './session/timeline.ts';
export type { SessionUsage, ToolCalls } from './session/usage.ts';
export type { NearestTools, OutcomeHit, SearchOutcome } from './tools/findTools.ts';
export { findTools, type SearchFindings } from './tools/findTools.ts';
export { type SearchResultJson, searchResultJson } from './tools/otherChats.ts';
export { searchToolsDefinition } from './tools/searchTools.ts';
