import { isDeepStrictEqual } from 'node:util';
import { Emitter } from '../../common/event.ts';
import type { Services } from '../../services.ts';
import { currentNodes, isSameUse, type ServerNode, type ToolNode } from './nodes.ts';

type ModelServices = Pick<Services, 'sessions' | 'pool' | 'learning' | 'trust' | 'configFile'>;

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
		const {
			sessions,
			pool,
			learning: { habits },
			trust: { approvals, permissions },
			configFile,
		} = services;
		const changed = () => {
			this.#isOutdated = true;
			this.#changed.fire();
		};
		this.#listeners = [sessions, pool, habits, approvals, permissions, configFile].map(({ onDidChange }) =>
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
		const { inForce } = this.#services.configFile;
		const now = inForce ? currentNodes(this.#services, inForce) : [];
		// During a first start, output and seconds change without an event.
		this.#isOutdated = now.some(isFirstStart);
		this.#byName = new Map(now.map((server) => [server.status.name, this.#updatedServer(server)]));
		return this.#byName;
	}

	#updatedServer(now: ServerNode): ServerNode {
		const before = this.#byName.get(now.status.name);
		const known = new Map(before?.tools.map((node) => [node.tool.name, node]));
		const tools = now.tools.map((tool) => this.#updated(known.get(tool.tool.name), tool, isSameTool));
		return this.#updated(before, { ...now, tools }, isSameServer);
	}

	/** Updates the known node, or takes the new one. */
	#updated<Node extends ServerNode | ToolNode>(
		before: Node | undefined,
		now: Node,
		isSame: (a: Node, b: Node) => boolean,
	): Node {
		if (!before) return now;
		if (!isSame(before, now)) this.#revisions.set(before, this.revisionOf(before) + 1);
		for (const key of Object.keys(before)) if (!(key in now)) Reflect.deleteProperty(before, key);
		return Object.assign(before, now);
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

/** Compares contents: a server that lists its tools again creates new objects. */
function isSameTool(a: ToolNode, b: ToolNode): boolean {
	const facts = ({ tool: _, use: __, rule: ___, ...others }: ToolNode) => others;
	return (
		(a.tool === b.tool || isDeepStrictEqual(a.tool, b.tool)) &&
		isSameUse(a.use, b.use) &&
		a.rule?.kept === b.rule?.kept &&
		a.rule?.chat === b.rule?.chat &&
		isDeepStrictEqual(facts(a), facts(b))
	);
}
