import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StdioLaunch } from '../../src/config/servers/launch.ts';

/** Resolves packages as the sample workspace does, whose servers the tests use too. */
const require = createRequire(new URL('../../examples/workspace/package.json', import.meta.url));

/** The main script of a published MCP server. */
export function publishedServer(name: 'everything' | 'filesystem' | 'memory'): string {
	return require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
}

/** Path of one of the test's programs in `programs/`. */
export function program(name: string): string {
	return fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));
}

/** Runs a command as a server. */
export function stdio(
	command: string,
	args: readonly string[] = [],
	more: Partial<StdioLaunch> = {},
): StdioLaunch {
	return { kind: 'stdio', command, args, env: {}, cwd: tmpdir(), ...more };
}

/** Hundreds of servers start: the first of each kind compiles the code, the others read it from the cache. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'mcp-test-servers') };

/** Runs a script with Node. */
export function node(script: string, ...args: string[]): StdioLaunch {
	return stdio(process.execPath, [script, ...args], { env: compileCache });
}
