import type * as vscode from 'vscode';
import type { ServerPool, ServerStatus } from '../../mcp/serverPool.ts';
import { signalOf } from '../cancellation.ts';

/** Servers whose tools are not known yet get this long to list them before the first model call. */
const waitForServersMs = 5000;

/** Lets a message wait for servers that have not told their tools yet. */
export class ServerWait {
	readonly #pool: ServerPool;
	/** Servers that a message has waited for. */
	readonly #awaited = new Set<string>();

	constructor(pool: ServerPool) {
		this.#pool = pool;
	}

	/**
	 * Waits for servers that have never listed their tools, for each once: one that hangs, or is started again and again, costs
	 * one message its patience and no more. Tools that are known from disk serve meanwhile.
	 */
	async wait(stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<void> {
		const pool = this.#pool;
		void pool.refreshIfStale();
		const isUnknown = ({ state, listedAt }: ServerStatus) =>
			state.kind === 'starting' && listedAt === undefined;
		const unknown = () =>
			pool
				.servers()
				.filter(isUnknown)
				.map((server) => server.name);
		const awaited = unknown().filter((name) => !this.#awaited.has(name));
		if (awaited.length === 0) return;
		for (const name of awaited) this.#awaited.add(name);
		stream.progress(`Waiting for ${awaited.join(', ')}…`);
		const stop = signalOf(token);
		try {
			await pool.whenReady(awaited, { timeoutMs: waitForServersMs, signal: stop.signal });
			const late = unknown();
			if (late.length > 0) stream.progress(`Still starting, so not searched yet: ${late.join(', ')}`);
		} catch {
			// Cancelled: the loop, which has the same token, says so.
		} finally {
			stop.dispose();
		}
	}
}
