/**
 * The client that the judge starts: the pool of the extension with the judge's server as its only one. The judge appends
 * the server's address to the command and names the scenario in the environment. Ends with code 1 if anything fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/common/clock.ts';
import type { RemoteLaunch } from '../../src/config/servers/launch.ts';
import { defaultLimits } from '../../src/mcp/limits.ts';
import { CatalogStore } from '../../src/mcp/listing/catalogStore.ts';
import { ServerPool } from '../../src/mcp/serverPool.ts';
import { type Play, playOf, type ScenarioCall } from './scenarios.ts';

const server = 'judge';

/** What the judge gives along with some scenarios. */
interface Context {
	readonly toolCalls?: readonly { readonly name: string; readonly arguments: ScenarioCall['args'] }[];
}

async function play(url: string, { calls, reads }: Play, context: Context): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
	const pool = new ServerPool({
		reaperScript: fileURLToPath(new URL('../../src/mcp/stdio/reaper.ts', import.meta.url)),
		store: await CatalogStore.open(folder, defaultLimits, systemClock),
		client: { name: 'mcp-discovery', version: '1.0.0' },
		toolCacheTtlSeconds: 0,
		// A user who agrees to everything, and fills nothing in.
		ask: async () => ({ action: 'accept', content: {} }),
	});
	try {
		const launch: RemoteLaunch = { kind: 'remote', url, transport: 'streamable-http', headers: {} };
		pool.setLaunches(new Map([[server, launch]]));
		await pool.start(server);
		for (const { tool, args } of callsOf(calls, context, pool)) {
			const { isError } = await pool.callTool(server, tool, args);
			if (isError) throw new Error(`${tool} failed`);
		}
		if (reads) await readAll(pool);
	} finally {
		await pool.dispose();
		await rm(folder, { recursive: true, force: true });
	}
}

function callsOf(
	calls: Play['calls'],
	{ toolCalls = [] }: Context,
	pool: ServerPool,
): readonly ScenarioCall[] {
	if (calls === 'context') return toolCalls.map(({ name, arguments: args }) => ({ tool: name, args }));
	if (calls !== 'listed') return calls;
	return pool.catalogServers().flatMap(({ tools }) => tools.map(({ name }) => ({ tool: name, args: {} })));
}

async function readAll(pool: ServerPool): Promise<void> {
	const { resources } = await pool.resources(server);
	for (const { uri } of resources) await pool.readResource(server, uri);
	const { prompts } = await pool.prompts(server);
	for (const { name } of prompts) await pool.getPrompt(server, name, {});
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const played = playOf(scenario);
if (!played) throw new Error(`Scenario ${scenario} is not one of ours`);
await play(process.argv.at(-1) ?? '', played, JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'));
