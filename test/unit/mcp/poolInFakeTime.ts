import type { ServerLaunch, StdioLaunch } from '../../../src/config/servers/launch.ts';
import type { McpConnection } from '../../../src/mcp/connection/connection.ts';
import type { ConnectOptions } from '../../../src/mcp/connection/connectOptions.ts';
import { ServerFeatures } from '../../../src/mcp/connection/offers.ts';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import type { ServerPool } from '../../../src/mcp/serverPool.ts';
import { newPool } from '../../servers/poolFixture.ts';
import { FakeClock } from './fakeClock.ts';

const launch: StdioLaunch = { kind: 'stdio', command: 'c', args: [], env: {}, cwd: '/' };

/** A server with one tool that does nothing on its own. */
export const idle: McpConnection = {
	serverInfo: undefined,
	instructions: undefined,
	offers: { resources: false, prompts: false, completions: false },
	listToolsPage: async () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] }),
	callTool: async () => ({ content: [], isError: false }),
	features: new ServerFeatures(
		{ server: 'idle', linkedUris: new Set(), limits: defaultLimits },
		{
			offers: { resources: false, prompts: false, completions: false },
			page: async () => ({}),
			call: async (_label, _method, _params, _options, read) => read({}),
		},
	),
	close: async () => {},
};

export interface PoolInFakeTime {
	readonly pool: ServerPool;
	readonly clock: FakeClock;
	/** Which servers have started, and when. */
	readonly starts: readonly { readonly server: string; readonly at: number }[];
}

/** A pool with a fake clock and without servers: tests wait minutes, and need no processes. Another clock and folder are those of an earlier pool. */
export async function poolInFakeTime(
	connect: (
		options: ConnectOptions,
		clock: FakeClock,
		launch: ServerLaunch,
	) => Promise<McpConnection> = async () => idle,
	{
		clock = new FakeClock(),
		...options
	}: Parameters<typeof newPool>[0] & { readonly clock?: FakeClock } = {},
): Promise<PoolInFakeTime> {
	const starts: { server: string; at: number }[] = [];
	const pool = await newPool({
		toolCacheTtlSeconds: 30,
		clock,
		connect: (launch, options) => {
			starts.push({ server: options.server, at: clock.now() });
			return connect(options, clock, launch);
		},
		...options,
	});
	return { pool, clock, starts };
}

export function launchesOf(...names: readonly string[]): ReadonlyMap<string, StdioLaunch> {
	return new Map(names.map((name) => [name, launch]));
}

export function stateOf(pool: ServerPool, name: string): string | undefined {
	return pool.servers().find((server) => server.name === name)?.state.kind;
}
