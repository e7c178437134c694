import type { Clock } from '../common/clock.ts';
import type { Connect } from './connection/connection.ts';
import type { ConnectOptions } from './connection/connectOptions.ts';
import type { AskUser } from './connection/questions.ts';
import type { McpLimits } from './limits.ts';
import type { CatalogStore } from './listing/catalogStore.ts';
import type { SignIns } from './signIn/signIns.ts';
import type { StartSlots } from './starts.ts';

/** What the servers of a pool share. */
export interface PoolContext extends Pick<ConnectOptions, 'client' | 'groups' | 'editorProxy'> {
	readonly connect: Connect;
	readonly slots: StartSlots;
	readonly store: CatalogStore;
	readonly signIns: SignIns | undefined;
	readonly limits: McpLimits;
	readonly clock: Clock;
	/** Whether a changed tool has to be accepted first. Asked right before each call. */
	readonly isQuarantined: (server: string, tool: string) => boolean;
	/** Whether the user has disabled a tool. Asked right before each call. */
	readonly isDisabled: (server: string, tool: string) => boolean;
	readonly ask: AskUser | undefined;
	/** From 0 to 1. */
	readonly random: () => number;
}
