import { type Clock, systemClock } from '../../common/clock.ts';
import type { ServerPool } from '../serverPool.ts';

/** A server that has not listed this long after the last of those that listed since it started counts as hanging. */
const laggingMs = 2000;
/** Waiting times depend on which servers list in the meantime, so they are recomputed this often. */
const pollMs = 200;

/** Lets a message wait for servers that have not listed their tools yet. */
export class ListingWait {
	readonly #pool: ServerPool;
	readonly #clock: Clock;
	/** Servers that a message has already waited for. */
	readonly #awaited = new Set<string>();

	constructor(pool: ServerPool, clock: Clock = systemClock) {
		this.#pool = pool;
		this.#clock = clock;
	}

	/**
	 * Waits for servers that are starting and have never listed their tools, once for each: a server that hangs or keeps restarting delays
	 * one message, and none if it was hanging already. Cached tools are used meanwhile. Rejects with the reason of `signal`.
	 *
	 * @param onWait gets the names of the servers it waits for; not called if there are none
	 * @param isRelevant whether a server matters to the message; others are not waited for @returns names of servers that still have not
	 * listed, each reported once
	 */
	async wait(
		onWait: (names: readonly string[]) => void,
		signal: AbortSignal,
		isRelevant: (server: string) => boolean = () => true,
	): Promise<readonly string[]> {
		const fresh = this.#unlisted().filter(({ name }) => !this.#awaited.has(name) && isRelevant(name));
		for (const { name } of fresh) this.#awaited.add(name);
		const messageAt = this.#clock.now();
		const awaited = fresh
			.map(({ name }) => name)
			.filter((name) => this.#remainingWaitMs(name, messageAt) > 0);
		if (awaited.length > 0) onWait(awaited);
		await Promise.all(awaited.map((name) => this.#waitFor(name, messageAt, signal)));
		const late = new Set(this.#unlisted().map(({ name }) => name));
		return fresh.map(({ name }) => name).filter((name) => late.has(name));
	}

	async #waitFor(name: string, messageAt: number, signal: AbortSignal): Promise<void> {
		for (let ms = this.#remainingWaitMs(name, messageAt); ms > 0; ms = this.#remainingWaitMs(name, messageAt))
			await this.#pool.whenReady([name], { timeoutMs: Math.min(ms, pollMs), signal });
	}

	/**
	 * How long a message sent at `asked` may still wait for a server, in milliseconds. One that waits for its turn to start does not count as
	 * hanging.
	 */
	#remainingWaitMs(name: string, messageAt: number): number {
		const unlisted = this.#unlisted().find((server) => server.name === name);
		if (!unlisted) return 0;
		const { since } = unlisted;
		const latest = Math.min(since ?? messageAt, messageAt) + this.#pool.limits.firstListMs;
		// What listed before it started says nothing about how long it needs.
		const listings = this.#pool
			.servers()
			.flatMap(({ listedAt }) =>
				since !== undefined && listedAt !== undefined && listedAt >= since ? [listedAt] : [],
			);
		const end = listings.length > 0 ? Math.min(latest, Math.max(...listings) + laggingMs) : latest;
		return end - this.#clock.now();
	}

	/** `since`: when they started. */
	#unlisted(): readonly { readonly name: string; readonly since: number | undefined }[] {
		return this.#pool
			.servers()
			.flatMap(({ name, state, listedAt }) =>
				state.kind === 'starting' && listedAt === undefined ? [{ name, since: state.since }] : [],
			);
	}
}
