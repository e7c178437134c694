import * as l10n from '@vscode/l10n';
import type { Memento } from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { Emitter } from '../../common/event.ts';
import { isRecord } from '../../common/json.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash, keptFacts, type LaunchFact, launchFacts } from '../../mcp/accepted/launchFacts.ts';
import type { Services } from '../../services.ts';
import { labelText } from '../ui/labelText.ts';

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

/**
 * Which servers of the workspace the user has allowed to start, and to be believed. Kept in the extension's storage of the workspace, so
 * that no repository brings approvals along; one server's approval holds for no other folder.
 */
export class Approvals {
	readonly #memento: Memento;
	readonly #approved: Map<string, ApprovedServer>;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	readonly #switches: Pick<Services['switches'], 'isServerDisabled'> | undefined;

	/** `switches`: left out, no server is disabled. */
	constructor(memento: Memento, switches?: Pick<Services['switches'], 'isServerDisabled'>) {
		this.#memento = memento;
		this.#switches = switches;
		this.#approved = new Map(restored(memento.get(approvalsKey)).map((one) => [one.server, one]));
	}

	standing(server: string, launch: ServerLaunch): Standing {
		const known = this.#approved.get(server);
		if (!known) return { kind: 'new' };
		return known.hash === approvalHash(launch)
			? { kind: 'approved' }
			: { kind: 'changed', before: known.facts };
	}

	isApproved(server: string, launch: ServerLaunch): boolean {
		return this.standing(server, launch).kind === 'approved';
	}

	/** The servers of the configuration that are not disabled, and that the user has not approved as they are, in its order. */
	pending(state: Services['configFile']['state']): readonly PendingLaunch[] {
		if (state.kind !== 'ok') return [];
		const { launches, policy } = state.config;
		return [...launches].flatMap(([name, launch]) => {
			if (this.#switches?.isServerDisabled(name, policy)) return [];
			const standing = this.standing(name, launch);
			return standing.kind === 'approved' ? [] : [{ name, launch, standing, facts: launchFacts(launch) }];
		});
	}

	/** Each server that is allowed, with the hash of its launch. */
	get launches(): readonly (readonly [server: string, hash: string])[] {
		return [...this.#approved.values()].map(({ server, hash }) => [server, hash]);
	}

	/** The hash of the launch that a server is allowed to start with; `undefined`: it is not allowed. */
	launchOf(server: string): string | undefined {
		return this.#approved.get(server)?.hash;
	}

	/** Whether the user trusts what a server says of its tools: that they only read. */
	trustsHints(server: string): boolean {
		return this.#approved.get(server)?.trustsHints ?? false;
	}

	/** Allows servers to start as they are now. */
	approve(launches: ReadonlyMap<string, ServerLaunch>, trustsHints: boolean): Promise<void> {
		for (const [server, launch] of launches) {
			const approval = { server, hash: approvalHash(launch), facts: keptFacts(launch), trustsHints };
			this.#approved.set(server, approval);
		}
		return this.#keep();
	}

	/** Sets whether the user trusts what an approved server says of its tools. */
	async setTrustsHints(server: string, trustsHints: boolean): Promise<void> {
		const known = this.#approved.get(server);
		if (!known) return;
		this.#approved.set(server, { ...known, trustsHints });
		await this.#keep();
	}

	/** Takes back the approval of a server; it ends at once. */
	async withdraw(server: string): Promise<void> {
		if (this.#approved.delete(server)) await this.#keep();
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

	async #keep(): Promise<void> {
		// Before it is on disk, so that servers start at once.
		this.#changed.fire();
		await this.#memento.update(approvalsKey, [...this.#approved.values()]);
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

const nameLength = 100;

/** What the user is told of servers that newly wait: one that had been approved has ended, and says why. */
export function approvalMessage(servers: readonly PendingServer[]): string {
	const changed = servers.filter(({ standing }) => standing.kind === 'changed');
	const [first] = servers;
	if (servers.length === 1 && first) {
		const name = labelText(first.name, nameLength);
		return changed.length === 1
			? l10n.t('{0} has changed in the configuration. It starts when you have approved it again.', name)
			: l10n.t('the server {0} starts when you have approved what it runs.', name);
	}
	const count = serverCount(servers.length);
	return changed.length === servers.length
		? l10n.t('{0} have changed in the configuration. They start when you have approved them again.', count)
		: l10n.t('{0} start when you have approved what they run.', count);
}
