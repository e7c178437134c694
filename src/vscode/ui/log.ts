import type * as vscode from 'vscode';
import { Redactor } from '../../common/secrets/redactor.ts';
import { visible } from '../../common/text.ts';
import type { LogLevel } from '../../config/config.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';

/** In the order of `vscode.LogLevel`, where 0 is off. */
const order = ['off', 'trace', 'debug', 'info', 'warn', 'error'] as const;

/**
 * Our log in the Output view. `LOG_LEVEL` in the configuration decides what is written. An extension cannot set the level of its channel, so
 * messages that the channel would hide are written at a higher level, with their own level in brackets.
 */
export class Log {
	readonly #channel: vscode.LogOutputChannel;
	readonly #redactor = new Redactor();
	/** The lowest level that is written; `undefined`: the channel decides. */
	level: LogLevel | undefined;

	constructor(channel: vscode.LogOutputChannel) {
		this.#channel = channel;
	}

	/** Hides these values in all later messages. */
	hide(secrets: Iterable<string>): void {
		this.#redactor.add(secrets);
	}

	debug(message: string): void {
		this.#write('debug', message);
	}

	info(message: string): void {
		this.#write('info', message);
	}

	warn(message: string): void {
		this.#write('warn', message);
	}

	error(message: string): void {
		this.#write('error', message);
	}

	#write(level: LogLevel, message: string): void {
		const channelLevel = shownLevel(level, this.level, this.#channel.logLevel);
		if (!channelLevel) return;
		const text = this.#redactor.hide(message);
		this.#channel[channelLevel](channelLevel === level ? text : `[${level}] ${text}`);
	}
}

/**
 * The level at which a message is written; `undefined`: not at all. `least`: from `LOG_LEVEL`. `channel`: a `vscode.LogLevel`; if the user has set
 * it to Warning, Error or Off, it is respected.
 */
export function shownLevel(
	level: LogLevel,
	least: LogLevel | undefined,
	channel: number,
): LogLevel | undefined {
	if (least === undefined) return level;
	if (order.indexOf(level) < order.indexOf(least)) return undefined;
	const isHidden = order.indexOf(level) < channel;
	return isHidden && channel <= order.indexOf('info') ? 'info' : level;
}

/** The logs of servers: one output channel each, created with the first message or when it is shown. */
export class ServerLogs {
	readonly #channels = new Map<string, vscode.LogOutputChannel>();
	readonly #open: (server: string) => vscode.LogOutputChannel;
	readonly #subscription: { dispose(): void };

	constructor({ onDidLog }: Pick<ServerPool, 'onDidLog'>, open: (server: string) => vscode.LogOutputChannel) {
		this.#open = open;
		this.#subscription = onDidLog(({ server, level, line }) => this.#channel(server)[level](logText(line)));
	}

	show(server: string): void {
		this.#channel(server).show();
	}

	dispose(): void {
		this.#subscription.dispose();
		for (const channel of this.#channels.values()) channel.dispose();
	}

	#channel(server: string): vscode.LogOutputChannel {
		const channel = this.#channels.get(server) ?? this.#open(server);
		this.#channels.set(server, channel);
		return channel;
	}
}

/** A server's output for its log. Further lines are indented, so that none looks like a log entry. */
export function logText(text: string): string {
	return visible(text)
		.trimEnd()
		.replace(/\r\n?|[\n\u2028\u2029]/g, '\n    ');
}
