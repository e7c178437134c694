import * as l10n from '@vscode/l10n';
import { serverCount } from '../../chat/counts.ts';
import { labelText } from '../ui/labelText.ts';
import type { PendingServer } from './approvals.ts';

type Unapproved = Pick<PendingServer, 'name' | 'facts'>;

/**
 * Decides which unapproved servers to notify about: each once while its launch stays the same. A server that changes, or that loses its
 * approval, is news again.
 */
export class ApprovalNews {
	/** Keys of servers that the user knows about. */
	#known: ReadonlySet<string> = new Set();
	/** Names of servers that somebody else leads the user to. */
	readonly #expected = new Set<string>();

	/** The servers that the user does not know about yet; from now on they count as known. */
	take<Server extends Unapproved>(pending: readonly Server[]): readonly Server[] {
		const fresh = pending.filter((server) => !this.#known.has(newsKey(server)));
		this.#known = new Set(pending.map(newsKey));
		return fresh.filter(({ name }) => !this.#expected.has(name));
	}

	/** As long as the result is in scope, the caller leads the user to these servers. */
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

/** The notification about servers that need approval. A server that was approved before has stopped, and the text says why. */
export function approvalMessage(servers: readonly PendingServer[]): string {
	const changed = servers.filter(({ approval }) => approval.kind === 'changed');
	const [first] = servers;
	if (servers.length === 1 && first) {
		const name = labelText(first.name);
		return changed.length === 1
			? l10n.t('{0} changed in the configuration and needs approval again.', name)
			: l10n.t('{0} needs approval.', name);
	}
	const count = serverCount(servers.length);
	return changed.length === servers.length
		? l10n.t('{0} changed in the configuration and need approval again.', count)
		: l10n.t('{0} need approval.', count);
}
