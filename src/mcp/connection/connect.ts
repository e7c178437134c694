import { abortable, JoinedSignal } from '../../common/cancellation.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { ServerError, type ServerErrorReason } from '../serverError.ts';
import { StdioTransport } from '../stdio/stdioTransport.ts';
import { connectTimeout } from './connectErrors.ts';
import type { McpConnection } from './connection.ts';
import type { ConnectOptions } from './connectOptions.ts';
import type { ServerTransport } from './guardedTransport.ts';
import { legacyRevisions, modernRevision, namedRevision } from './handshake.ts';
import { SdkConnection } from './sdk.ts';
import { SseTransport } from './sseTransport.ts';
import { StreamableTransport } from './streamableTransport.ts';

/**
 * The revisions to try, each if the server refuses those before. A process may exit or fall silent if its first message is not `initialize`. A remote
 * server can do more with the latest.
 */
function revisionsFor(launch: ServerLaunch): readonly string[] {
	if (launch.kind === 'stdio') return [legacyRevisions[0], modernRevision];
	return launch.transport === 'sse' ? [legacyRevisions[0]] : [modernRevision, legacyRevisions[0]];
}

/**
 * How long the other transport of a remote server may take. It is tried if the server refuses the configured one: many URLs are entered with the wrong
 * one. See “Backwards Compatibility” in the specification of transports.
 */
const otherTransportMs = 5_000;

/**
 * Failures that may come from the revision: gateways refuse a request that they do not know with any status, or reset the connection (also in
 * modelcontextprotocol/rust-sdk#1133). Others come from a crash.
 */
const refusals: ReadonlySet<ServerErrorReason> = new Set([
	'protocol',
	'request-refused',
	'http-error',
	'session-lost',
	'unauthorized',
	'unreachable',
]);

/** Connects and completes the handshake; see {@link ConnectOptions} for what it rejects with. */
export async function connect(launch: ServerLaunch, options: ConnectOptions): Promise<McpConnection> {
	const { server, signal } = options;
	const { connectMs, firstStartMs } = options.limits;
	// A process that has never answered may be installing itself.
	const isFirst = launch.kind === 'stdio' && options.isFirst;
	const maxConnectMs = isFirst ? Math.max(firstStartMs, connectMs) : connectMs;
	const attempt = async (one: ServerLaunch, ms: number): Promise<McpConnection> => {
		const transport: ServerTransport =
			one.kind === 'stdio'
				? new StdioTransport(one, options)
				: new (one.transport === 'sse' ? SseTransport : StreamableTransport)(one, options);
		const deadline = AbortSignal.timeout(ms);
		const ending = new JoinedSignal(signal, deadline);
		const open = async (
			[revision = '', ...others]: readonly string[],
			tried: readonly string[] = [],
		): Promise<McpConnection> => {
			const connection = new SdkConnection(transport, revision, options);
			try {
				// The attempt may have been aborted while this code was loading.
				ending.signal.throwIfAborted();
				await abortable(connection.open(), ending.signal);
				return connection;
			} catch (thrown) {
				const error = transport.explain(thrown);
				const isLegacy = revision !== modernRevision;
				const named = isLegacy ? namedRevision(error.message, [...tried, revision]) : undefined;
				const left = named === undefined ? others : [named, ...others];
				if (left.length === 0 || ending.signal.aborted || !refusals.has(error.reason)) throw error;
				return open(left, [...tried, revision]).catch((later: unknown): never => {
					throw isLegacy ? error : later;
				});
			}
		};
		try {
			return await open(revisionsFor(one));
		} catch (error) {
			await transport.close();
			if (signal.aborted) throw signal.reason;
			throw deadline.aborted ? connectTimeout(server, ms, isFirst, transport.output) : error;
		} finally {
			ending.dispose();
		}
	};
	return attempt(launch, maxConnectMs).catch(async (error: unknown) => {
		const isRefused = error instanceof ServerError && error.details.isTransportRefused;
		if (launch.kind === 'stdio' || !isRefused) throw error;
		const transport = launch.transport === 'sse' ? 'streamable-http' : 'sse';
		const connection = await attempt({ ...launch, transport }, otherTransportMs).catch((): never => {
			throw signal.aborted ? signal.reason : error;
		});
		options.onLog('info', `the server speaks another transport: set "transport" to "${transport}"`);
		return connection;
	});
}
