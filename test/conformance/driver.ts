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
import { playedScenarios } from './scenarios.ts';

const server = 'judge';

async function play(url: string, scenario: string): Promise<void> {
	const calls = playedScenarios.get(scenario);
	if (!calls) throw new Error(`Scenario ${scenario} is not one of ours`);
	const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
	const pool = new ServerPool({
		reaperScript: fileURLToPath(new URL('../../src/mcp/stdio/reaper.ts', import.meta.url)),
		store: await CatalogStore.open(folder, defaultLimits, systemClock),
		client: { name: 'mcp-discovery', version: '1.0.0' },
		toolCacheTtlSeconds: 0,
	});
	try {
		const launch: RemoteLaunch = { kind: 'remote', url, transport: 'streamable-http', headers: {} };
		pool.setLaunches(new Map([[server, launch]]));
		await pool.start(server);
		for (const { tool, args } of calls) {
			const { isError } = await pool.callTool(server, tool, args);
			if (isError) throw new Error(`${tool} failed`);
		}
	} finally {
		await pool.dispose();
		await rm(folder, { recursive: true, force: true });
	}
}

const url = process.argv.at(-1) ?? '';
await play(url, process.env.MCP_CONFORMANCE_SCENARIO ?? '');
