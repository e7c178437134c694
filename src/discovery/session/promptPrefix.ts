import { stableJson } from '../../common/json.ts';
import { weakMemo } from '../../common/memo.ts';
import { englishToolCount, listText, oneLine } from '../../common/text.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import { serverNameLimit } from '../catalog/manifest.ts';
import type { DiscoveryPolicy, Loading } from '../catalog/policy.ts';
import { callToolDefinition, searchToolsName } from '../catalog/syntheticTool.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { isSameToolset, type KeptToolset, keptToolset } from '../catalog/toolset.ts';
import { inspectionDefinitions } from '../tools/inspectionTools.ts';
import { framedManifest, searchToolsDefinition } from '../tools/searchTools.ts';

/** Servers per list, and tools per server. */
const maxNamedServers = 20;
const maxNamedTools = 5;

/** Wire names of deferred tools by server. They are unique and carry no server text. Plain JSON. */
export type DeferredByServer = readonly (readonly [server: string, wireNames: readonly string[]])[];

/** Computed once per surface. */
export const deferredByServer = weakMemo(({ deferred }: ToolSurface): DeferredByServer => {
	const servers = Map.groupBy(deferred, ({ server }) => server);
	return [...servers].map(([server, tools]) => [server, tools.map(({ wireName }) => wireName)]);
});

/** What has become findable or stopped being so, as a paragraph for a model whose manifest is frozen; `undefined`: nothing changed. */
export function surfaceChanges(before: DeferredByServer, current: DeferredByServer): string | undefined {
	if (before === current) return undefined;
	const [old, now] = [new Map(before), new Map(current)];
	const added = current.filter(([server]) => !old.has(server));
	const gone = [...old.keys()].filter((server) => !now.has(server));
	const changed = current.flatMap(([server, tools]) => changeLine(server, old.get(server), tools));
	const lines = [
		...serversLine(
			'New servers',
			added.map(([server, tools]) => `${serverLabel(server)} (${englishToolCount(tools.length)})`),
		),
		...serversLine('Servers that are gone', gone.map(serverLabel)),
		...changed.slice(0, maxNamedServers),
	];
	return lines.length > 0 ? ['Changed since the server list was made:', ...lines].join('\n') : undefined;
}

function serversLine(heading: string, servers: readonly string[]): string[] {
	return servers.length > 0 ? [`- ${heading}: ${listText(servers, maxNamedServers)}`] : [];
}

function changeLine(
	server: string,
	before: readonly string[] | undefined,
	current: readonly string[],
): string[] {
	if (!before) return [];
	const [old, now] = [new Set(before), new Set(current)];
	const added = current.filter((name) => !old.has(name));
	const gone = before.filter((name) => !now.has(name));
	const changes = [
		...(added.length > 0 ? [`new ${listText(added, maxNamedTools)}`] : []),
		...(gone.length > 0 ? [`gone ${listText(gone, maxNamedTools)}`] : []),
	];
	return changes.length > 0 ? [`- ${serverLabel(server)}: ${changes.join('; ')}`] : [];
}

function serverLabel(server: string): string {
	return oneLine(server, serverNameLimit);
}

/**
 * The head: the start of every request of a chat. Providers cache a prompt's prefix while it stays the same byte for byte, so the head is frozen when a
 * chat begins: the manifest and its counts describe that moment, and tools are only added at the end. Immutable, and plain JSON for the log.
 */
export interface PromptPrefix {
	readonly frozen: FrozenSurface;
	readonly loading: Loading;
	/** The paragraph about discovery in the system prompt; `undefined` while nothing is deferred. */
	readonly paragraph: string | undefined;
	/** Synthetic tools, then server tools, in the order they are sent. */
	readonly tools: readonly ToolDefinition[];
	/** Number of synthetic tools at the start of `tools`. */
	readonly synthetic: number;
}

/**
 * What the manifest and the paragraph were made from. Not the surface itself: chats may live for days, and each would keep a surface and its index
 * alive.
 */
export interface FrozenSurface {
	readonly policy: Pick<
		DiscoveryPolicy,
		'enabled' | 'inspectionTools' | 'manifestPlacement' | 'maxManifestTokens'
	>;
	readonly toolset: KeptToolset | undefined;
	readonly findable: DeferredByServer;
	readonly hosted: readonly ToolDefinition[];
}

export interface PrefixParts {
	readonly surface: ToolSurface;
	/** Tools answered by the owner of the turn. */
	readonly hosted: readonly ToolDefinition[];
	/** Everything that is loaded now. */
	readonly loaded: readonly CatalogTool[];
	/** Synthetic tools added after the chat began. */
	readonly late: readonly ToolDefinition[];
	/** Wire names of evicted tools. They stay until the head changes anyway: removing one would change it. */
	readonly lingering: ReadonlySet<string>;
}

