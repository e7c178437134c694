import { Redactor } from '../common/secrets/redactor.ts';
import { launchSecrets, type ServerLaunch } from '../config/servers/launch.ts';
import type { McpConnection } from './connection/connection.ts';
import type { ConnectOptions } from './connection/connectOptions.ts';
import type { ListedTools } from './listing/listedTools.ts';
import type { PoolContext } from './poolContext.ts';
import type { ServerError } from './serverError.ts';
import type { ServerLog } from './serverLog.ts';
import type { StartAttempt } from './serverState.ts';
import type { ServerSignIn } from './signIn/serverSignIn.ts';
import { tellingLine } from './stdio/tellingLine.ts';

interface ServerConnectorOptions extends Pick<ConnectOptions, 'onOffersChanged'> {
	readonly list: ListedTools;
	readonly log: ServerLog;
	readonly signIn: ServerSignIn;
	readonly onLost: (attempt: StartAttempt, error: ServerError) => void;
	/** Why the server may not run now. */
	readonly refusal: () => ServerError | undefined;
}

/** Connects to one server, and remembers what its connections have shown: its secrets and its links. */
export class ServerConnector {
	/** Addresses of resources that results have linked to. */
	readonly linked = new Set<string>();
	/** Whether the server has ever answered, in this window or an earlier one. */
	hasAnswered: boolean;
	/** Hides secrets in what the server says. What is hidden once stays hidden. */
	redactor: Redactor;
	readonly #server: string;
	readonly #launch: ServerLaunch;
	readonly #context: PoolContext;
	readonly #options: ServerConnectorOptions;
	readonly #hidden: Set<string>;

	constructor(server: string, launch: ServerLaunch, context: PoolContext, options: ServerConnectorOptions) {
		this.#server = server;
		this.#launch = launch;
		this.#context = context;
		this.#options = options;
		this.hasAnswered = options.list.known !== undefined;
		this.#hidden = new Set(launchSecrets(launch));
		this.redactor = new Redactor(this.#hidden);
	}

	hide(secrets: readonly string[]): void {
		const known = this.#hidden.size;
		for (const secret of secrets) this.#hidden.add(secret);
		if (this.#hidden.size > known) this.redactor = new Redactor(this.#hidden);
	}

	/** A connection whose tools are listed. */
	async open(attempt: StartAttempt): Promise<McpConnection> {
		const { signal } = attempt;
		let connection: McpConnection | undefined;
		try {
			connection = await this.#connect(attempt);
			this.hasAnswered = true;
			attempt.firstOf = undefined;
			this.checkAllowed(signal);
			await this.#options.list.fetch(connection, signal);
			this.checkAllowed(signal);
			if (attempt.lostBy) throw attempt.lostBy;
			return connection;
		} catch (error) {
			await connection?.close().catch(() => {});
			throw error;
		}
	}

	/** Throws if the attempt was aborted, or the server may not run any more. */
	checkAllowed(signal: AbortSignal): void {
		signal.throwIfAborted();
		const refusal = this.#options.refusal();
		if (refusal) throw refusal;
	}

	async #connect(attempt: StartAttempt): Promise<McpConnection> {
		const { connect, client, groups, limits, editorProxy, ask } = this.#context;
		const { list, log, signIn, onLost, onOffersChanged } = this.#options;
		const authorizer = await signIn.open();
		return connect(this.#launch, {
			server: this.#server,
			client,
			groups,
			redactor: () => this.redactor,
			hide: (secrets) => this.hide(secrets),
			editorProxy,
			limits,
			isFirst: !this.hasAnswered,
			signal: attempt.signal,
			onLost: (error) => onLost(attempt, error),
			onToolsChanged: () => list.refreshes.announce(),
			onOffersChanged,
			linked: this.linked,
			ask,
			onLog: (level, line) => {
				log.write(level, line);
				if (tellingLine([line]) !== undefined) attempt.lastLine = line;
			},
			...(authorizer && { authorizer }),
		});
	}
}
