import { isDeepStrictEqual } from 'node:util';
import { changesOf, type Event } from '../../common/event.ts';
import { weakMemo } from '../../common/memo.ts';
import { reversible, type Step } from '../../common/steps.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash, keptFacts, type LaunchFact, launchFacts } from '../../mcp/accepted/launchFacts.ts';
import type { FollowedFile } from './configState.ts';
import type { Configuration } from './configuration.ts';
import type { McpAccess } from './mcpAccess.ts';
import type { Switches } from './switches.ts';
import type { ApprovedServer, TrustFile } from './trustState.ts';

type Launches = ReadonlyMap<string, ServerLaunch>;

/** Whether a server is approved: with this launch, never, or with another launch. */
export type ApprovalState =
	| { readonly kind: 'approved' }
	| { readonly kind: 'new' }
	| { readonly kind: 'changed'; readonly before: readonly LaunchFact[] };

interface UsersApprovals {
	/** Approvals of the user's own servers, which count in all workspaces. Other windows write there, too. */
	readonly users: TrustFile;
	/** The launch of a server in the configuration in force. */
	readonly launchOf: (server: string) => ServerLaunch | undefined;
	readonly switches: Pick<Switches, 'isServerDisabled'>;
	/** Which servers VS Code's settings block. */
	readonly mcpAccess: Pick<McpAccess, 'ban'>;
}

/**
 * Which servers the user has approved, and whose read-only annotations they trust. Stored by the extension, so that no repository can bring
 * approvals along: per workspace, or for servers of the user's own file once for all workspaces.
 */
export class Approvals {
	/** The workspace's file. */
	readonly #trust: TrustFile;
	readonly #users: TrustFile;
	readonly #launchOf: UsersApprovals['launchOf'];
	/** Before the change is on disk, and when another window has made it: servers start and stop at once. */
	readonly onDidChange: Event<void>;
	readonly #switches: UsersApprovals['switches'] | undefined;
	readonly #mcpAccess: UsersApprovals['mcpAccess'] | undefined;

	constructor(
		trust: TrustFile,
		{ users = trust, launchOf = () => undefined, switches, mcpAccess }: Partial<UsersApprovals> = {},
	) {
		this.#trust = trust;
		this.#users = users;
		this.#launchOf = launchOf;
		this.#switches = switches;
		this.#mcpAccess = mcpAccess;
		this.onDidChange = changesOf(
			() => JSON.stringify([trust.value.approvals, users.value.approvals]),
			[trust.onDidChange, users.onDidChange],
		);
	}

	/** Whether the stored approvals could be read. Otherwise a server may be approved without our knowing it. */
	get isKnown(): boolean {
		return this.#trust.isKnown && this.#users.isKnown;
	}

	/** Whether approvals were lost because their file is damaged. */
	get isDamaged(): boolean {
		return this.#trust.isDamaged || this.#users.isDamaged;
	}

	approval(server: string, launch: ServerLaunch): ApprovalState {
		const approved = this.#approved(server, launch);
		if (!approved) return { kind: 'new' };
		return approved.hash === approvalHash(launch)
			? { kind: 'approved' }
			: { kind: 'changed', before: approved.facts };
	}

	isApproved(server: string, launch: ServerLaunch): boolean {
		return this.approval(server, launch).kind === 'approved';
	}

	/** Servers that only lack the user's approval, in the order of the configuration. */
	pending(state: Configuration['state']): readonly PendingServer[] {
		if (state.kind !== 'ok') return [];
		const { policy } = state.config;
		return [...state.servers.values()].flatMap(({ name, launch, file }) => {
			if (!launch || this.#switches?.isServerDisabled(name, policy) || this.#mcpAccess?.ban(name, launch))
				return [];
			const approval = this.approval(name, launch);
			return approval.kind === 'approved'
				? []
				: [{ name, launch, file, approval, facts: launchFacts(launch) }];
		});
	}

	/** Every approved server, with the hash that decisions about its tools have. */
	get launches(): readonly (readonly [server: string, hash: string])[] {
		return [...this.#trust.value.approvals, ...this.#users.value.approvals].map((approved) => [
			approved.server,
			firstHash(approved),
		]);
	}

