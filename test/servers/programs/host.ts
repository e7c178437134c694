/** Stands for the extension host: runs a pool of the servers given as JSON, says `ready`, and stays until it is killed. */
import { CatalogStore } from '../../../src/mcp/catalogStore.ts';
import { systemClock } from '../../../src/mcp/clock.ts';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { ServerPool } from '../../../src/mcp/serverPool.ts';

const [, , reaperScript = '', folder = '', launches = '[]'] = process.argv;
const pool = new ServerPool({
	reaperScript,
	store: await CatalogStore.open(folder, defaultLimits, systemClock),
	client: { name: 'test', version: '1.0.0' },
	toolCacheTtlSeconds: 0,
});
pool.setLaunches(new Map(JSON.parse(launches)));
await pool.whenReady(
	pool.servers().map((server) => server.name),
	{ timeoutMs: 20_000 },
);
console.log('ready');
setInterval(() => {}, 1000);
