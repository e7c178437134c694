import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { logText } from './labelText.ts';

/** One output channel a server, made when the server first has something to say or its log is asked for. */
export class ServerLogs implements vscode.Disposable {
	readonly #channels = new Map<string, vscode.LogOutputChannel>();
	readonly #subscription: { dispose(): void };

	constructor(pool: ServerPool) {
		this.#subscription = pool.onDidLog(({ server, level, line }) =>
			this.#channel(server)[level](logText(line)),
		);
	}

	show(server: string): void {
		this.#channel(server).show();
	}

	dispose(): void {
		this.#subscription.dispose();
		for (const channel of this.#channels.values()) channel.dispose();
	}

	#channel(server: string): vscode.LogOutputChannel {
		let channel = this.#channels.get(server);
		if (!channel) {
			channel = vscode.window.createOutputChannel(l10n.t('Discovery: {0}', server), { log: true });
			this.#channels.set(server, channel);
		}
		return channel;
	}
}
