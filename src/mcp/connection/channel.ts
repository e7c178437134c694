import type { RemoteLaunch, StdioLaunch } from '../../config/servers/launch.ts';
import { ServerError } from '../serverError.ts';
import { StdioTransport } from '../stdio/stdioTransport.ts';
import { exitError, type ProcessOutput } from './connectErrors.ts';
import type { ConnectOptions } from './connectOptions.ts';
import type { HttpTransportOptions } from './httpTransport.ts';
import type { PendingRequests } from './jsonRpc.ts';
import { MessageReader } from './messageReader.ts';
import { remoteError, requestError } from './requestError.ts';
import { SseTransport } from './sseTransport.ts';
import { StreamableTransport } from './streamableTransport.ts';

/** How long to wait for a remote server to acknowledge that we leave. */
const farewellMs = 400;

/** What differs between a local process and a remote server. */
export interface Channel<Transport> {
	readonly transport: Transport;
	/** What an error means here; without an error, why the channel ended. */
	explain(error: unknown, phase: 'starting' | 'running'): ServerError;
	/** Whether the channel is unusable after this error. */
	isLost(error: ServerError): boolean;
	/** Called when the channel is lost and the transport itself does not notice. */
	onLost?: (error: ServerError) => void;
	/** The output of the process, if there is one. */
	output(): ProcessOutput;
	close(): Promise<void>;
}

export function stdioChannel(
	launch: StdioLaunch,
	options: ConnectOptions,
	reader: MessageReader,
): Channel<StdioTransport> {
	const { server, limits, redactor } = options;
	const transport = new StdioTransport(launch, { ...options, reader });
	return {
		transport,
		explain: (error, phase) => {
			if (error instanceof ServerError) return error;
			const ended = transport.hasEnded || transport.exit !== undefined || error === undefined;
			if (!ended) return requestError(server, error, redactor());
			const during = { phase, exitedAtOnceMs: limits.exitedAtOnceMs };
			return exitError(server, transport.exit, transport.output, during);
		},
		isLost: () => transport.exit !== undefined,
		output: () => transport.output,
		close: () => transport.close(),
	};
}

export function remoteChannel(
	launch: RemoteLaunch,
	options: ConnectOptions,
	reader: MessageReader,
): Channel<SseTransport | StreamableTransport> {
	const { server, limits, redactor } = options;
	const { url, headers } = launch;
	const explain = (error: unknown) => remoteError(server, url, error, redactor());
	const { authorizer } = options;
	const settings: HttpTransportOptions = { url, headers, limits, reader, ...(authorizer && { authorizer }) };
	const about = {
		explain,
		isLost: (error: ServerError) => error.reason === 'unreachable' || error.reason === 'session-lost',
		output: () => ({ stderr: [] }),
	};
	if (launch.transport === 'sse') {
		const transport = new SseTransport(settings);
		const channel: Channel<SseTransport> = { ...about, transport, close: () => transport.close() };
		transport.onlost = (error) => channel.onLost?.(explain(error));
		return channel;
	}
	const transport = new StreamableTransport(settings);
	return {
		...about,
		transport,
		close: async () => {
			await Promise.race([transport.farewell(), new Promise((resolve) => setTimeout(resolve, farewellMs))]);
			await transport.close();
		},
	};
}

/** The reader of a server's messages; `isMessage`: whether the client can handle a value. */
export function newMessageReader(
	{ limits, onLog, onToolsChanged }: ConnectOptions,
	unanswered: PendingRequests,
	isMessage: (value: unknown) => boolean,
): MessageReader {
	return new MessageReader({
		limits,
		isAwaited: (id) => unanswered.has(id),
		isMessage,
		onFlood: () => {
			onLog(
				'warn',
				`more than ${limits.unaskedPerSecond} unsolicited messages per second: some were dropped`,
			);
			// A dropped message may have been this announcement.
			onToolsChanged();
		},
	});
}
