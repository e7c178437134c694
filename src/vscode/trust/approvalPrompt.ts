import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigFile } from '../config/configFile.ts';
import { commands } from '../ids.ts';
import { approvalMessage } from './approvalMessage.ts';
import type { Approvals } from './approvals.ts';
import { type PendingServer, pendingServers } from './pendingServers.ts';

/** Which servers wait, and for whom. */
interface PromptParts {
	readonly approvals: Approvals;
	readonly configFile: ConfigFile;
}

/** Says once of each server that it waits for approval, and leads to the review. */
export class ApprovalPrompt implements vscode.Disposable {
	readonly #parts: PromptParts;
	/** By what was asked of: a server that changes again is asked of again. */
	readonly #asked = new Set<string>();
	/** Names of servers of which somebody else is about to tell. */
	readonly #expected = new Set<string>();
	readonly #subscriptions: vscode.Disposable;

	constructor(parts: PromptParts) {
		this.#parts = parts;
		const look = () => this.#look();
		this.#subscriptions = vscode.Disposable.from(
			parts.configFile.onDidChange(look),
			vscode.workspace.onDidGrantWorkspaceTrust(look),
		);
	}

	/** Leaves it to the caller to lead to the review of servers that it is about to write. */
	expect(names: Iterable<string>): void {
		for (const name of names) this.#expected.add(name);
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}

	#look(): void {
		if (!vscode.workspace.isTrusted) return;
		const { configFile, approvals } = this.#parts;
		const pending = pendingServers(configFile.state, approvals);
		const fresh = pending.filter(({ name, facts }) => this.#isNews(name, JSON.stringify([name, facts])));
		if (fresh.length > 0) void ask(fresh);
	}

	#isNews(name: string, key: string): boolean {
		if (this.#asked.has(key)) return false;
		this.#asked.add(key);
		return !this.#expected.delete(name);
	}
}

async function ask(servers: readonly PendingServer[]): Promise<void> {
	const review = l10n.t('Review…');
	const chosen = await vscode.window.showInformationMessage(approvalMessage(servers), review);
	if (chosen === review) await vscode.commands.executeCommand(commands.reviewServers);
}
