import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import { isRecord } from '../../common/json.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash, keptFacts, type LaunchFact, launchFacts } from '../../mcp/accepted/launchFacts.ts';
import type { Services } from '../../services.ts';

/** A server that the user has approved. */
interface ApprovedServer {
	readonly server: string;
	/** Of the launch, see `approvalHash`. */
	readonly hash: string;
	/** Of the launch, without secrets: what a changed one is shown beside. */
	readonly facts: readonly LaunchFact[];
	/** Whether the user trusts what it says of its tools: that they only read. */
	readonly trustsHints: boolean;
}

/** How a server stands: approved as it is, never approved, or approved as it was before. */
export type Standing =
	| { readonly kind: 'approved' }
	| { readonly kind: 'new' }
	| { readonly kind: 'changed'; readonly before: readonly LaunchFact[] };

const approvalsKey = 'approvals';
const reviewedKey = 'reviewed';

/** What the user's own file runs is approved in all workspaces; the rest in this one. */
interface UsersApprovals {
	/** Kept for all workspaces. Other windows write there, too. */
	readonly users: Memento;
	/** The launch of a server of the configuration in force. */
	readonly launchOf: (server: string) => ServerLaunch | undefined;
	/** Which servers are disabled in this workspace; left out, none is. */
	readonly switches: Pick<Services['trust']['switches'], 'isServerDisabled'>;
	/** Which servers VS Code's settings let start; left out, all. */
	readonly mcpAccess: Pick<Services['trust']['mcpAccess'], 'ban'>;
}

/**
 * Which servers the user has allowed to start, and to be believed. Kept in the extension's storage, so that no repository brings approvals
 * along: for each workspace by itself, as one server's approval holds for no other folder; for servers of the user's own file, for all.
 */
export class Approvals {
	readonly #memento: Memento;
	readonly #workspaces: ApprovedServers;
	readonly #users: ApprovedServers;
	readonly #launchOf: UsersApprovals['launchOf'];
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	readonly #switches: UsersApprovals['switches'] | undefined;
	readonly #mcpAccess: UsersApprovals['mcpAccess'] | undefined;

	constructor(
		memento: Memento,
		{ users = memento, launchOf = () => undefined, switches, mcpAccess }: Partial<UsersApprovals> = {},
	) {
		this.#memento = memento;
		this.#workspaces = new ApprovedServers(memento);
		this.#users = new ApprovedServers(users);
		this.#launchOf = launchOf;
		this.#switches = switches;
		this.#mcpAccess = mcpAccess;
	}

	standing(server: string, launch: ServerLaunch): Standing {
		const known = this.#keeping(launch).all.get(server);
		if (!known) return { kind: 'new' };
		return known.hash === approvalHash(launch)
			? { kind: 'approved' }
			: { kind: 'changed', before: known.facts };
	}

	isApproved(server: string, launch: ServerLaunch): boolean {
		return this.standing(server, launch).kind === 'approved';
	}

	/** The servers of the configuration that may start, but that the user has not approved as they are, in its order. */
	pending(state: Services['configFile']['state']): readonly PendingLaunch[] {
		if (state.kind !== 'ok') return [];
		const { launches, policy } = state.config;
		return [...launches].flatMap(([name, launch]) => {
			if (this.#switches?.isServerDisabled(name, policy) || this.#mcpAccess?.ban(name, launch)) return [];
			const standing = this.standing(name, launch);
			return standing.kind === 'approved' ? [] : [{ name, launch, standing, facts: launchFacts(launch) }];
		});
	}

	/** Each server that is allowed, with the hash of its launch. */
	get launches(): readonly (readonly [server: string, hash: string])[] {
		const all = [...this.#workspaces.all.values(), ...this.#users.all.values()];
		return all.map(({ server, hash }) => [server, hash]);
	}

	/** The hash of the launch that a server is allowed to start with; `undefined`: it is not allowed. */
	launchOf(server: string): string | undefined {
		return this.#keeping(this.#launchOf(server)).all.get(server)?.hash;
	}

	/** Whether the user trusts what a server says of its tools: that they only read. */
	trustsHints(server: string): boolean {
		return this.#keeping(this.#launchOf(server)).all.get(server)?.trustsHints ?? false;
	}

	/** Allows servers to start as they are now. */
	approve(launches: ReadonlyMap<string, ServerLaunch>, trustsHints: boolean): Promise<void> {
		const approved = [...launches].map(([server, launch]) => ({
			kept: this.#keeping(launch),
			approval: { server, hash: approvalHash(launch), facts: keptFacts(launch), trustsHints },
		}));
		const by = Map.groupBy(approved, ({ kept }) => kept);
		const changes = [...by].map(([kept, its]) =>
			kept.set([...its.map(({ approval }) => [approval.server, approval] as const)]),
		);
		return this.#tell(changes);
	}

	/** Sets whether the user trusts what an approved server says of its tools. */
	async setTrustsHints(server: string, trustsHints: boolean): Promise<void> {
		const kept = this.#keeping(this.#launchOf(server));
		const known = kept.all.get(server);
		if (known) await this.#tell([kept.set([[server, { ...known, trustsHints }]])]);
	}

	/** Takes back the approval of a server; it ends at once. */
	async withdraw(server: string): Promise<void> {
		const kept = this.#keeping(this.#launchOf(server));
		if (kept.all.has(server)) await this.#tell([kept.set([[server, undefined]])]);
	}

	/** Tells of what other windows have approved, or taken back. */
	lookAgain(): void {
		if (this.#users.isChanged() || this.#workspaces.isChanged()) this.#changed.fire();
	}

	/** Whether a review has shown a server that waits as it is now; `hash`: of its launch. */
	isReviewed(server: string, hash: string): boolean {
		const kept: unknown = this.#memento.get(reviewedKey);
		return isRecord(kept) && Object.hasOwn(kept, server) && kept[server] === hash;
	}

	/** Keeps which servers a review has shown, by name the hash of the launch, in place of those of the review before. */
	async setReviewed(hashes: ReadonlyMap<string, string>): Promise<void> {
		await this.#memento.update(reviewedKey, Object.fromEntries(hashes));
	}

	#keeping(launch: ServerLaunch | undefined): ApprovedServers {
		return launch?.ofUser ? this.#users : this.#workspaces;
	}

	async #tell(changes: readonly Thenable<void>[]): Promise<void> {
		// Before it is on disk, so that servers start at once.
		this.#changed.fire();
		await Promise.all(changes);
	}
}

/** Approvals in a memento, read anew each time: another window may have written there. */
class ApprovedServers {
	readonly #memento: Memento;
	#kept: unknown;
	#all: ReadonlyMap<string, ApprovedServer> = new Map();

