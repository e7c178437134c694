import { setImmediate as pause } from 'node:timers/promises';
import { Emitter } from '../common/event.ts';
import { Catalog, type CatalogServer, type CatalogTool } from '../discovery/catalog/catalog.ts';
import {
	type ConfiguredPolicy,
	type DiscoveryPolicy,
	defaultPolicy,
	isDisabled,
	type Placement,
	placement,
} from '../discovery/catalog/policy.ts';
import { type Indexing, ToolSurface } from '../discovery/catalog/toolSurface.ts';
import { restoredToolset, type Toolset } from '../discovery/catalog/toolset.ts';
import { decidedSurface } from '../discovery/session/autoDiscovery.ts';
import { ChatLog } from '../discovery/session/chatLog.ts';
import { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { EarlierTools } from '../discovery/session/earlierTools.ts';
import { type LogEntry, saidIn, withoutHead } from '../discovery/session/logEntry.ts';
import { charactersOf } from './requestSize.ts';

/** A chat with its discovery session. */
export interface ChatSession {
	/** Unique; kept in the chat's history so that the session is found again. */
	readonly id: string;
	readonly discovery: DiscoverySession;
	/** What the model of the last turn was not sent. */
	unsent: UnsentTools | undefined;
}

/** Loaded tools that a model's provider does not take. */
export interface UnsentTools {
	/** Name of the model. */
	readonly model: string;
	/** Sentences, by wire name. */
	readonly reasons: ReadonlyMap<string, string>;
}

/** Where the log of a chat stands. Plain JSON. */
export interface SavedChat {
	readonly id: string;
	/** Answers that were given by then. */
	readonly answers: number;
}

/** What the chat's history keeps of a session with each answer: what happened since the answer before, without what was said. */
export interface SavedSession extends SavedChat {
	readonly log: readonly LogEntry[];
}

/** How a tool stands in the current chat: as the configuration places it, activated there, or outside the chat's toolset; `held`: it waits to be accepted. */
export type ToolState = Placement | 'activated' | 'outside' | 'held' | 'disabled';

/** What the answers of one chat keep of it, the newest last. */
export function joinedSession(answers: readonly SavedSession[]): SavedSession | undefined {
	const newest = answers.at(-1);
	return newest && { ...newest, log: answers.flatMap(({ log }) => log) };
}

/** What the history keeps of an entry; the conversation it tells itself, and how requests began is only of use with that. */
function kept(entry: LogEntry): readonly LogEntry[] {
	switch (entry.kind) {
		case 'message':
		case 'past':
		case 'brought':
		case 'system':
			return [];
		case 'agent':
			return [{ ...entry, messages: [] }];
		default:
			return [withoutHead(entry)];
	}
}

/** A log up to where so many answers had been given; all of it, with what was done since, where it has no more. */
function logUntil(log: readonly LogEntry[], answers: number): readonly LogEntry[] {
	const given = log.flatMap(({ kind }, i) => (kind === 'answered' ? [i + 1] : []));
	return given.length <= answers ? log : log.slice(0, given[answers - 1] ?? 0);
}

/**
 * The chat that was last active, and how it came to be that: it was `opened`; it is the `next` one, made before the user has said anything;
 * or it was `restored` when the window opened, and nobody knows yet whether the editor has kept the same state of it.
 */
interface CurrentChat {
	readonly kind: 'opened' | 'next' | 'restored';
	readonly chat: ChatSession;
}

/** Sessions kept in memory, and characters of their logs; older ones come back from what is kept of their chat. */
const sessionsKept = 50;
const charactersKept = 64 * 1024 * 1024;

/**
 * Owns what all views and chats share: the newest catalog, the policy, the surfaces made of them, and the chat sessions.
 * Knows nothing of who shows it.
 */
export class ChatSessions {
	readonly #changed = new Emitter<void>();
	/** The catalog, the policy, the current chat or what is loaded in it has changed. */
	readonly onDidChange = this.#changed.event;
	/** What servers list. */
	#listed = Catalog.empty;
	/** That without what the user has disabled. */
	#catalog = Catalog.empty;
	/** As the user has configured it. */
	#policy: ConfiguredPolicy = defaultPolicy;
	#toolsets: ReadonlyMap<string, Toolset> = new Map();
	/** Surfaces of the present catalog and policy, by the content of their toolset: chats that are taken up again bring toolsets of their own. */
	#surfaces = new Map<string, ToolSurface>();
	/** How surfaces of these tools make their indexes. */
	readonly indexing: Indexing;
	/** What went by which name in this window, for chats of other participants. Sessions of our own chats each know it themselves. */
	readonly earlier = new EarlierTools();
	/** By id, the most recently used last. */
	readonly #sessions = new Map<string, ChatSession>();
	#current: CurrentChat | undefined;
	/** A session without a chat, made when the user loads tools before saying anything. The next new chat takes it. */
	#next: ChatSession | undefined;

	/** `use`: opens what search has learned from past chats. */
	constructor(use?: Indexing['use']) {
		this.indexing = { pause, ...(use && { use }) };
	}

	get catalog(): Catalog {
		return this.#catalog;
	}

	get toolsets(): ReadonlyMap<string, Toolset> {
		return this.#toolsets;
	}

	/** The policy in force for the last used chat. */
	get policy(): DiscoveryPolicy {
		return this.currentSurface.policy;
	}

	/** The chat that was last active. */
	get current(): ChatSession | undefined {
		return this.#current?.chat;
	}

	/** Chats that are in memory, the last used one last. */
	get chats(): readonly ChatSession[] {
		return [...this.#sessions.values()];
	}

	/** Chats that are known, the current one among them. */
	get chatCount(): number {
		return this.#sessions.size;
	}

	/** Takes over what servers list now. What is the same object is the same server: without another there is no new catalog. */
	setCatalog(servers: readonly CatalogServer[]): void {
		const { servers: before, version } = this.#listed;
		const isSame = servers.length === before.length && servers.every((server, i) => server === before[i]);
		if (isSame) return;
		this.#listed = new Catalog(servers, version + 1);
		this.rebuild();
	}

	setPolicy(policy: ConfiguredPolicy, toolsets: ReadonlyMap<string, Toolset>): void {
		const isSwitched = policy.enabled !== this.#policy.enabled;
		this.#policy = policy;
		this.#toolsets = toolsets;
		this.#rebuild(!isSwitched);
	}

	/** The surface for a toolset, or for all tools. `keepsOn`: see {@link decidedSurface}. */
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

	/** Tools that a search finds, whatever the toolset of a chat; while nothing is deferred, those that it would find. */
	get searched(): readonly CatalogTool[] {
		const { deferred } = this.surface();
		return deferred.length > 0 ? deferred : this.#catalog.tools;
	}

	/** Those of them of which no model has written for the search; none where the ranking would not read it. */
	get untaught(): readonly CatalogTool[] {
		if (this.#policy.ranking !== 'default') return [];
		return this.searched.filter(({ expansion }) => expansion === undefined);
	}

	/** What the last used chat sees; before there is one, what all tools make. */
	get currentSurface(): ToolSurface {
		return this.current?.discovery.surface ?? this.surface();
	}

	/** Whether the current chat is written to: one that an earlier window used, or that nobody has begun yet, is only shown. */
	get isInUse(): boolean {
		return this.#current?.kind === 'opened';
	}

	/** Whether the chat that a history tells of is in memory as it is there. */
	has(saved: SavedChat): boolean {
		const known = this.#sessions.get(saved.id);
		return known !== undefined && this.#isOf(known, saved);
	}

	/**
	 * The session of a chat: the one in memory, else one that goes on with the log that was kept of it, or with what its history tells. Makes it
	 * the current one.
	 */
	open(saved: SavedSession | undefined, log?: readonly LogEntry[]): ChatSession {
		const told: LogEntry[] = saved ? [...saved.log, { at: 0, kind: 'back', turns: 0 }] : [];
		return this.#open(saved, 'opened', log ?? told);
	}

	/**
	 * Takes up the chat that was the current one when the window closed. The editor may have kept an older state of it than
	 * we have: where its history turns out to end with another answer, the history is right.
	 */
	restore(saved: SavedChat, log: readonly LogEntry[]): void {
		if (this.#current?.kind === 'restored') this.#sessions.delete(this.#current.chat.id);
		this.#open(saved, 'restored', log);
	}

	/** Whether the current chat is one that was restored, of which nothing has been heard since. */
	get isRestored(): boolean {
		return this.#current?.kind === 'restored';
	}

	/** The current chat's session; before the first message, one that the first chat will have. */
	currentOrNext(): ChatSession {
		return this.current ?? this.#open(undefined, 'next');
	}

	/** What to keep of the current chat, so that views show it again before anything is said in it. */
	get saved(): SavedChat | undefined {
		const { current } = this;
		return current && { id: current.id, answers: current.discovery.log.seen.answers };
	}

	/** What the history keeps of a chat with an answer that is complete. */
	keepAnswer(session: ChatSession): SavedSession {
		const { entries } = session.discovery.log;
		const before = entries.findLastIndex(({ kind }) => kind === 'answered');
		session.discovery.log.append({ kind: 'answered' });
		const { answers } = session.discovery.log.seen;
		return { id: session.id, answers, log: entries.slice(before + 1).flatMap(kept) };
	}

	/** Tells how a tool stands in the current chat as it is now; without one, in a new chat. */
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

	/** Keeps what a turn of a chat could not send. */
	setUnsent(session: ChatSession, unsent: UnsentTools): void {
		session.unsent = unsent;
		this.#changed.fire();
	}

	/** Chooses a toolset for one chat; `undefined`: all tools. */
	chooseToolset(session: ChatSession, name: string | undefined): void {
		const before = session.discovery.surface.toolset;
		this.#move(session, before?.name === name ? before : name === undefined ? undefined : emptyToolset(name));
	}

	/** Moves every session to a surface of the newest catalog and policy, made anew with its index, each with the toolset that it has. */
	rebuild(): void {
		this.#rebuild(true);
	}

	#rebuild(keepsOn: boolean): void {
		this.#catalog = this.#listed.without((tool) => isDisabled(tool, this.#policy));
		this.#surfaces = new Map();
		this.earlier.follow(this.surface());
		for (const session of this.#sessions.values())
			this.#move(session, session.discovery.surface.toolset, keepsOn);
		this.#changed.fire();
	}

	#open(saved: SavedChat | undefined, kind: CurrentChat['kind'], log: readonly LogEntry[] = []): ChatSession {
		const known = saved ? this.#sessions.get(saved.id) : this.#next;
		const chat = known && this.#isOf(known, saved) ? known : this.#create(saved, log);
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

	/** A restored session is that of a history only if both end with the same answer. */
	#isOf(known: ChatSession, saved: SavedChat | undefined): boolean {
		const isRestored = this.isRestored && known === this.current;
		return !isRestored || saved === undefined || saved.answers === known.discovery.log.seen.answers;
	}

	#dropOldest(): void {
		let characters = 0;
		for (const [i, [id, chat]] of [...this.#sessions].reverse().entries()) {
			characters += charactersIn(chat);
			// The newest is in use, however long it is.
			if (i > 0 && (i >= sessionsKept || characters > charactersKept)) this.#sessions.delete(id);
		}
	}

	#create(saved: SavedChat | undefined, entries: readonly LogEntry[]): ChatSession {
		const log = new ChatLog(saved ? logUntil(entries, saved.answers) : [], Date.now);
		const toolset = this.#asDefined(restoredToolset(log.seen.toolset));
		const discovery = new DiscoverySession(this.surface(toolset, log.seen.head !== undefined), log);
		discovery.onDidChange(() => this.#changed.fire());
		const id = saved?.id ?? crypto.randomUUID();
		return { id, discovery, unsent: undefined };
	}

	/** Moves a session to the surface of the toolset of this name, as it is now. `keepsOn`: `"auto"` does not turn discovery off in it. */
	#move({ discovery }: ChatSession, chosen: Toolset | undefined, keepsOn = false): void {
		discovery.surface = this.surface(
			this.#asDefined(chosen),
			keepsOn && discovery.log.seen.head !== undefined,
		);
	}

	/** A toolset as the configuration defines it; while it does not, as it last was. */
	#asDefined(last: Toolset | undefined): Toolset | undefined {
		return last && (this.#toolsets.get(last.name) ?? { ...last, missing: true });
	}
}

/** About what a chat takes in memory. */
function charactersIn({ discovery }: ChatSession): number {
	const said = saidIn(discovery.log.entries);
	return said.reduce((sum, message) => sum + charactersOf.message(message), 0);
}

function emptyToolset(name: string): Toolset {
	return { name, servers: new Map() };
}
