import type { ClientDefinition } from '../../config/models/clientDefinition.ts';

/** Who wanted the key. */
type KeyClient = Pick<ClientDefinition, 'baseUrl'>;

/** A request that failed as its endpoint wanted a key. */
interface FailedRequest {
	/** Of the endpoint: what keys are kept by. */
	readonly origin: string;
	/** Whether it is still what its maker would want. */
	readonly holds: () => boolean;
	readonly again: () => Thenable<unknown>;
}

/** Requests that failed for want of a key, by who made them, the latest last: each can be made again once there is a key. */
export class KeyRetries {
	readonly #failed = new Map<object, FailedRequest>();

	/** Keeps a request; one that its maker kept before is given up. */
	keep(maker: object, client: KeyClient, request: Omit<FailedRequest, 'origin'>): void {
		this.forget(maker);
		this.#failed.set(maker, { origin: new URL(client.baseUrl).origin, ...request });
	}

	/** To be told that somebody has gone on to something else. */
	forget(maker: object): void {
		this.#failed.delete(maker);
	}

	/** What makes the latest request again that wanted this client's key, once; `undefined`: none waits. */
	take(client: KeyClient): FailedRequest['again'] | undefined {
		const { origin } = new URL(client.baseUrl);
		const its = [...this.#failed].filter(([, failed]) => failed.origin === origin);
		for (const [maker] of its) this.forget(maker);
		return its.findLast(([, { holds }]) => holds())?.[1].again;
	}
}

const kept = new WeakMap<object, KeyRetries>();

/** What failed for want of a key from a store. Beside it, as no start of the editor needs this. */
export function keyRetries(keys: object): KeyRetries {
	const retries = kept.get(keys) ?? new KeyRetries();
	kept.set(keys, retries);
	return retries;
}
