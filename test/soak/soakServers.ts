import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { release, spawnLeashed } from '../../scripts/childProcess.ts';
import { EXAMPLE_WORKSPACE } from '../../scripts/projectPaths.ts';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../src/config/servers/launch.ts';
import { node, program, publishedServer } from '../servers/launches.ts';
import { freePort } from '../servers/loopback.ts';

const faultServer = fileURLToPath(new URL('../servers/faults/server/faultServer.ts', import.meta.url));

/** The servers of a soak: those of the example workspace, and some that go wrong. `env` is given to every process. */
export function soakLaunches(
	folder: string,
	env: Readonly<Record<string, string>>,
	remote: RemoteLaunch,
): Map<string, ServerLaunch> {
	const started = (launch: StdioLaunch, more = {}): ServerLaunch => ({ ...launch, env: { ...env, ...more } });
	const faulty = (...mode: readonly string[]) => node(faultServer, 'stdio', ...mode);
	const fromExamples = (script: string) => node(join(EXAMPLE_WORKSPACE, 'node_modules', script));
	return new Map<string, ServerLaunch>([
		['files', started(node(publishedServer('filesystem'), folder))],
		['memory', started(node(publishedServer('memory')), { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') })],
		['everything', started(node(publishedServer('everything')))],
		['thinking', started(fromExamples('@modelcontextprotocol/server-sequential-thinking/dist/index.js'))],
		[
			'git',
			started(fromExamples('@cyanheads/git-mcp-server/dist/index.js'), {
				MCP_TRANSPORT_TYPE: 'stdio',
				MCP_LOG_LEVEL: 'error',
			}),
		],
		['remote', remote],
		['changing', started(node(program('changingServer')))],
		['crashing', started(node(program('crashingServer'), join(folder, 'calls.txt')))],
		['dying', started(faulty('exits-at-once'))],
		['noisy', started(faulty('noisy'))],
		['garbled', started(faulty('writes', 'stdout', '1', 'garbage, and more of it\n'))],
		['paging', started(faulty('pages', 'empty-cursor'))],
	]);
}

/** server-everything over streamable HTTP, as a process. */
export interface RemoteServer extends AsyncDisposable {
	readonly launch: RemoteLaunch;
}

/** Starts {@link RemoteServer}; resolves when it listens. */
export async function startRemoteServer(): Promise<RemoteServer> {
	const port = await freePort();
	const child = spawnLeashed(process.execPath, [publishedServer('everything'), 'streamableHttp'], {
		env: { PORT: String(port) },
		output: 'pipe',
	});
	child.stdout?.resume();
	await new Promise<void>((resolve, reject) => {
		child.stderr?.on('data', (chunk) => String(chunk).includes(`port ${port}`) && resolve());
		child.once('exit', (code) => reject(new Error(`The remote server ended with code ${code}`)));
	});
	return {
		launch: {
			kind: 'remote',
			url: `http://127.0.0.1:${port}/mcp`,
			transport: 'streamable-http',
			headers: {},
		},
		[Symbol.asyncDispose]: () => release(child),
	};
}
