import { estimateTokens } from '../common/tokens.ts';
import type { CatalogTool } from './catalog/catalog.ts';
import { type AutoReason, type Placement, placement } from './catalog/policy.ts';
import type { Activation } from './session/activations.ts';
import type { DiscoverySession } from './session/discoverySession.ts';
import { shortened } from './session/logEntry.ts';
import type { DiscoveryStatistics } from './session/tally.ts';
import type { TimelineEntry } from './session/timeline.ts';
import { promptTokens, sumOfTokens, toolTokens } from './session/toolTokens.ts';
import type { SessionUsage } from './session/usage.ts';
import { framedManifest } from './tools/searchTools.ts';

/** The number of some tools and the estimated tokens of their definitions. */
export interface DefinitionCost {
	readonly tools: number;
	readonly tokens: number;
}

/** A tool whose definition the model gets. */
export interface ReportedTool {
	readonly server: string;
	readonly name: string;
	readonly wireName: string;
	/** Estimated. */
	readonly tokens: number;
	readonly calls: number;
}

/** A tool that this chat has loaded, with reason and time. */
export interface ActiveTool extends ReportedTool, Pick<Activation, 'reason' | 'words' | 'lastTurn'> {}

/** A tool that every chat has loaded. */
export interface AlwaysTool extends ReportedTool {
	readonly placement: Placement;
}

/** The cost of a server's tools, loaded and deferred. */
export interface ServerCost {
	readonly server: string;
	readonly loaded: DefinitionCost;
	readonly deferred: DefinitionCost;
}

/** The parts of each request, estimated. */
export interface RequestCosts {
	readonly always: DefinitionCost;
	readonly active: DefinitionCost;
	/** Names of tools without a server, such as `search_tools`. */
	readonly syntheticNames: readonly string[];
	readonly synthetic: DefinitionCost;
	/** Evicted, but sent until the head changes. */
	readonly lingering: DefinitionCost;
	readonly sent: DefinitionCost;
	readonly everything: DefinitionCost;
	/** Tokens of the manifest, which is part of `search_tools` or of the system prompt. */
	readonly manifest: number;
}

/** What a chat has loaded, why, and at what cost. Plain JSON. */
export interface ContextReport {
	/** The chat's first prompt, shortened; absent before it. */
	readonly firstPrompt?: string;
	readonly enabled: boolean;
	/** Why, if the configuration says `"auto"`. */
	readonly auto?: AutoReason;
	readonly toolset?: string;
	/** The configuration no longer defines the toolset; the chat keeps its last version. */
	readonly toolsetMissing?: true;
	/** Most activated tools; `null`: unbounded. */
	readonly cap: number | null;
	/** In the order of activation. */
	readonly active: readonly ActiveTool[];
	readonly always: readonly AlwaysTool[];
	readonly costs: RequestCosts;
	/** Most expensive first. */
	readonly servers: readonly ServerCost[];
	/** Absent while discovery is off. */
	readonly statistics?: DiscoveryStatistics;
	readonly usage: SessionUsage;
	/** Loaded tools whose definition has changed, as `server:tool`. */
	readonly changed: readonly string[];
	/** Loaded tools that no server offers now, as `server:tool`. */
	readonly gone: readonly string[];
	/** Oldest first. */
	readonly timeline: readonly TimelineEntry[];
}

export function contextReport(session: DiscoverySession): ContextReport {
	const { surface } = session;
	const { statistics, usage, timeline, firstPrompt } = session.log;
	return {
		...(firstPrompt !== undefined && { firstPrompt: shortened(firstPrompt) }),
		enabled: surface.policy.enabled,
		...(surface.policy.auto && { auto: surface.policy.auto }),
		...(surface.toolset && { toolset: surface.toolset.name }),
		...(surface.toolset?.missing && { toolsetMissing: true }),
		cap: surface.policy.maxActiveSchemas,
		active: activeTools(session),
		always: surface.loaded.map((tool) => ({
			...reported(tool, usage),
			placement: placement(tool, surface.policy),
		})),
		costs: requestCosts(session),
		servers: serverCosts(session),
		...(surface.policy.enabled && { statistics }),
		usage,
		changed: session.changedTools.map(({ id }) => id),
		gone: session.goneTools,
		timeline,
	};
}

function activeTools({ activated, activatedByUse, log }: DiscoverySession): ActiveTool[] {
	const activations = new Map(activatedByUse.map(({ tool, activation }) => [tool, activation]));
	return activated.flatMap((tool) => {
		const activation = activations.get(tool);
		if (!activation) return [];
		const { reason, words, lastTurn } = activation;
		return [{ ...reported(tool, log.usage), reason, ...(words !== undefined && { words }), lastTurn }];
	});
}

function reported(tool: CatalogTool, usage: SessionUsage): ReportedTool {
	const { server, name, wireName } = tool;
	const called = usage.calls.find((one) => one.server === server && one.tool === name);
	return { server, name, wireName, tokens: toolTokens(tool), calls: called?.calls ?? 0 };
}

function requestCosts(session: DiscoverySession): RequestCosts {
	const { surface, activated } = session;
	const { tools, paragraph } = session.nextHead;
	const { nextCost } = session;
	// A tool that its server has removed stays in requests until the head changes, as an evicted one does.
	const isOfServer = (name: string) => surface.get(name) !== undefined || session.log.state.loaded.has(name);
	const own = tools.filter(({ name }) => !isOfServer(name));
	// Evicted tools stay in requests until the head changes: removing them would cost more than it saves.
	const current = new Set([...surface.loaded, ...activated].map(({ wireName }) => wireName));
	const lingering = tools.filter(({ name }) => isOfServer(name) && !current.has(name));
	return {
		always: costOf(surface.loaded),
		active: costOf(activated),
		syntheticNames: own.map(({ name }) => name),
		synthetic: { tools: own.length, tokens: promptTokens(own, paragraph) },
		lingering: { tools: lingering.length, tokens: promptTokens(lingering, undefined) },
		sent: { tools: nextCost.tools, tokens: nextCost.tokens },
		everything: costOf(surface.tools),
		manifest: surface.deferred.length > 0 ? estimateTokens(framedManifest(surface)) : 0,
	};
}

function serverCosts({ surface, loadedTools }: DiscoverySession): ServerCost[] {
	const loaded = new Set(loadedTools);
	const byServer = Map.groupBy(surface.tools, ({ server }) => server);
	const costs = [...byServer].map(([server, tools]): ServerCost => {
		const { yes = [], no = [] } = Object.groupBy(tools, (tool) => (loaded.has(tool) ? 'yes' : 'no'));
		return { server, loaded: costOf(yes), deferred: costOf(no) };
	});
	const whole = ({ loaded, deferred }: ServerCost) => loaded.tokens + deferred.tokens;
	return costs.sort((a, b) => whole(b) - whole(a));
}

function costOf(tools: readonly CatalogTool[]): DefinitionCost {
	return { tools: tools.length, tokens: sumOfTokens(tools) };
}
