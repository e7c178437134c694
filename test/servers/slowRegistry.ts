import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { StdioLaunch } from '../../src/config/servers/launch.ts';
import { stdio } from './launches.ts';
import { listen } from './loopback.ts';

/** The only package of the registry. */
const packageName = 'plain-mcp-server';

/** A slow registry of npm packages on loopback, with a single MCP server. */
export interface SlowRegistry extends AsyncDisposable {
	/** How many requests have come. */
	readonly requests: number;
	/** How long it waits before it answers a request. */
	delayMs: number;
	/** Runs a package with `npx` and an empty cache: nothing is installed yet. */
	npx(name?: string): StdioLaunch;
}

/** Starts a registry; `folder` must be empty. */
export async function slowRegistry(folder: string, delayMs: number): Promise<SlowRegistry> {
	const tarball = packed(folder);
	const registry = { requests: 0, delayMs };
	const server = createServer(async (request, response) => {
		registry.requests += 1;
		await delay(registry.delayMs);
		const address = `http://${request.headers.host}`;
		if (request.url === `/${packageName}`) response.end(JSON.stringify(packument(address, tarball)));
		else if (request.url?.endsWith('.tgz')) response.end(tarball);
		else response.writeHead(404).end(JSON.stringify({ error: 'Not found' }));
	});
	const address = await listen(server);
	let caches = 0;
	return Object.assign(registry, {
		npx: (name = packageName): StdioLaunch => {
			caches += 1;
			const env = {
				npm_config_registry: `${address}/`,
				npm_config_cache: join(folder, `cache-${caches}`),
				npm_config_update_notifier: 'false',
			};
			return stdio('npx', ['-y', name], { env, cwd: folder });
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
		},
	});
}

/** The tarball of a package that contains only `plainServer.mjs`. */
function packed(folder: string): Buffer {
	const root = join(folder, 'package');
	mkdirSync(root);
	writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
	cpSync(new URL('programs/plainServer.mjs', import.meta.url), join(root, 'server.mjs'));
	execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
	return readFileSync(join(folder, 'package.tgz'));
}

const manifest = { name: packageName, version: '1.0.0', bin: { [packageName]: 'server.mjs' } };

function packument(address: string, tarball: Buffer) {
	const dist = {
		tarball: `${address}/${packageName}-1.0.0.tgz`,
		integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
	};
	return {
		name: packageName,
		'dist-tags': { latest: '1.0.0' },
		versions: { '1.0.0': { ...manifest, dist } },
	};
}