	constructor(memento: Memento) {
		this.#memento = memento;
		void this.all;
	}

	/** By server. */
	get all(): ReadonlyMap<string, ApprovedServer> {
		if (this.isChanged()) {
			this.#kept = this.#memento.get(approvalsKey);
			this.#all = new Map(restored(this.#kept).map((one) => [one.server, one]));
		}
		return this.#all;
	}

	/** Whether it is not what it was when it was last read. */
	isChanged(): boolean {
		return this.#memento.get(approvalsKey) !== this.#kept;
	}

	/** Keeps approvals in the place of those of the same servers; `undefined`: takes one back. What is set holds before it is on disk. */
	set(changes: Iterable<readonly [server: string, approval: ApprovedServer | undefined]>): Thenable<void> {
		const all = new Map(this.all);
		for (const [server, approval] of changes) {
			all.delete(server);
			if (approval) all.set(server, approval);
		}
		return this.#memento.update(approvalsKey, [...all.values()]);
	}
}

/** The approvals that were kept, without what cannot be read as one. */
function restored(value: unknown): readonly ApprovedServer[] {
	return Array.isArray(value) ? value.filter(isApprovedServer) : [];
}

function isApprovedServer(value: unknown): value is ApprovedServer {
	return (
		isRecord(value) &&
		typeof value.server === 'string' &&
		typeof value.hash === 'string' &&
		typeof value.trustsHints === 'boolean' &&
		Array.isArray(value.facts) &&
		value.facts.every(
			(fact) => isRecord(fact) && typeof fact.about === 'string' && typeof fact.text === 'string',
		)
	);
}

/** A server that waits for the user. */
export interface PendingServer {
	readonly name: string;
	readonly facts: readonly LaunchFact[];
	readonly standing: Standing;
}

/** A server that waits, with how it is started. */
export interface PendingLaunch extends PendingServer {
	readonly launch: ServerLaunch;
}

/** What identifies a server that waits. */
type Waiting = Pick<PendingServer, 'name' | 'facts'>;

/**
 * Tells which servers wait for approval without the user having been told. Each is told once for as long as it waits unchanged; one that
 * changes, or that waits again after it had been approved, is news again.
 */
export class ApprovalNews {
	/** Keys of the servers that the user was told of. */
	#told: ReadonlySet<string> = new Set();
	/** Names of servers of which somebody else is telling right now. */
	readonly #expected = new Set<string>();

	/** The waiting servers that the user has not been told of; they count as told from now on. */
	take<Server extends Waiting>(pending: readonly Server[]): readonly Server[] {
		const fresh = pending.filter((server) => !this.#told.has(newsKey(server)));
		this.#told = new Set(pending.map(newsKey));
		return fresh.filter(({ name }) => !this.#expected.has(name));
	}

	/** Leaves it to the caller to tell of servers of these names, until what it returns is disposed. */
	expect(names: readonly string[]): { dispose(): void } {
		for (const name of names) this.#expected.add(name);
		return {
			dispose: () => {
				for (const name of names) this.#expected.delete(name);
			},
		};
	}
}

function newsKey({ name, facts }: Waiting): string {
	return JSON.stringify([name, facts]);
}
