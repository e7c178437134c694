import type { ChildProcess } from 'node:child_process';
import type { ServerLaunch } from '../../../src/config/servers/launch.ts';
import type { McpLimits } from '../../../src/mcp/limits.ts';
import type { FaultSeen } from './fault.ts';

/** What the process of the pool is asked. */
export type ToHost =
	| { readonly kind: 'ping'; readonly n: number }
	| {
			readonly kind: 'try';
			readonly faulty: ServerLaunch;
			readonly healthy: ServerLaunch;
			readonly limits: Partial<McpLimits>;
			readonly lookOnMs: number;
			/** Whether the pool is left as it is, for the process to be killed. */
			readonly stay: boolean;
	  };

/** What it answers. */
export type FromHost =
	| { readonly kind: 'ready' }
	| { readonly kind: 'pong'; readonly n: number }
	| {
			readonly kind: 'seen';
			readonly seen: FaultSeen;
			readonly healthy: { readonly answered: number; readonly failed: number };
	  }
	| { readonly kind: 'broken'; readonly error: string };

/** Tells the process of the pool something; one that is gone hears nothing, and its exit says so. */
export function tellHost(host: ChildProcess, message: ToHost): void {
	// Without somebody who hears of it, a failure would be an error that nobody handles.
	host.send(message, () => {});
}
