import * as vscode from 'vscode';
import { Emitter } from '../../common/event.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { Ban } from '../../mcp/serverError.ts';
import { bansBy } from './mcpAccessRules.ts';

const section = 'chat.mcp';

/** Which servers VS Code's own settings let start, an administrator's policy among them. */
export class McpAccess implements vscode.Disposable {
	readonly #changed = new Emitter<void>();
	readonly #subscription: vscode.Disposable;
	#banOf = currentBans();
	readonly onDidChange = this.#changed.event;

	constructor() {
		this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
			if (!change.affectsConfiguration(section)) return;
			this.#banOf = currentBans();
			this.#changed.fire();
		});
	}

	/** Why a server may not start, and who decided that. */
	ban(server: string, launch: ServerLaunch): Ban | undefined {
		return this.#banOf(server, launch);
	}

	dispose(): void {
		this.#subscription.dispose();
	}
}

function currentBans() {
	const settings = vscode.workspace.getConfiguration(section);
	return bansBy((key) => ({ value: settings.get(key), ...settings.inspect(key) }));
}
