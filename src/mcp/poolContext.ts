import type { Clock } from '../common/clock.ts';
import type { ServerLaunch } from '../config/servers/launch.ts';
import type { Tool } from '../discovery/catalog/tool.ts';
import type { Connect } from './connection/connection.ts';
import type { AskUser } from './connection/questions.ts';
import type { McpLimits } from './limits.ts';
import type { CatalogStore } from './listing/catalogStore.ts';
import type { StartBarrier } from './serverError.ts';
import type { LogLine, ServerLog } from './serverLog.ts';
import type { SignIns } from './signIn/signIns.ts';
import type { StartSlots } from './starts.ts';
import type { EditorProxy } from './stdio/childEnvironment.ts';
import type { ProcessReaper } from './stdio/processReaper.ts';

export interface ServerPoolOptions {
	/** Path of `reaper.ts`, or of its bundle. */
	readonly reaperScript: string;
	readonly store: CatalogStore;
	/** How we introduce ourselves to servers. */
	readonly client: { readonly name: string; readonly version: string };
	/** Age in seconds at which a list is stale; 0 or less: never. */
	readonly toolCacheTtlSeconds: number;
	readonly limits?: McpLimits;
	readonly clock?: Clock;
	readonly connect?: Connect;
	/** Absent: nobody signs in, and servers are sent only what their launches contain. */
	readonly signIns?: SignIns;
	/** Whether a changed tool has to be accepted first. Asked right before each call. Absent: none has. */
	readonly isQuarantined?: (server: string, tool: string) => boolean;
	/** Whether the user has disabled a tool. Asked right before each call. Absent: none is. */
	readonly isDisabled?: (server: string, tool: string) => boolean;
	/** Shows the user a server's question, one at a time. If absent, servers learn that they cannot ask. */
	readonly ask?: AskUser | undefined;
	/** VS Code's proxy settings, read at each start of a process. */
	readonly editorProxy?: () => EditorProxy;
}

/** Shared by all servers of a pool: its options, with defaults filled in. */
export type PoolContext = Required<
	Pick<
		ServerPoolOptions,
		'connect' | 'client' | 'store' | 'limits' | 'clock' | 'isQuarantined' | 'isDisabled'
	>
> &
	Pick<ServerPoolOptions, 'signIns' | 'ask' | 'editorProxy'> & {
		readonly groups: Pick<ProcessReaper, 'track' | 'forget'>;
		readonly slots: StartSlots;
	};

/** Shared by the parts of one server. */
export interface ServerContext extends PoolContext {
	readonly name: string;
	readonly launch: ServerLaunch;
	readonly log: ServerLog;
}

/** What a server of the pool tells it, and asks it. */
export interface PooledServerEvents {
	/** The state, or what is known of the tools, has changed. */
	readonly onChange: () => void;
	readonly onLog: (entry: LogLine) => void;
	/**
	 * Why the server may not run now; `undefined`: it may; `gone`: the pool has replaced or removed it. The pool is asked before every start,
	 * and again after everything that a start waits for.
	 */
	readonly barred: () => StartBarrier | 'gone' | undefined;
	/** Whether a server with these tools must run even if nobody calls it. */
	readonly isNeeded: (tools: readonly Tool[]) => boolean;
}
