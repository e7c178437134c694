import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { autoWords } from '../../chat/autoWords.ts';
import type { ChatSessions, ToolState } from '../../chat/sessions.ts';
import { Emitter } from '../../common/event.ts';
import type { CatalogTool, WaitingTool } from '../../discovery/catalog/catalog.ts';
import { type Disabled, isEditorTool, isServerDisabled } from '../../discovery/catalog/policy.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { type FaultyServer, isLoadedState, type ServerNode, type ToolNode } from '../ui/nodes.ts';
import { toolLabels } from '../ui/toolLabels.ts';
import type { Approvals } from './approvals.ts';
import { unsetVariables } from './configState.ts';
import type { Configuration } from './configuration.ts';
import type { Permissions } from './permissions.ts';

type ModelServices = {
	readonly sessions: ChatSessions;
	readonly pool: ServerPool;
	readonly approvals: Approvals;
	readonly permissions: Permissions;
	readonly configFile: Configuration;
};

/**
 * The servers of the configuration in force with their tools, then VS Code's own tools. Each node is one live object for as long as it exists, so
 * views, lenses, hovers and actions can keep it. Nodes are updated when somebody reads them after a change.
 */
export class ServerModels {
	readonly #services: ModelServices;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #listeners: readonly { dispose(): void }[];
	readonly #revisions = new WeakMap<ServerNode | ToolNode, number>();
	#byName: ReadonlyMap<string, ServerNode> = new Map();
	#isOutdated = true;

