import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StdioLaunch } from '../../src/config/servers/launch.ts';
import { Catalog } from '../../src/discovery/catalog/catalog.ts';
import {
	type DiscoveryPolicy,
	defaultPolicy,
	defaultServerPolicy,
	placement,
} from '../../src/discovery/catalog/policy.ts';
import type { Tool } from '../../src/discovery/catalog/tool.ts';
import { ToolSurface } from '../../src/discovery/catalog/toolSurface.ts';
import { DiscoverySession } from '../../src/discovery/session/discoverySession.ts';
import { ListingWait } from '../../src/mcp/listing/listingWait.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { asks, lastTexts, ScriptedModel, says, turn } from '../unit/chat/conversation.ts';
import { node, program } from './launches.ts';
import { eventually, newPool, statusOf } from './poolFixture.ts';
import { isRunning, readPids } from './processes.ts';

/** The tool of each server. */
const tools = { everything: 'echo', filesystem: 'read_text_file', memory: 'read_graph' } as const;
const names = Object.keys(tools) as (keyof typeof tools)[];

/** Three servers that write their process ids to files. */
function workspace() {
	const folder = temporaryFolder();
	const pidFile = (name: string) => join(folder, `${name}.pids`);
	const launch = (name: keyof typeof tools): StdioLaunch => {
		const file = join(folder, `${name}.json`);
		writeFileSync(file, JSON.stringify([{ name: tools[name], inputSchema: { type: 'object' } }]));
		return node(program('describedServer'), file, pidFile(name));
	};
	return {
		launches: new Map(names.map((name) => [name, launch(name)])),
		/** How often each server has started. */
		starts: () => Object.fromEntries(names.map((name) => [name, readPids(pidFile(name)).length])),
		pids: (name: string) => readPids(pidFile(name)),
	};
}

/** Defers the tools of all servers except those that are pinned. */
function policyOf(...pinned: readonly string[]): DiscoveryPolicy {
	const policy = (name: string) => ({
		...defaultServerPolicy,
		deferLoading: true,
		pinned: pinned.includes(name),
	});
	return { ...defaultPolicy, enabled: true, servers: new Map(names.map((name) => [name, policy(name)])) };
}

/** What the extension does with a configuration. */
function start(pool: ServerPool, { launches }: ReturnType<typeof workspace>, policy = policyOf()): void {
	const eager = (tools: readonly Tool[]) => tools.some((tool) => placement(tool, policy) !== 'deferred');
	pool.setLaunches(launches, { eager });
}

/** What the extension does with a message. */
async function message(pool: ServerPool, model: ScriptedModel, policy = policyOf()) {
	const awaited: string[] = [];
	await new ListingWait(pool).wait((waiting) => awaited.push(...waiting), new AbortController().signal);
	const surface = new ToolSurface(new Catalog(pool.catalogServers(), 1), policy);
	const { end } = await turn(model, {
		session: new DiscoverySession(surface),
		runTool: (tool, { input }, { signal }) => pool.callTool(tool.server, tool.name, input, { signal }),
	});
	return { awaited, end };
}

/** A folder in which an earlier window has stored the lists of the workspace's servers. */
async function listedBefore(of: ReturnType<typeof workspace>): Promise<string> {
	const folder = temporaryFolder();
	const pool = await newPool({ folder });
	start(pool, of);
	await pool.whenReady(names, { timeoutMs: 30_000 });
	await pool.dispose();
	return folder;
}

test('with lists on disk, an answer starts the server that it calls, and no other', async () => {
	const servers = workspace();
	const pool = await newPool({ folder: await listedBefore(servers) });
	const startsAtRequest: unknown[] = [];
	const model = new ScriptedModel([
		(request, signal) => {
			startsAtRequest.push(servers.starts());
			return asks({ id: '1', name: 'search_tools', input: { query: 'read a text file' } })(request, signal);
		},
		asks({ id: '2', name: 'filesystem__read_text_file', input: {} }),
		says('It says hello.'),
	]);

	start(pool, servers);
	const { awaited, end } = await message(pool, model);

	expect(end).toMatchObject({ reason: 'answered' });
	expect(lastTexts(model).join()).toContain('read_text_file done');
	expect(awaited).toEqual([]);
	expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['search_tools']);
	for (const name of names) expect(model.requests[0]?.tools[0]?.description).toContain(name);
	// The earlier window started each once.
	expect(startsAtRequest).toEqual([{ everything: 1, filesystem: 1, memory: 1 }]);
	expect(servers.starts()).toEqual({ everything: 1, filesystem: 2, memory: 1 });
	expect(statusOf(pool, 'filesystem').state.kind).toBe('ready');
});

test('with lists on disk, a server with loaded tools starts, and the message does not wait for it', async () => {
	const servers = workspace();
	const pool = await newPool({ folder: await listedBefore(servers) });
	const policy = policyOf('everything');
	const model = new ScriptedModel([says('Nothing to do.')]);

	start(pool, servers, policy);
	const { awaited } = await message(pool, model, policy);

	expect(awaited).toEqual([]);
	expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('everything__echo');
	await pool.whenReady(names, { timeoutMs: 30_000 });
	expect(servers.starts()).toEqual({ everything: 2, filesystem: 1, memory: 1 });
});

test('without lists on disk, the message waits for all, and then those that it does not call are ended', async () => {
	const servers = workspace();
	const pool = await newPool({ limits: { idleAfterListingMs: 1_000, maintenanceMs: 200 } });
	const model = new ScriptedModel([
		asks({ id: '1', name: 'search_tools', input: { tool_names: ['memory:read_graph'] } }),
		asks({ id: '2', name: 'memory__read_graph', input: {} }),
		says('It is empty.'),
	]);

	start(pool, servers);
	const { awaited, end } = await message(pool, model);

	expect(end).toMatchObject({ reason: 'answered' });
	expect(awaited).toEqual([...names]);
	const kinds = () => names.map((name) => statusOf(pool, name).state.kind);
	await eventually(() => kinds().filter((kind) => kind === 'stopped').length === 2);
	expect(kinds()).toEqual(['stopped', 'stopped', 'ready']);
	await eventually(() => ![...servers.pids('everything'), ...servers.pids('filesystem')].some(isRunning));
	expect(servers.pids('memory').filter(isRunning)).toHaveLength(1);
	expect(pool.catalogServers().map(({ name }) => name)).toEqual([...names]);
});
