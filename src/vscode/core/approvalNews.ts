import * as l10n from '@vscode/l10n';
import type { PendingServer } from './approvals.ts';

type Unapproved = Pick<PendingServer, 'name' | 'facts'>;

/**
 * Decides which unapproved servers to notify about: each once while its launch stays the same. A server that changes, or that loses its
 * approval, is news again.
 */
export class ApprovalNews {
	/** Keys of servers that the user knows about. */
	#knownKeys: ReadonlySet<string> = new Set();
	/** Names of servers whose review another command opens. */
	readonly #expected = new Set<string>();

	/** The servers that the user does not know about yet; from now on they count as known. */
	take<Server extends Unapproved>(pending: readonly Server[]): readonly Server[] {
		const fresh = pending.filter((server) => !this.#knownKeys.has(newsKey(server)));
		this.#knownKeys = new Set(pending.map(newsKey));
		return fresh.filter(({ name }) => !this.#expected.has(name));
	}

	/** While the result is in scope, the caller itself opens the review of these servers. */
	expect(names: readonly string[]): Disposable {
		for (const name of names) this.#expected.add(name);
		return {
			[Symbol.dispose]: () => {
				for (const name of names) this.#expected.delete(name);
			},
		};
	}
}

function newsKey({ name, facts }: Unapproved): string {
	return JSON.stringify([name, facts]);
}

/**
 * The notification about servers that need approval. It neither names nor counts them (the badge does): VS Code shows equal texts only once, so a
 * new notification replaces the older one instead of covering it. Servers that were approved before have stopped, and the text says why.
 * `isDamaged`: the stored approvals are damaged.
 */
export function approvalMessage(
	servers: readonly Pick<PendingServer, 'approval'>[],
	isDamaged = false,
): string {
	if (isDamaged)
		return l10n.t('the stored approvals and rules are damaged. MCP servers need your approval again.');
	return servers.every(({ approval }) => approval.kind === 'changed')
		? l10n.t('Changed MCP servers need your approval again.')
		: l10n.t('MCP servers need your approval before they start.');
}
