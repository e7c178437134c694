import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { plain } from '../../discovery/markdown.ts';
import { FirstListings } from '../../mcp/listing/firstListings.ts';
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

	/**
	 * Resolves when the message can be answered; `isPermitted` tells which servers the chat may use at all. Lists that have grown old are fetched anew meanwhile, and nobody waits for them.
	 */
	async wait(
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
		isPermitted: (server: string) => boolean,
	): Promise<void> {
		void this.#pool.refreshIfStale();
		const stop = signalOf(token);
		try {
			const late = await this.#listings.wait(
				(names) => stream.progress(l10n.t('Waiting for {0}…', named(names))),
				stop.signal,
				isPermitted,
			);
			if (late.length > 0) {
				stream.progress(l10n.t('Still starting, so not searched yet: {0}', named(late)));
			}
		} catch {
			// Cancelled: the loop, which has the same token, says so.
		} finally {
			stop.dispose();
		}
	}
}

/** What is told as progress is Markdown. */
function named(servers: readonly string[]): string {
	return servers.map((name) => plain(name)).join(', ');
}