/** A new head, made from the current state. */
export function frozenPrefix(
	surface: ToolSurface,
	loading: Loading,
	hosted: readonly ToolDefinition[],
	tools: readonly CatalogTool[],
	late: readonly ToolDefinition[] = [],
): PromptPrefix {
	const discovers = surface.deferred.length > 0;
	const discoveryTools = discovers
		? [searchToolsDefinition(surface), ...(loading === 'call' ? [callToolDefinition] : [])]
		: [];
	const synthetic = [...discoveryTools, ...inspectionDefinitions(surface), ...hosted, ...late];
	const toolset = keptToolset(surface.toolset);
	return {
		frozen: { policy: frozenPolicy(surface), toolset, findable: deferredByServer(surface), hosted },
		loading,
		paragraph: discovers ? discoveryParagraph(surface) : undefined,
		tools: [...synthetic, ...tools.map(toolDefinition)],
		synthetic: synthetic.length,
	};
}

/**
 * The same head with new tools at its end; `undefined` if a choice of the user requires a new one. Changed tools keep their old definition in it and
 * gone tools stay in it: the model is told in its next message.
 */
export function extendedPrefix(
	prefix: PromptPrefix,
	{ surface, hosted, loaded, late, lingering }: PrefixParts,
): PromptPrefix | undefined {
	if (!isStillCorrect(prefix.frozen, surface) || !areSame(prefix.frozen.hosted, hosted)) return undefined;
	const missing = new Map(loaded.map((tool) => [tool.wireName, tool]));
	for (const sent of prefix.tools.slice(prefix.synthetic)) {
		const { name } = sent;
		const isDeferredAgain = surface.get(name) && !missing.has(name) && !lingering.has(name);
		if (isDeferredAgain) return undefined;
		missing.delete(name);
	}
	const sentNames = new Set(prefix.tools.map(({ name }) => name));
	const added = [
		...[...missing.values()].map(toolDefinition),
		...late.filter(({ name }) => !sentNames.has(name)),
	];
	return added.length === 0 ? prefix : { ...prefix, tools: [...prefix.tools, ...added] };
}

/** Whether the frozen head is still correct: the user's settings are the same, and something is deferred now as then. */
function isStillCorrect(before: FrozenSurface, now: ToolSurface): boolean {
	return (
		areSame(before.policy, frozenPolicy(now)) &&
		isSameToolset(before.toolset, now.toolset) &&
		(before.findable.length > 0 === now.deferred.length > 0 || isTemporarilyAway(before.findable, now))
	);
}

/** Whether everything that was deferred is temporarily away: its servers failed or are restarting. */
function isTemporarilyAway(before: DeferredByServer, now: ToolSurface): boolean {
	return before.length > 0 && before.every(([, names]) => names.every((name) => !now.get(name)));
}

function frozenPolicy({ policy }: ToolSurface): FrozenSurface['policy'] {
	const { enabled, inspectionTools, manifestPlacement, maxManifestTokens } = policy;
	return { enabled, inspectionTools, manifestPlacement, maxManifestTokens };
}

function areSame<T extends object>(before: T, now: T): boolean {
	return before === now || JSON.stringify(before) === JSON.stringify(now);
}

const schemaJson = weakMemo((schema: ToolDefinition['inputSchema']) => stableJson(schema));

/** Whether two definitions of a tool are equal, ignoring key order. A new catalog has new objects for the same tools. */
export function isSameDefinition(a: ToolDefinition, b: ToolDefinition): boolean {
	if (a.description !== b.description) return false;
	return a.inputSchema === b.inputSchema || schemaJson(a.inputSchema) === schemaJson(b.inputSchema);
}

/**
 * The description of `search_tools` says how words are matched; this paragraph says which words to write. On labelled queries (`npm run bench`), words
 * for what a tool does on what find it in the first five in 25 of 25 cases, chat language in 84%. One query for several needs meets 59% of them, one
 * query per need 78%.
 */
function discoveryParagraph(surface: ToolSurface): string {
	const { deferred, policy } = surface;
	const servers = new Set(deferred.map((tool) => tool.server)).size;
	const subject = `${englishToolCount(deferred.length)} of ${servers} MCP ${servers === 1 ? 'server' : 'servers'}`;
	const state =
		deferred.length === 1
			? 'is deferred: it exists, but its definition is not loaded.'
			: 'are deferred: they exist, but their definitions are not loaded.';
	const paragraph =
		`${subject} ${state} ` +
		`Before you conclude that something cannot be done, call ${searchToolsName}, ` +
		'once for each need, with words for what the tool should do, to what, in which service; ' +
		'it loads the tools that it finds, and you can then call them.';
	return policy.manifestPlacement === 'system' ? `${paragraph}\n\n${framedManifest(surface)}` : paragraph;
}
