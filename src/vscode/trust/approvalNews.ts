import type { PendingServer } from './pendingServers.ts';

/** What is known of a server that waits, as far as it tells one from another. */
type Waiting = Pick<PendingServer, 'name' | 'facts'>;

/**
 * Tells of which servers that wait for approval the user is still to be told: of each once, for as long as it waits as it is. One that
 * changes, or waits again after it was as approved, is news again.
 */
export class ApprovalNews {
	/** By what the user was told of. */
	#told: ReadonlySet<string> = new Set();
	/** Names of servers of which somebody else is telling right now. */
	readonly #expected = new Set<string>();

	/** Those of the servers that wait now of which nobody has told; from now on somebody has. */
	take<Server extends Waiting>(pending: readonly Server[]): readonly Server[] {
		const fresh = pending.filter((server) => !this.#told.has(keyOf(server)));
		this.#told = new Set(pending.map(keyOf));
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

function keyOf({ name, facts }: Waiting): string {
	return JSON.stringify([name, facts]);
}
