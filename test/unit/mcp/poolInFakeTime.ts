import { onTestFinished } from 'vitest';
import type { ServerLaunch, StdioLaunch } from '../../../src/config/servers/launch.ts';
import type { McpConnection } from '../../../src/mcp/connection/connection.ts';
import type { ConnectOptions } from '../../../src/mcp/connection/connectOptions.ts';
import { Offered } from '../../../src/mcp/connection/offers.ts';
import { defaultLimits, type McpLimits } from '../../../src/mcp/limits.ts';
import { CatalogStore } from '../../../src/mcp/listing/catalogStore.ts';
import { ServerPool } from '../../../src/mcp/serverPool.ts';
import { temporaryFolder } from '../../servers/poolFixture.ts';
import { FakeClock } from './fakeClock.ts';

const launch: StdioLaunch = { kind: 'stdio', command: 'c', args: [], env: {}, cwd: '/' };

/** A server with one tool that does nothing on its own. */
export const idle: McpConnection = {
	serverInfo: undefined,
	instructions: undefined,
	hasTools: true,
	offers: { resources: false, prompts: false, completions: false },
	listToolsPage: async () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] }),
	callTool: async () => ({ content: [] }),
	offered: new Offered(
		{ server: 'idle', linked: new Set(), limits: defaultLimits },
		{
			offers: () => ({ resources: false, prompts: false, completions: false }),
			page: async () => ({}),
			call: async () => ({}),
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

interface PoolSettings {
	/** The clock of an earlier pool, to continue with. */
	readonly clock?: FakeClock;
	/** The folder in which an earlier pool has stored its lists. */
	readonly folder?: string;
	readonly limits?: Partial<McpLimits>;
	/** The setting `MCP_TOOL_CACHE_TTL`; absent: its default. */
	readonly ttlSeconds?: number;
	readonly isDisabled?: (server: string, tool: string) => boolean;
}

/** A pool with a fake clock and without servers: tests wait minutes, and need no processes. */
export async function poolInFakeTime(
	connect: (
		options: ConnectOptions,
		clock: FakeClock,
		launch: ServerLaunch,
	) => Promise<McpConnection> = async () => idle,
	{
		clock = new FakeClock(),
		folder = temporaryFolder(),
		limits = {},
		ttlSeconds = 30,
		isDisabled,
	}: PoolSettings = {},
): Promise<PoolInFakeTime> {
	const starts: { server: string; at: number }[] = [];
	const allLimits = { ...defaultLimits, ...limits };
	const pool = new ServerPool({
		reaperScript: 'none: no process is started',
		store: await CatalogStore.open(folder, allLimits, clock),
		limits: allLimits,
		client: { name: 'test', version: '1.0.0' },
		toolCacheTtlSeconds: ttlSeconds,
		clock,
		random: () => 0.5,
		...(isDisabled && { isDisabled }),
		connect: (launch, options) => {
			starts.push({ server: options.server, at: clock.now() });
			return connect(options, clock, launch);
		},
	});
	onTestFinished(() => pool.dispose());
	return { pool, clock, starts };
}

export function launchesOf(...names: readonly string[]): ReadonlyMap<string, StdioLaunch> {
	return new Map(names.map((name) => [name, launch]));
}

export function stateOf(pool: ServerPool, name: string): string | undefined {
	return pool.servers().find((server) => server.name === name)?.state.kind;
}
