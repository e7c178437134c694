import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../ui/ids.ts';
import { notify } from '../ui/messages.ts';
import { pageTabs } from '../ui/readingEditor.ts';
import { ApprovalNews, approvalMessage } from './approvalNews.ts';
import type { Approvals, PendingServer } from './approvals.ts';
import type { Configuration } from './configuration.ts';
import type { McpAccess } from './mcpAccess.ts';
import type { Switches } from './switches.ts';

interface PromptServices {
	readonly configFile: Configuration;
	readonly approvals: Approvals;
	readonly switches: Switches;
	readonly mcpAccess: McpAccess;
	/** Opens the review. */
	readonly review: () => Promise<void>;
}

/** Notifies once about each server that needs approval, and leads to the review. */
export class ApprovalPrompt implements vscode.Disposable {
	readonly #services: PromptServices;
	readonly #news = new ApprovalNews();
	readonly #subscriptions: vscode.Disposable;

	constructor(services: PromptServices) {
		this.#services = services;
		const look = () => {
			const fresh = this.#fresh();
			if (fresh.length > 0) void this.#ask(fresh);
		};
		const approvals = services.approvals.onDidChange(() => {
			// The user who has just revoked an approval need not be told.
			this.#fresh();
		});
		this.#subscriptions = vscode.Disposable.from(
			services.configFile.onDidChange(look),
			vscode.workspace.onDidGrantWorkspaceTrust(look),
			{ dispose: () => approvals.dispose() },
			services.switches.onDidChange(look),
			services.mcpAccess.onDidChange(look),
		);
	}

	/** While the result is in scope, the caller itself opens the review of these servers. */
	expect(names: readonly string[]): Disposable {
		return this.#news.expect(names);
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}

	#fresh(): readonly PendingServer[] {
		if (!vscode.workspace.isTrusted) return [];
		const { configFile, approvals } = this.#services;
		return this.#news.take(approvals.pending(configFile.state));
	}

	/** An open review already asks. */
	async #ask(servers: readonly PendingServer[]): Promise<void> {
		if (pageTabs(ids.reviewPage).length > 0) return;
		const review = l10n.t('Review…');
		const { isDamaged } = this.#services.approvals;
		const chosen = await notify(approvalMessage(servers, isDamaged), review);
		if (chosen === review) await this.#services.review();
	}
}
