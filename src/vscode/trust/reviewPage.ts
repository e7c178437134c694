import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { writtenOut } from '../../common/exactText.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash } from '../../mcp/accepted/launchFacts.ts';
import type { Approvals, PendingServer } from '../core/approvals.ts';
import type { FollowedFile } from '../core/configState.ts';
import type { Configuration } from '../core/configuration.ts';
import type { McpAccess } from '../core/mcpAccess.ts';
import type { Switches } from '../core/switches.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, say, showError, warn } from '../ui/messages.ts';
import { fillPanel, openPanel } from '../ui/page/pagePanel.ts';
import { confirmsEverything } from '../ui/toolCalls.ts';
import {
	type FileHeading,
	type ReviewMessage,
	type ReviewRequest,
	reviewedFiles,
	type ShownServer,
} from './reviewView.ts';

type ReviewServices = {
	readonly approvals: Approvals;
	readonly mcpAccess: McpAccess;
	readonly switches: Switches;
	readonly configFile: Configuration;
	/** Disables servers in this workspace only: other people may use the file, too. */
	readonly disable: (servers: readonly string[]) => Promise<void>;
	readonly extensionUri: vscode.Uri;
};

/**
 * The page that shows what unapproved servers would run, and starts the servers that the user approves. There is at most one. A dialog has no room for
 * many servers, and the editor's lists truncate long commands.
 */
export class ReviewPage {
	readonly #services: ReviewServices;
	#panel: vscode.WebviewPanel | undefined;
	#closed = Promise.withResolvers<void>();
	/** Servers that the page has shown: name → hash of the launch. */
	#shownHashes = new Map<string, string>();
	/** Servers that the user does not want to decide on now: name → hash of the launch. */
	#postponed = new Map<string, string>();
	/** Servers that the user has chosen, until the page has shown them. */
	#chosen: readonly string[] = [];

	constructor(services: ReviewServices) {
		this.#services = services;
	}

	/** Opens the page, or brings it to the front; resolves when it is closed. `chosen`: servers that the user has chosen; empty: none in particular. */
	async show(chosen: readonly string[]): Promise<void> {
		const { configFile, mcpAccess } = this.#services;
		this.#postponed.clear();
		if (!this.#pending().some(({ name }) => chosen.length === 0 || chosen.includes(name))) {
			const [forbidden] = mcpAccess.forbidden(configFile).texts;
			void notify(forbidden ?? l10n.t('no server needs approval.'));
			return;
		}
		this.#chosen = chosen;
		if (this.#panel?.visible) this.#drawInFront();
		this.#panel?.reveal();
		if (!this.#panel) this.#open();
		await this.#closed.promise;
	}

	#open(): void {
		const title = dialogTitle(commands.reviewServers);
		const panel = openPanel(ids.reviewPage, title);
		const { configFile, approvals, mcpAccess, switches } = this.#services;
		const subscriptions = [configFile, approvals, mcpAccess, switches].map(({ onDidChange }) =>
			onDidChange(() => this.#draw()),
		);
		this.#panel = panel;
		this.#closed = Promise.withResolvers();
		panel.onDidDispose(() => {
			for (const subscription of subscriptions) subscription.dispose();
			this.#close();
		});
		panel.webview.onDidReceiveMessage((request: ReviewRequest) => this.#answer(request));
		fillPanel(panel, this.#services.extensionUri, { name: 'reviewPage', title });
	}

	/** Remembers which servers the page has shown, so that the next review does not mark them as new. */
	#close(): void {
		void this.#services.approvals.setReviewed(this.#shownHashes);
		this.#panel = undefined;
		this.#shownHashes = new Map();
		this.#postponed.clear();
		this.#closed.resolve();
	}

	/** Shows the servers that need approval, and closes the page when none does. */
	#draw(): void {
		const { configFile, approvals, mcpAccess } = this.#services;
		const pending = this.#pending();
		if (pending.length === 0) {
			this.#panel?.dispose();
			return;
		}
		const folder = workspaceFolder();
		const files = reviewedFiles({
			pending: pending.map((server) => ({ ...server, file: headingOf(server.file) })),
			folder,
			isSeen: ({ name, hash }) => approvals.isReviewed(name, hash),
		});
		for (const { name, hash } of files.flatMap(({ servers }) => servers)) this.#shownHashes.set(name, hash);
		const message: ReviewMessage = {
			view: {
				files,
				folder,
				canBelieve: !confirmsEverything(),
				forbidden: mcpAccess.forbidden(configFile).texts,
			},
			...(this.#chosen.length > 0 && { select: this.#chosen }),
		};
		void this.#panel?.webview.postMessage(message);
	}

	/** Draws a page that has come to the front; hidden pages lose their content. Scrolls to the chosen servers only once. */
	#drawInFront(): void {
		this.#draw();
		this.#chosen = [];
	}

	async #answer(request: ReviewRequest): Promise<void> {
		try {
			switch (request.kind) {
				case 'ready':
					return this.#drawInFront();
				case 'approve':
					return await this.#approve(request.servers, request.trustsHints);
				case 'postpone':
					for (const { name, hash } of request.servers) this.#postponed.set(name, hash);
					return this.#draw();
				case 'disable':
					return await this.#services.disable(request.servers.map(({ name }) => name));
			}
		} catch (error) {
			showError(error);
		}
	}

	/** Approves what was shown. A server that has changed since is shown again. */
	async #approve(servers: readonly ShownServer[], trustsHints: boolean): Promise<void> {
		const pending = new Map(this.#pending().map(({ name, launch }) => [name, launch]));
		const launches = new Map<string, ServerLaunch>();
		for (const { name, hash } of servers) {
			const launch = pending.get(name);
			if (launch && approvalHash(launch) === hash) launches.set(name, launch);
			else {
				const label = labelText(name);
				void warn(l10n.t('{0} has changed and is not approved. Review it again.', label));
			}
		}
		await this.#services.approvals.approve(launches, trustsHints && !confirmsEverything());
		// Not a notification: it would cover the chat, where the user goes next.
		if (launches.size > 0) say(l10n.t('{0} approved.', serverCount(launches.size)));
	}

	#pending(): readonly PendingServer[] {
		const { configFile, approvals } = this.#services;
		return approvals
			.pending(configFile.state)
			.filter(({ name, launch }) => this.#postponed.get(name) !== approvalHash(launch));
	}
}

function headingOf({ label, place: { uri, folder } }: FollowedFile): FileHeading {
	return {
		label: writtenOut(label),
		path: writtenOut(vscode.workspace.asRelativePath(uri, false)),
		isUsers: !folder,
	};
}

function workspaceFolder(): string {
	return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}
