import type { StdioLaunch } from '../../config/launch.ts';
import { exitError, ServerError } from '../serverError.ts';
import { StdioTransport } from '../stdio/stdioTransport.ts';
import type { ConnectOptions } from './connection.ts';
import { FloodGate } from './floodGate.ts';
import { requestError } from './requestError.ts';
import type { Unanswered } from './unanswered.ts';

/** What differs between a server that is a process and one that is elsewhere. */
export interface Channel<Transport> {
	readonly transport: Transport;
	/** What an error means here; without one, why the channel ended. */
	explain(error: unknown, phase: 'starting' | 'running'): ServerError;
	/** Whether nothing more is to be expected of the channel after this error. */
	isLost(error: ServerError): boolean;
	/** Called with what loses the channel, if the transport itself does not notice. */
	onLost?: (error: ServerError) => void;
	/** Last words of the process, where there is one. */
	stderrTail(): readonly string[];
	close(): Promise<void>;
}

/** The channel to a server that is a process of ours. */
export function stdioChannel(
	launch: StdioLaunch,
	options: ConnectOptions,
	unanswered: Unanswered,
): Channel<StdioTransport> {
	const { server, limits, redactor } = options;
	const gate = floodGate(options, unanswered);
	const transport = new StdioTransport(launch, { ...options, admits: (message) => gate.admits(message) });
	return {
		transport,
		explain: (error, phase) => {
			if (error instanceof ServerError) return error;
			const ended = transport.hasEnded || transport.exit !== undefined || error === undefined;
			if (!ended) return requestError(server, error, redactor());
			const during = { phase, exitedAtOnceMs: limits.exitedAtOnceMs };
			return exitError(server, transport.exit, transport.stderrTail, during);
		},
		isLost: () => transport.exit !== undefined,
		stderrTail: () => transport.stderrTail,
		close: () => transport.close(),
	};
}

/** The gate for what a server sends; see {@link FloodGate}. */
export function floodGate(
	{ limits, onLog, onToolsChanged }: ConnectOptions,
	unanswered: Unanswered,
): FloodGate {
	return new FloodGate({
		limits,
		isAwaited: (id) => unanswered.has(id),
		onFlood: () => {
			onLog(
				'warn',
				`more than ${limits.unaskedPerSecond} messages a second that nobody asked for: some are dropped`,
			);
			// One of those that are dropped may have said so.
			onToolsChanged();
		},
	});
}
