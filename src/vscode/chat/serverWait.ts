import type * as vscode from 'vscode';
import { FirstListings } from '../../mcp/firstListings.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { signalOf } from '../cancellation.ts';

/** Lets a message wait for servers that have not told their tools yet, and says so in the chat. */
export class ServerWait {
	readonly #pool: ServerPool;
	readonly #listings: FirstListings;

	constructor(pool: ServerPool) {
		this.#pool = pool;
		this.#listings = new FirstListings(pool);
	}

	/** Resolves when the message can be answered. Lists that have grown old are fetched anew meanwhile, and nobody waits for them. */
	async wait(stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<void> {
		void this.#pool.refreshIfStale();
		const stop = signalOf(token);
		try {
			const late = await this.#listings.wait(
				(names) => stream.progress(`Waiting for ${names.join(', ')}…`),
				stop.signal,
			);
			if (late.length > 0) stream.progress(`Still starting, so not searched yet: ${late.join(', ')}`);
		} catch {
			// Cancelled: the loop, which has the same token, says so.
		} finally {
			stop.dispose();
		}
	}
}
