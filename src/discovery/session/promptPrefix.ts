import { definitionHash, stableJson } from '../../common/json.ts';
import { weakMemo } from '../../common/memo.ts';
import { listed, oneLine, toolCount } from '../../common/text.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { DiscoveryPolicy, Loading } from '../catalog/policy.ts';
import { callToolDefinition, searchToolsName } from '../catalog/syntheticTool.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { isSameToolset, type KeptToolset, keptToolset, restoredToolset } from '../catalog/toolset.ts';
import { inspectionDefinitions } from '../tools/inspectionTools.ts';
import { framedManifest, searchToolsDefinition } from '../tools/searchTools.ts';

/** Servers that one list names, tools that are named of one server, and characters of a server's name. */
const namedServers = 20;
const namedTools = 5;
const nameLimit = 80;

/** Deferred tools by server: wire names, which are unique and carry no text of a server. Plain JSON. */
export type DeferredByServer = readonly (readonly [server: string, wireNames: readonly string[]])[];

/** What can be found on a surface; made once a surface. */
export const deferredByServer = weakMemo(({ deferred }: ToolSurface): DeferredByServer => {
	const servers = Map.groupBy(deferred, ({ server }) => server);
	return [...servers].map(([server, tools]) => [server, tools.map(({ wireName }) => wireName)]);
});

/**
 * What can be found now and could not be before, and the other way round, in a paragraph for the model, whose manifest is frozen;
 * `undefined` where nothing of that has changed.
 */
export function surfaceChanges(before: DeferredByServer, current: DeferredByServer): string | undefined {
	if (before === current) return undefined;
	const [old, now] = [new Map(before), new Map(current)];
	const added = current.filter(([server]) => !old.has(server));
	const gone = [...old.keys()].filter((server) => !now.has(server));
	const changed = current.flatMap(([server, tools]) => changeLine(server, old.get(server), tools));
	const lines = [
		...serversLine(
			'New servers',
			added.map(([server, tools]) => `${shown(server)} (${toolCount(tools.length)})`),
		),
		...serversLine('Servers that are gone', gone.map(shown)),
		...changed.slice(0, namedServers),
	];
	return lines.length > 0 ? ['Changed since the list of servers was made:', ...lines].join('\n') : undefined;
}

function serversLine(heading: string, servers: readonly string[]): string[] {
	return servers.length > 0 ? [`- ${heading}: ${listed(servers, namedServers)}`] : [];
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
		...(added.length > 0 ? [`new ${listed(added, namedTools)}`] : []),
		...(gone.length > 0 ? [`gone ${listed(gone, namedTools)}`] : []),
	];
	return changes.length > 0 ? [`- ${shown(server)}: ${changes.join('; ')}`] : [];
}

function shown(server: string): string {
	return oneLine(server, nameLimit);
}

/**
 * What every request of a chat begins with. Providers keep the beginning of a prompt in a cache as long as it stays the same byte for
 * byte, so it is frozen when a chat begins: the manifest and its counts tell of that moment, and tools are only ever
 * added at the end. Immutable, and plain JSON: the log keeps it.
 */
export interface PromptPrefix {
	readonly frozen: FrozenSurface;
	readonly loading: Loading;
	/** What the system prompt says of discovery; `undefined` while nothing is deferred. */
	readonly paragraph: string | undefined;
	/** Synthetic tools, then those of servers, in the order in which they are sent. */
	readonly tools: readonly ToolDefinition[];
	/** How many of `tools` are synthetic. */
	readonly synthetic: number;
}

/**
 * What the manifest and the paragraph tell of, and what they depend on; one object for each time that they are made. Not the surface
 * itself: chats may live for days, and each would keep one alive, with its index.
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

/** What the next request is to be made of. */
export interface PrefixParts {
	readonly surface: ToolSurface;
	/** Tools that whoever runs the turn answers itself. */
	readonly hosted: readonly ToolDefinition[];
	/** All that is loaded now. */
	readonly loaded: readonly CatalogTool[];
	/** Wire names of loaded tools that stand in messages and are not added. */
	readonly told: ReadonlySet<string>;
	/** Synthetic tools that have joined since the chat began. */
	readonly late: readonly ToolDefinition[];
	/** Wire names of tools that were evicted; they stay until the prefix breaks anyway: taking them out would break it. */
	readonly lingering: ReadonlySet<string>;
}

