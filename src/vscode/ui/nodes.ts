import * as l10n from '@vscode/l10n';
import { autoWords } from '../../chat/autoWords.ts';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSessions, ToolState } from '../../chat/sessions.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { type Disabled, isEditorTool, isServerDisabled } from '../../discovery/catalog/policy.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import { type Habits, noHabits } from '../../discovery/habits/habits.ts';
import type { Proposal } from '../../discovery/habits/rules.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { Services } from '../../services.ts';
import { editorLook, type ServerLook, serverLook } from './looks.ts';
import { suggestionOn } from './suggestionLabels.ts';

/** A server with its tools, as the trees show them. */
export interface ServerNode {
	readonly kind: 'server';
	readonly status: ServerStatus;
	/** Absent for a moment, while a removed server stops. */
	readonly launch: ServerLaunch | undefined;
	readonly tools: readonly ToolNode[];
	/** Why the server is disabled, as half a sentence. */
	readonly why?: string;
	/** Whether the user trusts its read-only annotations. */
	readonly trustsHints?: boolean;
	/** The permissions for its tools. */
	readonly rules?: readonly PermissionRule[];
	/** It is VS Code itself, and not a configured server. */
	readonly isOfEditor?: true;
	/** What past chats suggest for it, as a sentence. */
	readonly advice?: string;
	readonly place?: OriginOfServer;
}

/** The file that a server is defined in. */
interface OriginOfServer {
	/** The label of the file, if there are several. */
	readonly label?: string;
	/** Whether this is the user's own file. */
	readonly isUsers: boolean;
	/** Whether it overrides a server of the same name in the user's own file. */
	readonly replacesUsers: boolean;
}

export interface ToolNode {
	readonly kind: 'tool';
	readonly tool: CatalogTool;
	readonly state: ToolState;
	/** Why the tool is in its state, as half a sentence. */
	readonly why: string;
	/** Why the tool was not sent to the model of the last turn, although it is loaded. */
	readonly unsent?: { readonly model: string; readonly reason: string };
	/** It is a tool of VS Code, which the configuration cannot change. */
	readonly isOfEditor?: true;
	/** What past chats suggest for it, as a sentence. */
	readonly advice?: string;
	/** Absent if the tool was never called. */
	readonly use?: ToolUse;
	/** The permission for its calls in the last used chat. */
	readonly rule?: { readonly kept: PermissionRule; readonly chat: string | undefined };
}

/** What can be pinned and deferred: a tool, or a server as a whole. */
export type PlacedNode = ToolNode | { readonly kind: 'server'; readonly status: Pick<ServerStatus, 'name'> };

/** Whether tools in this state are sent with every request. */
export function isLoaded(state: ToolState): boolean {
	return state === 'pinned' || state === 'loaded' || state === 'activated';
}

/** All tools of the catalog, with their states in the last used chat. */
export function toolNodes(sessions: ChatSessions): ToolNode[] {
	const stateOf = sessions.toolStates();
	const why = whyPlaced(sessions);
	const unsent = unsentBy(sessions);
	return sessions.catalog.tools.map((tool) => {
		const state = stateOf(tool);
		return {
			kind: 'tool',
			tool,
			state,
			why: why[state],
			...(isLoaded(state) && unsent(tool)),
			...(isEditorTool(tool, sessions.policy) && { isOfEditor: true }),
		};
	});
}

/** Changed tools, which are neither found nor called until the user accepts them. */
function heldNodes(sessions: ChatSessions): ToolNode[] {
	const why = whyPlaced(sessions).held;
	return sessions.catalog.quarantined.map((tool) => ({ kind: 'tool', tool, state: 'held', why }));
}

export function disabledNodes({ catalog, policy }: Pick<ChatSessions, 'catalog' | 'policy'>): ToolNode[] {
	return catalog.disabled.map((tool) => {
		const { disabled } = policy.servers.get(tool.server)?.tools.get(tool.name) ?? {};
		return { kind: 'tool', tool, state: 'disabled', why: whyDisabled(disabled) };
	});
}

export function whyDisabled(disabled: Disabled | undefined): string {
	return disabled === 'workspace'
		? l10n.t('you have disabled it in this workspace')
		: l10n.t('the configuration disables it');
}

