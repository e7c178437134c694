import type { StoredJson } from '../../common/storedJson.ts';
import type { LaunchFact } from '../../mcp/accepted/launchFacts.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';

/** A server that the user has approved. */
export interface ApprovedServer {
	readonly server: string;
	/** Of the launch: see `approvalHash`. */
	readonly hash: string;
	/** The hash before it was written differently; see `Approvals.keep`. Decisions about its tools refer to this hash. */
	readonly first?: string | undefined;
	/** Of the launch, without secrets: the review compares a changed launch with them. */
	readonly facts: readonly LaunchFact[];
	/** Whether the user trusts its read-only annotations. */
	readonly trustsHints: boolean;
}

/** The user's decisions for one workspace, or for all workspaces. */
export interface TrustState {
	readonly approvals: readonly ApprovedServer[];
	/** What the last review has shown: servers and the hashes of their launches. */
	readonly reviewed: readonly (readonly [server: string, hash: string])[];
	/** Oldest first. */
	readonly rules: readonly PermissionRule[];
}

/**
 * In the extension's storage, shared by all windows, so that no repository can contain approvals. VS Code reads its own state once per window, and each
 * window writes all of it: a window that does not know that an approval was revoked would restore it.
 */
export type TrustFile = StoredJson<TrustState>;

export const nothingTrusted: TrustState = {
	approvals: [],
	reviewed: [],
	rules: [],
};