	constructor(services: ModelServices) {
		this.#services = services;
		const { sessions, pool, approvals, permissions, configFile } = services;
		const changed = () => {
			this.#isOutdated = true;
			this.#changed.fire();
		};
		this.#listeners = [sessions, pool, approvals, permissions, configFile].map(({ onDidChange }) =>
			onDidChange(changed),
		);
	}

	/** In the order of the configuration; empty if none is in force. */
	get servers(): readonly ServerNode[] {
		return [...this.#current().values()];
	}

	/** A server, by its name in the merged configuration. */
	server(name: string): ServerNode | undefined {
		return this.#current().get(name);
	}

	tool({ server, name }: { readonly server: string; readonly name: string }): ToolNode | undefined {
		return this.server(server)?.tools.find(({ tool }) => tool.name === name);
	}

	/** The servers that cannot start because of errors in their entries. */
	get faulty(): readonly FaultyServer[] {
		const byServer = Map.groupBy(this.#services.configFile.inForce?.problems ?? [], ({ off }) => off);
		return [...byServer].flatMap(([name, problems]): FaultyServer[] =>
			name === undefined ? [] : [{ kind: 'faulty', name, unset: unsetVariables(problems) }],
		);
	}

	/** Increases with each change of a node. */
	revisionOf(node: ServerNode | ToolNode): number {
		return this.#revisions.get(node) ?? 0;
	}

	dispose(): void {
		for (const listener of this.#listeners) listener.dispose();
		this.#changed.dispose();
	}

	/** Also trust and time change nodes, so all of them are computed again; only real differences count as changes. */
	#current(): ReadonlyMap<string, ServerNode> {
		if (!this.#isOutdated) return this.#byName;
		const now = nodesNow(this.#services);
		// During a first start, output and seconds change without an event.
		this.#isOutdated = now.some(isFirstStart);
		this.#byName = new Map(now.map((server) => [server.status.name, this.#updatedServer(server)]));
		return this.#byName;
	}

	#updatedServer(now: ServerNode): ServerNode {
		const previous = this.#byName.get(now.status.name);
		const previousTools = new Map(previous?.tools.map((node) => [node.tool.name, node]));
		const tools = now.tools.map((tool) =>
			this.#updated(previousTools.get(tool.tool.name), tool, isDeepStrictEqual),
		);
		return this.#updated(previous, { ...now, tools }, isSameServer);
	}

	/** Updates the known node, or takes the new one. */
	#updated<Node extends ServerNode | ToolNode>(
		previous: Node | undefined,
		now: Node,
		isSame: (a: Node, b: Node) => boolean,
	): Node {
		if (!previous) return now;
		if (!isSame(previous, now)) this.#revisions.set(previous, this.revisionOf(previous) + 1);
		for (const key of Object.keys(previous)) if (!(key in now)) Reflect.deleteProperty(previous, key);
		return Object.assign(previous, now);
	}
}

/** Whether a server starts for the first time, which may take minutes if it installs itself. */
export function isFirstStart({ status: { state } }: ServerNode): boolean {
	return state.kind === 'starting' && state.first !== undefined;
}

/** Compares everything except the tools. */
function isSameServer(a: ServerNode, b: ServerNode): boolean {
	const facts = ({ status, tools: _, ...others }: ServerNode) => ({ ...others, ...status, tools: undefined });
	return isDeepStrictEqual(facts(a), facts(b));
}

/** The current nodes of the configuration's servers with their tools, then of VS Code's own tools. */
function nodesNow({ sessions, pool, permissions, configFile }: ModelServices): readonly ServerNode[] {
	const { inForce } = configFile;
	if (!inForce) return [];
	const { catalog, policy, current } = sessions;
	const placements = whyPlaced(sessions);
	const callsOf = new Map(
		current?.discovery.log.usage.calls.map(({ server, tool, calls }) => [
			toolId({ server, name: tool }),
			calls,
		]),
	);
	const chat = current?.id;
	const toolNode = (tool: CatalogTool & WaitingTool, state: ToolState): ToolNode => {
		const { server, name, wireName } = tool;
		const reason = isLoadedState(state) ? current?.unsent?.reasons.get(wireName) : undefined;
		const calls = callsOf.get(tool.id);
		const permission = permissions.ruleFor(tool, chat);
		return {
			kind: 'tool',
			tool,
			label: name,
			state,
			why:
				state === 'disabled'
					? whyDisabled(policy.servers.get(server)?.tools.get(name)?.disabled)
					: state === 'loaded' && tool.alwaysLoad && policy.enabled
						? l10n.t('its server wants it always loaded')
						: state === 'changed' && !tool.accepted
							? l10n.t('what you accepted is not known')
							: placements[state],
			...(current?.unsent && reason !== undefined && { unsent: { model: current.unsent.model, reason } }),
			...(isEditorTool(tool, policy) && { isOfEditor: true }),
			...(calls && { calls }),
			...(permission && { rule: { permission, chat } }),
		};
	};
	const stateOf = sessions.toolStates();
	const nodes = [
		...catalog.tools.map((tool) => toolNode(tool, stateOf(tool))),
		...catalog.quarantined.map((tool) => toolNode(tool, 'changed')),
		...catalog.disabled.map((tool) => toolNode(tool, 'disabled')),
	];
	const byServer = Map.groupBy(nodes, ({ tool }) => tool.server);
	const tools = new Map([...byServer].map(([server, nodes]) => [server, labelled(server, nodes)]));
	const placeOf = (server: string): Pick<ServerNode, 'place'> => {
		const defined = inForce.servers.get(server);
		if (!defined) return {};
		const { file, replacesUsers } = defined;
		return { place: { ...(configFile.hasSeveral && { label: file.label }), replacesUsers } };
	};
	const configured = pool.servers().map(
		(status): ServerNode => ({
			kind: 'server',
			status,
			launch: inForce.servers.get(status.name)?.launch,
			tools: tools.get(status.name) ?? [],
			rules: permissions.rulesOf(status.name),
			...placeOf(status.name),
			...(isServerDisabled(status.name, policy) && {
				why: whyDisabled(policy.servers.get(status.name)?.disabled),
			}),
		}),
	);
	return [...configured, ...[...tools].flatMap(([name, nodes]) => editorNode(name, nodes))];
}

function labelled(server: string, tools: readonly ToolNode[]): readonly ToolNode[] {
	const labels = toolLabels(
		server,
		tools.map(({ tool }) => tool.name),
	);
	return tools.map((node) => ({ ...node, label: labels.get(node.tool.name) ?? node.label }));
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

function whyDisabled(disabled: Disabled | undefined): string {
	return disabled === 'workspace'
		? l10n.t('you have disabled it in this workspace')
		: l10n.t('the configuration disables it');
}

/** Why tools are in a state, as half a sentence. */
function whyPlaced({
	current,
	policy,
}: ChatSessions): Readonly<Record<Exclude<ToolState, 'disabled'>, string>> {
	const toolset = current?.discovery.surface.toolset?.name;
	return {
		pinned: l10n.t('the configuration pins it'),
		loaded: policy.enabled
			? l10n.t('the configuration does not defer it')
			: policy.auto
				? autoWords(policy.auto)
				: l10n.t('discovery is turned off'),
		activated: l10n.t('in the last used chat'),
		deferred: l10n.t('search finds it when needed'),
		changed: l10n.t('it changed since you accepted it'),
		outside: l10n.t('the toolset “{0}” of the last used chat does not include it', toolset ?? ''),
	};
}
