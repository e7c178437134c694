import type { ToolRunner } from '../../src/chat/loopOptions.ts';
import { Catalog } from '../../src/discovery/catalog/catalog.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
} from '../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../src/discovery/catalog/toolSurface.ts';
import { DiscoverySession } from '../../src/discovery/session/discoverySession.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { node, publishedServer } from '../servers/launches.ts';
import { startedPool } from '../servers/poolFixture.ts';

/** A chat over published MCP servers that run as processes of their own. */
export interface RealChat {
	readonly pool: ServerPool;
	readonly session: DiscoverySession;
	readonly runTool: ToolRunner;
}

/** Starts server-filesystem on a folder, server-everything and server-memory, all deferred but for what `more` says. */
export async function realChat(folder: string, more: Partial<DiscoveryPolicy> = {}): Promise<RealChat> {
	const memory = { ...node(publishedServer('memory')), env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` } };
	const pool = await startedPool({
		everything: node(publishedServer('everything')),
		files: node(publishedServer('filesystem'), folder),
		memory,
	});
	const session = new DiscoverySession(surfaceOf(pool, more));
	const runTool: ToolRunner = (tool, call, signal) =>
		pool.callTool(tool.server, tool.name, call.input, { signal });
	return { pool, session, runTool };
}

/** What the pool's servers list now, under a policy that defers them all. */
export function surfaceOf(pool: ServerPool, more: Partial<DiscoveryPolicy> = {}): ToolSurface {
	const names = pool.servers().map(({ name }) => name);
	const deferred = new Map(names.map((name) => [name, { ...defaultServerPolicy, deferLoading: true }]));
	const policy = { ...defaultPolicy, enabled: true, servers: deferred, ...more };
	return new ToolSurface(new Catalog(pool.catalogServers(), 1), policy);
}