/** A new beginning: all that a model is to be told as things stand. */
export function frozenPrefix(
	surface: ToolSurface,
	loading: Loading,
	hosted: readonly ToolDefinition[],
	tools: readonly CatalogTool[],
	late: readonly ToolDefinition[] = [],
): PromptPrefix {
	const discovers = surface.deferred.length > 0;
	const ours = discovers
		? [searchToolsDefinition(surface), ...(loading === 'call' ? [callToolDefinition] : [])]
		: [];
	const synthetic = [...ours, ...inspectionDefinitions(surface), ...hosted, ...late];
	const { enabled, inspectionTools, manifestPlacement, maxManifestTokens } = surface.policy;
	const policy = { enabled, inspectionTools, manifestPlacement, maxManifestTokens };
	const toolset = keptToolset(surface.toolset);
	return {
		frozen: { policy, toolset, findable: deferredByServer(surface), hosted },
		loading,
		paragraph: discovers ? discoveryParagraph(surface) : undefined,
		tools: [...synthetic, ...tools.map(toolDefinition)],
		synthetic: synthetic.length,
	};
}

/**
 * The same beginning with further tools at its end; `undefined` where it cannot go on, because the user has chosen otherwise. A tool that
 * has changed stands in it as it was, and one that is gone still stands in it: the model is told so in what it reads next.
 */
export function extendedPrefix(
	prefix: PromptPrefix,
	{ surface, hosted, loaded, told, late, lingering }: PrefixParts,
): PromptPrefix | undefined {
	if (!saysTheSame(prefix.frozen, surface) || !areSame(prefix.frozen.hosted, hosted)) return undefined;
	const wanted = new Map(loaded.map((tool) => [tool.wireName, tool]));
	for (const sent of prefix.tools.slice(prefix.synthetic)) {
		const { name } = sent;
		const isDeferredAgain = surface.get(name) && !wanted.has(name) && !lingering.has(name);
		if (isDeferredAgain) return undefined;
		wanted.delete(name);
	}
	const sent = new Set(prefix.tools.map(({ name }) => name));
	const added = [
		...[...wanted.values()].filter(({ wireName }) => !told.has(wireName)).map(toolDefinition),
		...late.filter(({ name }) => !sent.has(name)),
	];
	return added.length === 0 ? prefix : { ...prefix, tools: [...prefix.tools, ...added] };
}

/** Whether what the frozen beginning says still holds: the user has not chosen otherwise, and discovery is on in both or in neither. */
function saysTheSame(before: FrozenSurface, now: ToolSurface): boolean {
	return (
		before.policy.enabled === now.policy.enabled &&
		before.policy.inspectionTools === now.policy.inspectionTools &&
		before.policy.manifestPlacement === now.policy.manifestPlacement &&
		before.policy.maxManifestTokens === now.policy.maxManifestTokens &&
		isSameToolset(restoredToolset(before.toolset), now.toolset) &&
		(before.findable.length > 0 === now.deferred.length > 0 || isAway(before.findable, now))
	);
}

/** Whether what was deferred is not there at all: its servers have failed, or start anew. */
function isAway(before: DeferredByServer, now: ToolSurface): boolean {
	return before.length > 0 && before.every(([, names]) => names.every((name) => !now.get(name)));
}

function areSame(before: readonly ToolDefinition[], now: readonly ToolDefinition[]): boolean {
	return before === now || JSON.stringify(before) === JSON.stringify(now);
}

/** Made once a definition: chats share them, and each looks at every change of a server. */
export const hashOf = weakMemo((definition: ToolDefinition) => definitionHash(definition));

const schemaJson = weakMemo((schema: ToolDefinition['inputSchema']) => stableJson(schema));

/** Whether two definitions of one tool say the same, in whatever order of keys. A new catalog has new objects for the same tools. */
export function isSameDefinition(a: ToolDefinition, b: ToolDefinition): boolean {
	if (a.description !== b.description) return false;
	return a.inputSchema === b.inputSchema || schemaJson(a.inputSchema) === schemaJson(b.inputSchema);
}

/**
 * The description of `search_tools` says how its words are matched; this says which to write. Over labelled queries (`npm run bench`), those that
 * say what a tool does on what find it in the first five in 25 of 25 cases, what people say in chat in 84 %; of several needs in one query 59 % are
 * met, in a query each 78 %.
 */
function discoveryParagraph(surface: ToolSurface): string {
	const { deferred, policy } = surface;
	const servers = new Set(deferred.map((tool) => tool.server)).size;
	const who = `${toolCount(deferred.length)} of ${servers} MCP ${servers === 1 ? 'server' : 'servers'}`;
	const state =
		deferred.length === 1
			? 'is deferred: it exists, but its definition is not loaded.'
			: 'are deferred: they exist, but their definitions are not loaded.';
	const paragraph =
		`${who} ${state} ` +
		`Before you conclude that something cannot be done, call ${searchToolsName}, ` +
		'once for each need, with words for what the tool would do, on what, in which service; ' +
		'the tools it finds are loaded and can be called from then on.';
	return policy.manifestPlacement === 'system' ? `${paragraph}\n\n${framedManifest(surface)}` : paragraph;
}
