import type { Clock } from './clock.ts';
import type { Connect, ConnectOptions } from './connection/connection.ts';
import type { McpLimits } from './limits.ts';
import type { CatalogStore } from './listing/catalogStore.ts';
import type { StartSlots } from './startSlots.ts';

/** What the servers of a pool have in common. */
export interface PoolContext extends Pick<ConnectOptions, 'client' | 'groups'> {
	readonly connect: Connect;
	readonly slots: StartSlots;
	readonly store: CatalogStore;
	readonly limits: McpLimits;
	readonly clock: Clock;
	/** Whether a tool waits for the user to accept what it has become; asked right before each call. */
	readonly isHeld: (server: string, tool: string) => boolean;
	/** From 0 to 1. */
	readonly random: () => number;
}
