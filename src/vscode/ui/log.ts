import type * as vscode from 'vscode';
import { Redactor } from '../../common/secrets/redactor.ts';
import type { LogLevel } from '../../config/config.ts';

/** Levels in the order of `vscode.LogLevel`, whose 0 is off. */
const order = ['off', 'trace', 'debug', 'info', 'warn', 'error'] as const;

/**
 * Our log in the editor's Output view. `LOG_LEVEL` rules what is written, where the configuration gives it; an extension cannot set the
 * level of its channel, so what that would hide is written one or two levels up and says so.
 */
export class Log {
	readonly #channel: vscode.LogOutputChannel;
	/** Secrets that are known; those that look so are hidden anyway. */
	readonly #secrets = new Set<string>();
	#redactor = new Redactor();
	/** The least level that is written; `undefined`: as the channel is set. */
	level: LogLevel | undefined;

	constructor(channel: vscode.LogOutputChannel) {
		this.#channel = channel;
	}

	/** Hides these values in all that is written from now on. */
	hide(secrets: Iterable<string>): void {
		const known = this.#secrets.size;
		for (const secret of secrets) this.#secrets.add(secret);
		if (this.#secrets.size > known) this.#redactor = new Redactor(this.#secrets);
	}

	debug(message: string): void {
		this.#write('debug', message);
	}

	warn(message: string): void {
		this.#write('warn', message);
	}

	error(message: string): void {
		this.#write('error', message);
	}

	#write(level: LogLevel, message: string): void {
		const shown = shownLevel(level, this.level, this.#channel.logLevel);
		if (!shown) return;
		const text = this.#redactor.hide(message);
		this.#channel[shown](shown === level ? text : `[${level}] ${text}`);
	}
}

/**
 * The level at which a message is written, or nothing. `least`: that of `LOG_LEVEL`. `channel`: a `vscode.LogLevel`; who has set the
 * channel to warnings or less, or off, in the editor sees no more than that.
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
