import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ToolRunner } from '../../../src/chat/loopOptions.ts';
import { Catalog } from '../../../src/discovery/catalog/catalog.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
} from '../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import type { ServerPool } from '../../../src/mcp/serverPool.ts';
import { node, publishedServer } from '../launches.ts';
import { openPool } from '../openPool.ts';

/** A chat over published MCP servers that run as processes of their own. */
export interface RealChat {
	readonly pool: ServerPool;
	readonly session: DiscoverySession;
	readonly runTool: ToolRunner;
}

/**
 * Starts server-everything, server-filesystem (as `files`) and server-memory once for all tests of a file: three of them take as long to
 * start as twenty tests take to run.
 */
export function realServers() {
	const root = mkdtempSync(join(tmpdir(), 'mcp-chats-'));
	let pool: ServerPool;
	let folders = 0;

	beforeAll(async () => {
		pool = await openPool(join(root, 'catalog'));
		const memory = {
			...node(publishedServer('memory')),
			env: { MEMORY_FILE_PATH: join(root, 'memory.jsonl') },
		};
		const launches = {
			everything: node(publishedServer('everything')),
			files: node(publishedServer('filesystem'), root),
			memory,
		};
		pool.setLaunches(new Map(Object.entries(launches)));
		await pool.whenReady(Object.keys(launches), { timeoutMs: 60_000 });
	});
	afterAll(async () => {
		await pool.dispose();
		rmSync(root, { recursive: true, force: true });
	});

	return {
		/** A new folder that server-filesystem may use, with `/` on Windows, too: transcripts are the same there. */
		folder(): string {
			folders += 1;
			const folder = join(root, `chat-${folders}`);
			mkdirSync(folder);
			return folder.replaceAll(sep, '/');
		},
		/** A new chat with the servers. All their tools are deferred, except for what `more` says. */
		chat: (more: Partial<DiscoveryPolicy> = {}): RealChat => chatOver(pool, more),
	};
}

/** A new chat with the servers of a pool. */
export function chatOver(pool: ServerPool, more: Partial<DiscoveryPolicy> = {}): RealChat {
	return {
		pool,
		session: new DiscoverySession(surfaceOf(pool, more)),
		runTool: (tool, call, { signal }) => pool.callTool(tool.server, tool.name, call.input, { signal }),
	};
}

/** What the pool's servers list now, under a policy that defers them all. */
export function surfaceOf(pool: ServerPool, more: Partial<DiscoveryPolicy> = {}): ToolSurface {
	const names = pool.servers().map(({ name }) => name);
	const deferred = new Map(names.map((name) => [name, { ...defaultServerPolicy, deferLoading: true }]));
	const policy = { ...defaultPolicy, enabled: true, servers: deferred, ...more };
	return new ToolSurface(new Catalog(pool.catalogServers(), 1), policy);
}
