import type { Memento } from 'vscode';
import type { ServerLaunch } from '../../config/launch.ts';
import { Emitter } from '../../discovery/event.ts';
import { isRecord } from '../../discovery/record.ts';
import { approvalHash, keptFacts, type LaunchFact } from '../../mcp/approval/launchFacts.ts';

/** What the user has said of one server. */
interface ApprovedServer {
	readonly server: string;
	/** Of the launch, see `approvalHash`. */
	readonly hash: string;
	/** Of the launch, without secrets: what a changed one is shown beside. */
	readonly facts: readonly LaunchFact[];
	/** Whether its word that a tool only reads counts. */
	readonly trustsHints: boolean;
}

/** How a server stands: approved as it is, never approved, or approved as it was before. */
export type Standing =
	| { readonly kind: 'approved' }
	| { readonly kind: 'new' }
	| { readonly kind: 'changed'; readonly before: readonly LaunchFact[] };

const key = 'approvals';
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

	constructor(memento: Memento) {
		this.#memento = memento;
		this.#approved = new Map(restored(memento.get(key)).map((one) => [one.server, one]));
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

	/** Each server that is allowed, with the hash of its launch. */
	get launches(): readonly (readonly [server: string, hash: string])[] {
		return [...this.#approved.values()].map(({ server, hash }) => [server, hash]);
	}

	/** Whether a server's word that a tool only reads counts. */
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

	/** Believes an approved server's word that a tool only reads, or no longer. */
	async setTrustsHints(server: string, trustsHints: boolean): Promise<void> {
		const known = this.#approved.get(server);
		if (!known) return;
		this.#approved.set(server, { ...known, trustsHints });
		await this.#keep();
	}

	/** Allows a server no longer; it ends at once. */
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
		// Before it is on disk: whoever has approved does not wait for that.
		this.#changed.fire();
		await this.#memento.update(key, [...this.#approved.values()]);
	}
}

/** What cannot be read as an approval is none. */
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
