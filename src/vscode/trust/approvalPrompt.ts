import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigFile } from '../config/configFile.ts';
import type { Welcome } from '../participant/welcome.ts';
import { commands } from '../ui/ids.ts';
import type { Approvals } from './approvals.ts';
import { ApprovalNews, approvalMessage, type PendingServer, pendingServers } from './approvals.ts';

/** Which servers wait, and who may tell of them in our place. */
interface PromptParts {
	readonly approvals: Approvals;
	readonly configFile: ConfigFile;
	readonly welcome: Pick<Welcome, 'greet'>;
}

/** Says once of each server that it waits for approval, and leads to the review. */
export class ApprovalPrompt implements vscode.Disposable {
	readonly #parts: PromptParts;
	readonly #news = new ApprovalNews();
	readonly #subscriptions: vscode.Disposable;

	constructor(parts: PromptParts) {
		this.#parts = parts;
		const look = () => {
			const fresh = this.#fresh();
			if (fresh.length > 0) void this.#ask(fresh);
		};
		const approvals = parts.approvals.onDidChange(() => {
			// Who has just withdrawn an approval knows that the server waits.
			this.#fresh();
		});
		this.#subscriptions = vscode.Disposable.from(
			parts.configFile.onDidChange(look),
			vscode.workspace.onDidGrantWorkspaceTrust(look),
			{ dispose: () => approvals.dispose() },
		);
	}

	/** Leaves it to the caller to lead to the review of servers that it writes, until what it returns is disposed. */
	expect(names: readonly string[]): { dispose(): void } {
		return this.#news.expect(names);
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}

	#fresh(): readonly PendingServer[] {
		if (!vscode.workspace.isTrusted) return [];
		const { configFile, approvals } = this.#parts;
		return this.#news.take(pendingServers(configFile.state, approvals));
	}

	async #ask(servers: readonly PendingServer[]): Promise<void> {
		if (await this.#parts.welcome.greet()) return;
		const review = l10n.t('Review…');
		const chosen = await vscode.window.showInformationMessage(approvalMessage(servers), review);
		if (chosen === review) await vscode.commands.executeCommand(commands.reviewServers);
	}
}