	/** Whether a launch is approved under this server name, also if the configuration does not have it now. */
	hasLaunch(server: string, hash: string): boolean {
		return [this.#trust, this.#users].some((file) => {
			const approved = byServer(file.value.approvals).get(server);
			return approved !== undefined && firstHash(approved) === hash;
		});
	}

	/** The hash that decisions about a server's tools have; `undefined`: it is not approved. */
	launchOf(server: string): string | undefined {
		const approved = this.#approved(server);
		return approved && firstHash(approved);
	}

	/** The same for any launch, approved or not. */
	hashOf(launch: ServerLaunch, server: string): string {
		const hash = approvalHash(launch);
		const approved = this.#approved(server, launch);
		return approved?.hash === hash ? firstHash(approved) : hash;
	}

	/** Whether the user trusts a server's read-only annotations. */
	trustsHints(server: string): boolean {
		return this.#approved(server)?.trustsHints ?? false;
	}

	approve(launches: Launches, trustsHints: boolean): Promise<void> {
		return this.#add(
			[...launches].map(([server, launch]) => ({
				server,
				launch,
				trustsHints,
				first: this.hashOf(launch, server),
			})),
		);
	}

	async #add(
		added: readonly (Pick<ApprovedServer, 'server' | 'trustsHints'> & {
			readonly launch: ServerLaunch;
			readonly first: string;
		})[],
	): Promise<void> {
		const approvals = added.map(({ launch, first, ...fields }) => {
			const hash = approvalHash(launch);
			const approval = { ...fields, hash, ...(first !== hash && { first }), facts: keptFacts(launch) };
			return { file: this.#fileFor(launch), approval };
		});
		const byFile = Map.groupBy(approvals, ({ file }) => file);
		const writing = [...byFile].map(([file, ofFile]) => {
			const added = ofFile.map(({ approval }) => approval);
			const names = new Set(added.map(({ server }) => server));
			return changeApprovals(file, (all) => [...all.filter(({ server }) => !names.has(server)), ...added]);
		});
		await Promise.all(writing);
	}

	/**
	 * Keeps the approval of each server whose entry is written differently now but starts exactly as before, for example after the user moved its
	 * keys to secret storage, and all decisions about its tools. Call this with each new configuration before anything else asks about approvals.
	 */
	keep(previous: Launches, now: Launches): void {
		const alikeApprovals = [...now].flatMap(([server, launch]) => {
			const old = previous.get(server);
			const isKept =
				old &&
				old !== launch &&
				startsAlike(old, launch) &&
				this.isApproved(server, old) &&
				!this.isApproved(server, launch);
			const approved = isKept && this.#approved(server, old);
			return approved
				? [{ server, launch, trustsHints: approved.trustsHints, first: firstHash(approved) }]
				: [];
		});
		if (alikeApprovals.length > 0) void this.#add(alikeApprovals);
	}

	setTrustsHints(server: string, trustsHints: boolean): Promise<void> {
		return changeApprovals(this.#fileFor(this.#launchOf(server)), (all) =>
			all.map((approval) => (approval.server === server ? { ...approval, trustsHints } : approval)),
		);
	}

	/** Revokes the approval of a server, which stops at once. */
	revoke(server: string): Promise<void> {
		return changeApprovals(this.#fileFor(this.#launchOf(server)), (all) =>
			all.filter((approval) => approval.server !== server),
		);
	}

	/** Removes the approval of a server that leaves the configuration. Undoing this approves the same launch again. */
	removing(server: string): Step {
		const file = this.#fileFor(this.#launchOf(server));
		return reversible(async () => {
			const approved = byServer(file.value.approvals).get(server);
			await changeApprovals(file, (all) => all.filter((approval) => approval.server !== server));
			return () =>
				approved &&
				changeApprovals(file, (all) => [...all.filter((approval) => approval.server !== server), approved]);
		});
	}

	/** Whether a review has shown a server with this launch. */
	isReviewed(server: string, hash: string): boolean {
		return this.#trust.value.reviewed.some(([name, shownHash]) => name === server && shownHash === hash);
	}

	/** Remembers which servers the last review has shown: name → hash of the launch. */
	setReviewed(hashes: ReadonlyMap<string, string>): Promise<void> {
		return this.#trust.update((state) => ({ ...state, reviewed: [...hashes] }));
	}

	#fileFor(launch: ServerLaunch | undefined): TrustFile {
		return launch?.ofUser ? this.#users : this.#trust;
	}

	#approved(server: string, launch = this.#launchOf(server)): ApprovedServer | undefined {
		return byServer(this.#fileFor(launch).value.approvals).get(server);
	}
}

function firstHash({ hash, first = hash }: ApprovedServer): string {
	return first;
}

/** Variables are resolved in a launch: only how it is written may differ. */
function startsAlike(a: ServerLaunch, b: ServerLaunch): boolean {
	const asWritten = { written: undefined, reads: undefined };
	return isDeepStrictEqual({ ...a, ...asWritten }, { ...b, ...asWritten });
}

const byServer = weakMemo(
	(approvals: readonly ApprovedServer[]) => new Map(approvals.map((approval) => [approval.server, approval])),
);

function changeApprovals(
	file: TrustFile,
	change: (approvals: readonly ApprovedServer[]) => readonly ApprovedServer[],
): Promise<void> {
	return file.update((state) => ({ ...state, approvals: change(state.approvals) }));
}

/** A server that needs approval. */
export interface PendingServer {
	readonly name: string;
	readonly launch: ServerLaunch;
	readonly facts: readonly LaunchFact[];
	/** The file that defines it. */
	readonly file: FollowedFile;
	readonly approval: ApprovalState;
}