/** Why tools are in a state, as half a sentence. */
export function whyPlaced({ current, policy }: ChatSessions): Readonly<Record<ToolState, string>> {
	const toolset = current?.discovery.surface.toolset?.name;
	return {
		pinned: l10n.t('the configuration pins it'),
		loaded: policy.enabled
			? l10n.t('the configuration does not defer it')
			: policy.auto
				? autoWords(policy.auto)
				: l10n.t('discovery is turned off'),
		activated: l10n.t('the last used chat has loaded it'),
		deferred: l10n.t('search finds it when needed'),
		held: l10n.t('it changed since you accepted it'),
		disabled: l10n.t('you have disabled it'),
		outside: l10n.t('the toolset “{0}” of the last used chat does not include it', toolset ?? ''),
	};
}

/** Loaded tools that were not sent to the model of the last turn. */
export function unsentBy({ current }: ChatSessions): (tool: CatalogTool) => Pick<ToolNode, 'unsent'> {
	const unsent = current?.unsent;
	return ({ wireName }) => {
		const reason = unsent?.reasons.get(wireName);
		return unsent && reason !== undefined ? { unsent: { model: unsent.model, reason } } : {};
	};
}

/** How much a tool was called. */
export interface ToolUse {
	/** In the last used chat. */
	readonly calls: number;
	/** In all stored chats, including the last used one. */
	readonly past?: PastUse;
}

export interface PastUse {
	readonly calls: number;
	readonly chats: number;
	/** Time of the latest chat that called it, in milliseconds since 1970; 0: unknown. */
	readonly last: number;
}

/** Cached sums: habits change rarely, but every redraw needs the sums. */
const pastOf = new WeakMap<Habits, ReadonlyMap<string, PastUse>>();

function toolUses(
	{ current }: ChatSessions,
	habits: Habits,
): (server: string, name: string) => ToolUse | undefined {
	const here = new Map(current?.discovery.log.usage.calls.map((entry) => [idOf(entry), entry.calls]));
	const past = pastUses(habits);
	return (server, name) => {
		const id = toolId({ server, name });
		const [calls = 0, before] = [here.get(id), past.get(id)];
		return calls === 0 && !before ? undefined : { calls, ...(before && { past: before }) };
	};
}

export function isSameUse(a: ToolUse | undefined, b: ToolUse | undefined): boolean {
	return a?.calls === b?.calls && a?.past?.calls === b?.past?.calls && a?.past?.last === b?.past?.last;
}

function pastUses(habits: Habits): ReadonlyMap<string, PastUse> {
	let uses = pastOf.get(habits);
	if (!uses) {
		uses = summed(habits);
		pastOf.set(habits, uses);
	}
	return uses;
}

function summed({ chats }: Habits): ReadonlyMap<string, PastUse> {
	const uses = new Map<string, PastUse>();
	for (const { at, calls } of chats) {
		for (const entry of calls) {
			const before = uses.get(idOf(entry)) ?? { calls: 0, chats: 0, last: 0 };
			uses.set(idOf(entry), {
				calls: before.calls + entry.calls,
				chats: before.chats + 1,
				last: Math.max(before.last, at),
			});
		}
	}
	return uses;
}

function idOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
	return toolId({ server, name: tool });
}

/** Servers with their tools, with their states in the last used chat and suggestions from past chats. */
export function serverNodes(
	sessions: ChatSessions,
	servers: readonly ServerStatus[],
	launches: ReadonlyMap<string, ServerLaunch>,
	suggestions: readonly Proposal[],
	habits: Habits = noHabits,
	trustsHints: (server: string) => boolean = () => false,
	permissions?: Pick<Services['trust']['permissions'], 'ruleFor' | 'rulesOf'>,
	placeOf: (server: string) => OriginOfServer | undefined = () => undefined,
): ServerNode[] {
	const advice = suggestionOn(suggestions);
	const useOf = toolUses(sessions, habits);
	const chat = sessions.current?.id;
	const nodes = [...toolNodes(sessions), ...heldNodes(sessions), ...disabledNodes(sessions)].map((node) => {
		const { server, name } = node.tool;
		const use = useOf(server, name);
		const kept = permissions?.ruleFor(node.tool, chat);
		return { ...node, ...advice(server, name), ...(use && { use }), ...(kept && { rule: { kept, chat } }) };
	});
	const tools = Map.groupBy(nodes, ({ tool }) => tool.server);
	const configured = servers.map(
		(status): ServerNode => ({
			kind: 'server',
			status,
			launch: launches.get(status.name),
			tools: tools.get(status.name) ?? [],
			trustsHints: trustsHints(status.name),
			...(permissions && { rules: permissions.rulesOf(status.name) }),
			...advice(status.name),
			...placed(placeOf(status.name)),
			...(isServerDisabled(status.name, sessions.policy) && {
				why: whyDisabled(sessions.policy.servers.get(status.name)?.disabled),
			}),
		}),
	);
	return [...configured, ...[...tools].flatMap(([name, its]) => editorNode(name, its))];
}

