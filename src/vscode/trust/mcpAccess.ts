import * as vscode from 'vscode';
import { Emitter } from '../../common/event.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { Ban } from '../../mcp/barred.ts';

const section = 'chat.mcp';

/** Which servers VS Code's own settings let start, an administrator's policy among them. What forbids some is loaded where something is set. */
export class McpAccess implements vscode.Disposable {
	readonly #changed = new Emitter<void>();
	readonly #subscription: vscode.Disposable;
	#banOf: ((server: string, launch: ServerLaunch) => Ban | undefined) | undefined;
	readonly onDidChange = this.#changed.event;

	constructor() {
		this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration(section)) void this.#read();
		});
		void this.#read();
	}

	/** Until then nothing may start. */
	get isRead(): boolean {
		return this.#banOf !== undefined;
	}

	/** Why a server may not start, and who decided that. */
	ban(server: string, launch: ServerLaunch): Ban | undefined {
		return this.#banOf?.(server, launch);
	}

	dispose(): void {
		this.#subscription.dispose();
	}

	async #read(): Promise<void> {
		const settings = vscode.workspace.getConfiguration(section);
		const isSet = ['allowedServers', 'deniedServers', 'allowManagedServersOnly'].some((key) =>
			settings.get(key),
		);
		if (isSet || settings.get('access', 'all') !== 'all') {
			const { bansBy } = await import('./mcpAccessRules.ts');
			// As they are after the wait: another change may have come.
			const now = vscode.workspace.getConfiguration(section);
			this.#banOf = bansBy((key) => ({ value: now.get(key), ...now.inspect(key) }));
		} else this.#banOf = () => undefined;
		this.#changed.fire();
	}
}
