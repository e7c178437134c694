import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerLaunch, StdioLaunch } from '../../../src/config/servers/launch.ts';
import { compileCache, node } from '../launches.ts';
import type { Fault, FaultTransport } from './fault.ts';

const script = fileURLToPath(new URL('server/faultServer.ts', import.meta.url));

/** The fault server as a process that the pool starts. */
export function faultLaunch(mode: Fault['mode'], env: Readonly<Record<string, string>> = {}): StdioLaunch {
	const launch = node(script, 'stdio', ...mode);
	return { ...launch, env: { ...launch.env, ...env } };
}

/** What the pool starts for a fault over stdio: the fault server, or a shell around it. */
export function stdioLaunch(
	{ mode, shells = 0, env = {} }: Fault,
	mark: Readonly<Record<string, string>>,
): StdioLaunch {
	const launch = faultLaunch(mode, { ...env, ...mark });
	if (shells === 0) return launch;
	// With a command after the server's, no shell replaces itself with the server.
	const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
	const inner = [launch.command, ...launch.args].map(quoted).join(' ');
	const wrapped = Array.from({ length: shells - 1 }).reduce<string>(
		(line) => `/bin/sh -c ${quoted(`${line}; true`)}`,
		inner,
	);
	return { ...launch, command: '/bin/sh', args: ['-c', `${wrapped}; true`] };
}

/** Starts a fault server that is reached over HTTP. The trial ends it. */
export async function startRemoteFault(
	{ mode }: Fault,
	transport: Exclude<FaultTransport, 'stdio'>,
): Promise<{ readonly launch: ServerLaunch; readonly end: () => void }> {
	const server = spawn(process.execPath, [script, transport, ...mode], {
		stdio: ['ignore', 'pipe', 'ignore'],
		env: { ...process.env, ...compileCache },
	});
	const [port] = await once(server.stdout, 'data');
	const url = `http://127.0.0.1:${String(port).trim()}/mcp`;
	const sdkTransport = transport === 'sse' ? 'sse' : 'streamable-http';
	return {
		launch: { kind: 'remote', url, transport: sdkTransport, headers: {} },
		end: () => void server.kill('SIGKILL'),
	};
}