export function currentNodes(
	services: Pick<Services, 'sessions' | 'pool' | 'learning' | 'trust' | 'configFile'>,
	{
		config: { launches },
		servers,
	}: Pick<NonNullable<Services['configFile']['inForce']>, 'config' | 'servers'>,
): ServerNode[] {
	const {
		sessions,
		pool,
		learning: { habits },
		trust: { approvals, permissions },
		configFile,
	} = services;
	const trusts = (server: string) => approvals.trustsHints(server);
	const placeOf = (server: string): OriginOfServer | undefined => {
		const place = servers.get(server);
		const file = place && configFile.fileAt(place.file);
		return (
			file && {
				...(configFile.hasSeveral && { label: file.label }),
				isUsers: !file.place.folder,
				replacesUsers: place.replacesUsers === true,
			}
		);
	};
	return serverNodes(
		sessions,
		pool.servers(),
		launches,
		habits.suggestions(),
		habits.habits,
		trusts,
		permissions,
		placeOf,
	);
}

function placed(place: OriginOfServer | undefined): Pick<ServerNode, 'place'> {
	return place ? { place } : {};
}

/** VS Code among the servers: it always runs. */
function editorNode(name: string, tools: readonly ToolNode[]): ServerNode[] {
	if (!tools[0]?.isOfEditor) return [];
	const status: ServerStatus = {
		name,
		kind: 'stdio',
		state: { kind: 'stopped' },
		tools: tools.map(({ tool }) => tool),
		cached: false,
		dropped: [],
		description: l10n.t('Tools of VS Code, its extensions, and its own MCP servers.'),
	};
	return [{ kind: 'server', status, launch: undefined, tools, isOfEditor: true }];
}

export function nodeLook({ status, isOfEditor }: ServerNode): ServerLook {
	return isOfEditor ? editorLook() : serverLook(status);
}

/** `2 loaded`, `1 always`: tools that the last used chat has loaded, and tools that every chat has. */
export function loadedCounts(tools: readonly ToolNode[]): readonly string[] {
	const loaded = tools.filter(({ state }) => state === 'activated').length;
	const always = tools.filter(({ state }) => state === 'pinned' || state === 'loaded').length;
	return [
		...(loaded > 0 ? [l10n.t('{0} loaded', loaded)] : []),
		...(always > 0 ? [l10n.t('{0} always', always)] : []),
	];
}

/** `28 tools`, or filtered `3 of 28 tools`; then how many are loaded, changed or disabled. */
export function countsOf({ tools }: ServerNode, shown: readonly ToolNode[] = tools): readonly string[] {
	const held = tools.filter(({ state }) => state === 'held').length;
	const disabled = tools.filter(({ state }) => state === 'disabled').length;
	const count = toolCount(tools.length - disabled);
	return [
		shown.length === tools.length ? count : l10n.t('{0} of {1}', shown.length, toolCount(tools.length)),
		...loadedCounts(tools),
		...(held > 0 ? [l10n.t('{0} changed', held)] : []),
		...(disabled > 0 ? [l10n.t('{0} disabled', disabled)] : []),
	];
}

/** Tokens of a server's usable tools. */
export function usableTokens({ tools }: ServerNode): number {
	const usable = tools.filter(({ state }) => state !== 'held' && state !== 'disabled');
	return sumOfTokens(usable.map(({ tool }) => tool));
}
