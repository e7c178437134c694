import type { ChildProcess } from 'node:child_process';
import type { ServerLaunch } from '../../../src/config/servers/launch.ts';
import type { McpLimits } from '../../../src/mcp/limits.ts';
import type { FaultSeen } from './fault.ts';

/** What the test asks the host. */
export type ToHost =
	| { readonly kind: 'ping'; readonly n: number }
	| {
			readonly kind: 'try';
			readonly faulty: ServerLaunch;
			readonly healthy: ServerLaunch;
			readonly limits: Partial<McpLimits>;
			readonly lookOnMs: number;
			/** Whether the pool keeps running after the trial, because the test kills the process. */
			readonly stay: boolean;
	  };

/** What the host answers. */
export type FromHost =
	| { readonly kind: 'ready' }
	| { readonly kind: 'pong'; readonly n: number }
	| {
			readonly kind: 'seen';
			readonly seen: FaultSeen;
			readonly healthy: { readonly answered: number; readonly failed: number };
	  }
	| { readonly kind: 'broken'; readonly error: string };

/** Sends the host a message. If the host has ended, its `exit` event tells that. */
export function tellHost(host: ChildProcess, message: ToHost): void {
	// Without a callback, a failure would be an unhandled error.
	host.send(message, () => {});
}
