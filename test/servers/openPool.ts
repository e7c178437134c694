import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/common/clock.ts';
import { defaultLimits, type McpLimits } from '../../src/mcp/limits.ts';
import { CatalogStore } from '../../src/mcp/listing/catalogStore.ts';
import type { ServerPoolOptions } from '../../src/mcp/poolContext.ts';
import { ServerPool } from '../../src/mcp/serverPool.ts';

/** From here, and from a bundle in `dist/test`. */
const reaperScript = fileURLToPath(new URL('../../dist/reaper.js', import.meta.url));

export interface PoolOptions extends Partial<Omit<ServerPoolOptions, 'store' | 'limits'>> {
	readonly limits?: Partial<McpLimits>;
}

/** A pool that stores its lists in `folder`, and that the caller disposes. Lists are never stale, unless the options say otherwise. */
export async function openPool(folder: string, options: PoolOptions = {}): Promise<ServerPool> {
	const limits = { ...defaultLimits, ...options.limits };
	return new ServerPool({
		reaperScript,
		store: await CatalogStore.open(folder, limits, options.clock ?? systemClock),
		client: { name: 'test', version: '1.0.0' },
		toolCacheTtlSeconds: 0,
		...options,
		limits,
	});
}
