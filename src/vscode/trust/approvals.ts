import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import { isRecord } from '../../common/json.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash, keptFacts, type LaunchFact, launchFacts } from '../../mcp/accepted/launchFacts.ts';
import type { Services } from '../../services.ts';
import { StoredValue } from './storedValue.ts';

/** A server that the user has approved. */
interface ApprovedServer {
	readonly server: string;
	/** Of the launch: see `approvalHash`. */
	readonly hash: string;
	/** Of the launch, without secrets: the review compares a changed launch with them. */
	readonly facts: readonly LaunchFact[];
	/** Whether the user trusts its read-only annotations. */
	readonly trustsHints: boolean;
}

/** Whether a server is approved: with this launch, never, or with another launch. */
export type ApprovalState =
	| { readonly kind: 'approved' }
	| { readonly kind: 'new' }
	| { readonly kind: 'changed'; readonly before: readonly LaunchFact[] };

const approvalsKey = 'approvals';
const reviewedKey = 'reviewed';

interface UsersApprovals {
	/** Approvals of the user's own servers, which count in all workspaces. Other windows write there, too. */
	readonly users: Memento;
	/** The launch of a server in the configuration in force. */
	readonly launchOf: (server: string) => ServerLaunch | undefined;
	readonly switches: Pick<Services['trust']['switches'], 'isServerDisabled'>;
	/** Which servers VS Code's settings block. */
	readonly mcpAccess: Pick<Services['trust']['mcpAccess'], 'ban'>;
}

/**
 * Which servers the user has approved, and whose read-only annotations they trust. Stored by the extension, so that no repository can bring
 * approvals along: per workspace, or for servers of the user's own file once for all workspaces.
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
		this.#workspaces = approvedServers(memento);
		this.#users = approvedServers(users);
		this.#launchOf = launchOf;
		this.#switches = switches;
		this.#mcpAccess = mcpAccess;
	}

	approval(server: string, launch: ServerLaunch): ApprovalState {
		const known = this.#keeping(launch).value.get(server);
		if (!known) return { kind: 'new' };
		return known.hash === approvalHash(launch)
			? { kind: 'approved' }
			: { kind: 'changed', before: known.facts };
	}

	isApproved(server: string, launch: ServerLaunch): boolean {
		return this.approval(server, launch).kind === 'approved';
	}

	/** Servers that only lack the user's approval, in the order of the configuration. */
	pending(state: Services['configFile']['state']): readonly PendingLaunch[] {
		if (state.kind !== 'ok') return [];
		const { launches, policy } = state.config;
		return [...launches].flatMap(([name, launch]) => {
			if (this.#switches?.isServerDisabled(name, policy) || this.#mcpAccess?.ban(name, launch)) return [];
			const approval = this.approval(name, launch);
			return approval.kind === 'approved' ? [] : [{ name, launch, approval, facts: launchFacts(launch) }];
		});
	}

	/** Every approved server, with the hash of its launch. */
	get launches(): readonly (readonly [server: string, hash: string])[] {
		const all = [...this.#workspaces.value.values(), ...this.#users.value.values()];
		return all.map(({ server, hash }) => [server, hash]);
	}

	/** The hash of the launch that a server was approved with; `undefined`: it is not approved. */
	launchOf(server: string): string | undefined {
		return this.#keeping(this.#launchOf(server)).value.get(server)?.hash;
	}

	/** Whether the user trusts a server's read-only annotations. */
	trustsHints(server: string): boolean {
		return this.#keeping(this.#launchOf(server)).value.get(server)?.trustsHints ?? false;
	}

	approve(launches: ReadonlyMap<string, ServerLaunch>, trustsHints: boolean): Promise<void> {
		const approved = [...launches].map(([server, launch]) => ({
			kept: this.#keeping(launch),
			approval: { server, hash: approvalHash(launch), facts: keptFacts(launch), trustsHints },
		}));
		const by = Map.groupBy(approved, ({ kept }) => kept);
		const changes = [...by].map(([kept, its]) =>
			changed(
				kept,
				its.map(({ approval }) => [approval.server, approval]),
			),
		);
		return this.#changeBy(changes);
	}

	async setTrustsHints(server: string, trustsHints: boolean): Promise<void> {
		const kept = this.#keeping(this.#launchOf(server));
		const known = kept.value.get(server);
		if (known) await this.#changeBy([changed(kept, [[server, { ...known, trustsHints }]])]);
	}

	/** Revokes the approval of a server, which stops at once. */
	async revoke(server: string): Promise<void> {
		const kept = this.#keeping(this.#launchOf(server));
		if (kept.value.has(server)) await this.#changeBy([changed(kept, [[server, undefined]])]);
	}

	/** Notices what other windows have approved or revoked. */
	refresh(): void {
		if (this.#users.isChanged() || this.#workspaces.isChanged()) this.#changed.fire();
	}

	/** Whether a review has shown a server with this launch. */
	isReviewed(server: string, hash: string): boolean {
		const kept: unknown = this.#memento.get(reviewedKey);
		return isRecord(kept) && Object.hasOwn(kept, server) && kept[server] === hash;
	}

	/** Remembers which servers the last review has shown: name → hash of the launch. */
	async setReviewed(hashes: ReadonlyMap<string, string>): Promise<void> {
		await this.#memento.update(reviewedKey, Object.fromEntries(hashes));
	}

	#keeping(launch: ServerLaunch | undefined): ApprovedServers {
		return launch?.ofUser ? this.#users : this.#workspaces;
	}

	async #changeBy(changes: readonly Thenable<void>[]): Promise<void> {
		// Before it is on disk, so that servers start and stop at once.
		this.#changed.fire();
		await Promise.all(changes);
	}
}

/** By server. */
type ApprovedServers = StoredValue<ReadonlyMap<string, ApprovedServer>>;

function approvedServers(memento: Memento): ApprovedServers {
	return new StoredValue(memento, approvalsKey, (stored) => {
		const approved = Array.isArray(stored) ? stored.filter(isApprovedServer) : [];
		return new Map(approved.map((one) => [one.server, one]));
	});
}

/** Replaces approvals by server; `undefined` revokes one. */
function changed(
	approved: ApprovedServers,
	changes: readonly (readonly [server: string, approval: ApprovedServer | undefined])[],
): Thenable<void> {
	const all = new Map(approved.value);
	for (const [server, approval] of changes) {
		all.delete(server);
		if (approval) all.set(server, approval);
	}
	return approved.set([...all.values()]);
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

/** A server that needs approval. */
export interface PendingServer {
	readonly name: string;
	readonly facts: readonly LaunchFact[];
	readonly approval: ApprovalState;
}

export interface PendingLaunch extends PendingServer {
	readonly launch: ServerLaunch;
}
