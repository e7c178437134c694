import { setImmediate as pause } from 'node:timers/promises';
import { Emitter } from '../common/event.ts';
import { recordOf } from '../common/json.ts';
import { Catalog, type CatalogServer, type CatalogTool } from '../discovery/catalog/catalog.ts';
import {
	type ConfiguredPolicy,
	type DiscoveryPolicy,
	defaultPolicy,
	isDisabled,
	isEditorTool,
	type Placement,
	placement,
} from '../discovery/catalog/policy.ts';
import { type Indexing, ToolSurface } from '../discovery/catalog/toolSurface.ts';
import { restoredToolset, type Toolset } from '../discovery/catalog/toolset.ts';
import { decidedSurface } from '../discovery/session/autoDiscovery.ts';
import { ChatLog } from '../discovery/session/chatLog.ts';
import { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { EarlierTools, newTools } from '../discovery/session/earlierTools.ts';
import { allMessages, type LogEntry } from '../discovery/session/logEntry.ts';
import { emptyLogState, withNames } from '../discovery/session/logState.ts';
import { isFileName } from './boundedFolder.ts';
import { charactersOf } from './requestSize.ts';

export interface ChatSession {
	/** Unique; stored in the chat's history to find the session again. */
	readonly id: string;
	readonly discovery: DiscoverySession;
	/** Loaded tools that the model of the last turn did not get. */
	unsent: UnsentTools | undefined;
}

/** Loaded tools that a model's provider does not accept. */
export interface UnsentTools {
	readonly model: string;
	/** Sentences, by wire name. */
	readonly reasons: ReadonlyMap<string, string>;
}

/** A position in the log of a chat, which the editor's history stores with each answer. Plain JSON. */
export interface SavedChat {
	readonly id: string;
	readonly answers: number;
}

/** The position in stored data; `undefined` if it cannot be read. */
export function savedChatIn(stored: unknown): SavedChat | undefined {
	const { id, answers } = recordOf(stored);
	return isFileName(id) && typeof answers === 'number' && answers >= 0 ? { id, answers } : undefined;
}

/** A tool's state in the current chat: its configured placement, activated, or outside the chat's toolset; `changed`: waiting for acceptance. */
export type ToolState = Placement | 'activated' | 'outside' | 'changed' | 'disabled';

/** A log up to this many answers; the complete log if it has no more. */
function logUntil(log: readonly LogEntry[], answers: number): readonly LogEntry[] {
	const answerEnds = log.flatMap(({ kind }, i) => (kind === 'answered' ? [i + 1] : []));
	return answerEnds.length <= answers ? log : log.slice(0, answerEnds[answers - 1] ?? 0);
}

/**
 * The last active chat, and how it became current: it was `opened`; it is the `next` one, created before the first message; or it was `restored`
 * with the window, and the editor may have stored another state of it.
 */
interface CurrentChat {
	readonly kind: 'opened' | 'next' | 'restored';
	readonly chat: ChatSession;
}

/** Maximum sessions in memory, and characters of their logs. Older ones are read again from storage. */
const sessionsKept = 50;
const charactersKept = 64 * 1024 * 1024;

/**
 * Owns what all views and chats share: the latest catalog, the policy, the surfaces made of them, and the chat sessions.
 */
export class ChatSessions {
	readonly #changed = new Emitter<void>();
	/** Fires when the catalog, the policy, the current chat or its loaded tools change. */
	readonly onDidChange = this.#changed.event;
	/** Everything that servers list. */
	#listed = Catalog.empty;
	/** The same without disabled tools. */
	#catalog = Catalog.empty;
	#policy: ConfiguredPolicy = defaultPolicy;
	#toolsets: ReadonlyMap<string, Toolset> = new Map();
	/** Surfaces of the current catalog and policy, by the content of their toolset: continued chats bring their own toolsets. */
	#surfaces = new Map<string, ToolSurface>();
	readonly indexing: Indexing;
	/** Every tool of this window, for chats of other participants. Our own sessions know theirs. */
	#seen = emptyLogState.tools;
	/** By id, the most recently used one last. */
	readonly #sessions = new Map<string, ChatSession>();
	#current: CurrentChat | undefined;
	/** A session without a chat, created when the user loads tools before the first message. The next new chat takes it. */
	#next: ChatSession | undefined;

	/** `use`: opens what search learned from past chats. */
	constructor(use?: Indexing['use']) {
		this.indexing = { pause, ...(use && { use }) };
	}

	get catalog(): Catalog {
		return this.#catalog;
	}

	get toolsets(): ReadonlyMap<string, Toolset> {
		return this.#toolsets;
	}

	/** The policy of the last used chat. */
	get policy(): DiscoveryPolicy {
		return this.currentSurface.policy;
	}

	/** The last active chat. */
	get current(): ChatSession | undefined {
		return this.#current?.chat;
	}

	/** The chats in memory, the last used one last. */
	get chats(): readonly ChatSession[] {
		return [...this.#sessions.values()];
	}

	/** Replaces the servers' lists. If all servers are the same objects as before, nothing changes. */
	setCatalog(servers: readonly CatalogServer[]): void {
		const { servers: previous, version } = this.#listed;
		const isSame = servers.length === previous.length && servers.every((server, i) => server === previous[i]);
		if (isSame) return;
		this.#listed = new Catalog(servers, version + 1);
		this.rebuild();
	}

	setPolicy(policy: ConfiguredPolicy, toolsets: ReadonlyMap<string, Toolset>): void {
		const isSwitched = policy.enabled !== this.#policy.enabled;
		this.#policy = policy;
		this.#toolsets = toolsets;
		this.rebuild(!isSwitched);
	}

	/** The surface of a toolset, or of all tools. `keepsOn`: see {@link decidedSurface}. */
	surface(toolset?: Toolset, keepsOn = false): ToolSurface {
		const isKept = keepsOn && this.#policy.enabled === 'auto';
		const key =
			toolset || isKept
				? JSON.stringify([toolset?.name, [...(toolset?.servers ?? [])], toolset?.missing, isKept])
				: '';
		let surface = this.#surfaces.get(key);
		if (!surface) {
			const make = (policy: DiscoveryPolicy) =>
				new ToolSurface(this.#catalog, policy, toolset, this.indexing);
			surface = decidedSurface(this.#policy, make, isKept);
			this.#surfaces.set(key, surface);
		}
		return surface;
	}

	/** Tools that search can find, in any toolset; while nothing is deferred, all tools. */
	get searched(): readonly CatalogTool[] {
		const { deferred } = this.surface();
		return deferred.length > 0 ? deferred : this.#catalog.tools;
	}

	/** Tools of servers, and not VS Code's own, which every chat has already. */
	get serverTools(): readonly CatalogTool[] {
		return this.#catalog.tools.filter((tool) => !isEditorTool(tool, this.policy));
	}

	/** Tools of servers that no model has described for search; none if the ranking ignores such descriptions. */
	get untaught(): readonly CatalogTool[] {
		if (this.#policy.ranking !== 'default') return [];
		return this.searched.filter(({ expansion }) => expansion === undefined);
	}

	/** The surface of the last used chat, or of all tools. */
	get currentSurface(): ToolSurface {
		return this.current?.discovery.surface ?? this.surface();
	}

	/** Which tool had which name in this window. */
	get earlier(): EarlierTools {
		return new EarlierTools(this.surface(), this.#seen);
	}

	/** Whether the current chat has been used in this window; a restored or future one is only shown. */
	get isInUse(): boolean {
		return this.#current?.kind === 'opened';
	}

	/** Whether a stored chat is in memory in the same state. */
	has(saved: SavedChat): boolean {
		const session = this.#sessions.get(saved.id);
		return session !== undefined && this.#isOf(session, saved);
	}

	/** Makes a chat current. Its session is still in memory, or continues from its stored log. */
	open(
		saved: SavedChat | undefined,
		log: readonly LogEntry[] = [],
		kind: CurrentChat['kind'] = 'opened',
	): ChatSession {
		const session = saved ? this.#sessions.get(saved.id) : this.#next;
		const chat = session && this.#isOf(session, saved) ? session : this.#create(saved, log);
		const isNext = kind === 'next' || (kind === 'restored' && saved?.answers === 0);
		if (isNext) this.#next = chat;
		else if (chat === this.#next) this.#next = undefined;
		this.#sessions.delete(chat.id);
		this.#sessions.set(chat.id, chat);
		this.#dropOldest();
		this.#current = { kind, chat };
		this.#changed.fire();
		return chat;
	}

	/**
	 * Restores the chat that was current when the window closed. The editor may have stored an older state of it: if its history ends with another
	 * answer, the history wins.
	 */
	restore(saved: SavedChat, log: readonly LogEntry[]): void {
		if (this.#current?.kind === 'restored') this.#sessions.delete(this.#current.chat.id);
		this.open(saved, log, 'restored');
	}

	/** Whether the current chat was restored and not used since. */
	get isRestored(): boolean {
		return this.#current?.kind === 'restored';
	}

	/** The current chat's session; before the first message, the session that the first chat will take. */
	currentOrNext(): ChatSession {
		return this.current ?? this.open(undefined, [], 'next');
	}

	/** Where the current chat stands, so that views can show it in the next window. */
	get saved(): SavedChat | undefined {
		const { current } = this;
		return current && { id: current.id, answers: current.discovery.log.state.answers };
	}

	/** Records that an answer is complete; returns what the history stores with it. */
	endAnswer({ id, discovery: { log } }: ChatSession): SavedChat {
		log.append({ kind: 'answered' });
		return { id, answers: log.state.answers };
	}

	/** Returns the state of tools in the current chat, or in a new one. */
	toolStates(): (tool: CatalogTool) => ToolState {
		const activated = new Set(this.current?.discovery.activated.map(({ wireName }) => wireName));
		const surface = this.current?.discovery.surface;
		const { policy } = this;
		return (tool) => {
			if (surface && !surface.get(tool.wireName)) return 'outside';
			const placed = placement(tool, policy);
			return placed === 'deferred' && activated.has(tool.wireName) ? 'activated' : placed;
		};
	}

	setUnsent(session: ChatSession, unsent: UnsentTools): void {
		session.unsent = unsent;
		this.#changed.fire();
	}

	/** Chooses a toolset for one chat; `undefined` for all tools. */
	chooseToolset(session: ChatSession, name: string | undefined): void {
		if (name === undefined) this.#move(session, undefined);
		else {
			const current = session.discovery.surface.toolset;
			const unknown = current?.name === name ? current : { name, servers: new Map() };
			this.#move(session, this.#toolsets.get(name) ?? unknown);
		}
	}

	/** Moves every session to a new surface of the latest catalog and policy, with its own toolset. */
	rebuild(keepsOn = true): void {
		this.#catalog = this.#listed.without((tool) => isDisabled(tool, this.#policy));
		this.#surfaces = new Map();
		this.#seen = withNames(this.#seen, newTools(this.surface(), this.#seen));
		for (const session of this.#sessions.values())
			this.#move(session, session.discovery.surface.toolset, keepsOn);
		this.#changed.fire();
	}

	/** A restored session belongs to a history only if both end with the same answer. */
	#isOf(session: ChatSession, saved: SavedChat | undefined): boolean {
		const isRestored = this.isRestored && session === this.current;
		return !isRestored || saved === undefined || saved.answers === session.discovery.log.state.answers;
	}

	#dropOldest(): void {
		let characters = 0;
		for (const [i, [id, chat]] of [...this.#sessions].reverse().entries()) {
			characters += charactersIn(chat);
			// The newest is in use, so it stays, however long it is.
			if (i > 0 && (i >= sessionsKept || characters > charactersKept)) this.#sessions.delete(id);
		}
	}

	#create(saved: SavedChat | undefined, entries: readonly LogEntry[]): ChatSession {
		const log = new ChatLog(saved ? logUntil(entries, saved.answers) : [], Date.now);
		const toolset = this.#asDefined(restoredToolset(log.state.toolset));
		const discovery = new DiscoverySession(this.surface(toolset, log.state.head !== undefined), log);
		discovery.onDidChange(() => this.#changed.fire());
		const id = saved?.id ?? crypto.randomUUID();
		return { id, discovery, unsent: undefined };
	}

	/** Moves a session to the surface of a toolset, as configured now. `keepsOn`: `"auto"` does not turn discovery off in it. */
	#move({ discovery }: ChatSession, chosen: Toolset | undefined, keepsOn = false): void {
		discovery.surface = this.surface(
			this.#asDefined(chosen),
			keepsOn && discovery.log.state.head !== undefined,
		);
	}

	/** A toolset as its file defines it, else its last definition: another file's toolset of the same name may permit more. */
	#asDefined(last: Toolset | undefined): Toolset | undefined {
		if (!last) return undefined;
		const defined = this.#toolsets.get(last.name);
		return defined && defined.file === last.file ? defined : { ...last, missing: true };
	}
}

/** The approximate size of a chat in memory. */
function charactersIn({ discovery }: ChatSession): number {
	const messages = allMessages(discovery.log.entries);
	return messages.reduce((sum, message) => sum + charactersOf.message(message), 0);
}
