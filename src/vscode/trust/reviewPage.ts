import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash } from '../../mcp/accepted/launchFacts.ts';
import type { Services } from '../../services.ts';
import { forbiddenServers } from '../ui/forbiddenServers.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, say, sayFailed, warn } from '../ui/messages.ts';
import { fillPanel, openPanel } from '../ui/page/pagePanel.ts';
import { confirmsEverything } from '../ui/toolCalls.ts';
import type { PendingLaunch } from './approvals.ts';
import {
	type ProposedAddition,
	type ReviewedFile,
	type ReviewMessage,
	type ReviewRequest,
	reviewedFiles,
	reviewedServer,
	type ShownServer,
} from './reviewView.ts';

type ReviewServices = Pick<Services, 'trust' | 'configFile' | 'undo' | 'storage'>;

/** Characters of a server's name in a message. */
const nameLength = 100;

/**
 * The page that shows what the servers that wait would run, all of it in one table, and starts those that the user approves. One at most.
 * A dialog has no room for many servers; the editor's lists cut a long command.
 */
export class ReviewPage {
	readonly #services: ReviewServices;
	#panel: vscode.WebviewPanel | undefined;
	#closed = Promise.withResolvers<void>();
	/** What the page has shown, by name the hash. */
	#shown = new Map<string, string>();
	/** What the user does not want to decide now, likewise; the rest of the review goes on without it. */
	#postponed = new Map<string, string>();
	/** The server that the user wants to see, until the page has been told. */
	#only: string | undefined;

	constructor(services: ReviewServices) {
		this.#services = services;
	}

	/** Opens the page, or brings it to the front; resolves when it is closed. `only`: the server that the user has chosen. */
	async show(only?: string): Promise<void> {
		this.#postponed.clear();
		if (!this.#pending().some(({ name }) => only === undefined || name === only)) {
			const [forbidden] = forbiddenServers(this.#services).texts;
			void notify(forbidden ?? l10n.t('no server needs approval.'));
			return;
		}
		this.#only = only;
		if (this.#panel?.visible) this.#lead();
		this.#panel?.reveal();
		if (!this.#panel) this.#open();
		await this.#closed.promise;
	}

	#open(): void {
		const title = dialogTitle(commands.reviewServers);
		const panel = openPanel(ids.reviewPage, title);
		const {
			configFile,
			trust: { approvals, mcpAccess, switches },
		} = this.#services;
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
		fillPanel(panel, this.#services.storage.extensionUri, { name: 'reviewPage', title });
	}

	/** Keeps which servers the page has shown, so that the next review does not mark them as new. */
	#close(): void {
		void this.#services.trust.approvals.setReviewed(this.#shown);
		this.#panel = undefined;
		this.#shown = new Map();
		this.#postponed.clear();
		this.#closed.resolve();
	}

	/** Shows what waits now; closes the page once nothing does. */
	#draw(): void {
		const {
			trust: { approvals },
		} = this.#services;
		const pending = this.#pending();
		if (pending.length === 0) {
			this.#panel?.dispose();
			return;
		}
		const folder = workspaceFolder();
		const files = reviewedFiles({
			pending,
			folder,
			isSeen: ({ name, hash }) => approvals.isReviewed(name, hash),
			fileOf: (server) => this.#fileOf(server),
		});
		for (const { name, hash } of files.flatMap(({ servers }) => servers)) this.#shown.set(name, hash);
		const message: ReviewMessage = {
			view: {
				files,
				folder,
				canBelieve: !confirmsEverything(),
				forbidden: forbiddenServers(this.#services).texts,
			},
			...(this.#only !== undefined && { only: this.#only }),
		};
		void this.#panel?.webview.postMessage(message);
	}

	/** Draws a page that has come to the front, and shows the server that the user has chosen once. Hidden pages are not kept: they start again. */
	#lead(): void {
		this.#draw();
		this.#only = undefined;
	}

	async #answer(request: ReviewRequest): Promise<void> {
		try {
			switch (request.kind) {
				case 'ready':
					return this.#lead();
				case 'approve':
					return await this.#approve(request.servers, request.trustsHints);
				case 'postpone':
					for (const { name, hash } of request.servers) this.#postponed.set(name, hash);
					return this.#draw();
				case 'disable':
					return await this.#disable(request.servers.map(({ name }) => name));
			}
		} catch (error) {
			sayFailed(error);
		}
	}

	/** Approves what was shown: what has changed since then waits, and is shown anew. */
	async #approve(servers: readonly ShownServer[], trustsHints: boolean): Promise<void> {
		const pending = new Map(this.#pending().map(({ name, launch }) => [name, launch]));
		const launches = new Map<string, ServerLaunch>();
		for (const { name, hash } of servers) {
			const launch = pending.get(name);
			if (launch && approvalHash(launch) === hash) launches.set(name, launch);
			else {
				const shown = labelText(name, nameLength);
				void warn(l10n.t('{0} has changed and is not approved. Review it again.', shown));
			}
		}
		await this.#services.trust.approvals.approve(launches, trustsHints && !confirmsEverything());
		if (launches.size > 0) say(l10n.t('{0} approved.', serverCount(launches.size)));
	}

	/** In this workspace: the file may be that of other people, too. */
	async #disable(servers: readonly string[]): Promise<void> {
		const {
			trust: { switches },
			undo,
		} = this.#services;
		const before = servers.map((server) => [{ server }, switches.get({ server })] as const);
		await switches.set(servers.map((server) => [{ server }, true]));
		const [name = ''] = servers;
		const shown = servers.length === 1 ? labelText(name, nameLength) : serverCount(servers.length);
		undo.push({ what: l10n.t('disable {0}', shown), holds: () => true, undo: () => switches.set(before) });
		say(l10n.t('{0} disabled in this workspace.', shown));
	}

	#fileOf(server: string): Omit<ReviewedFile, 'servers'> {
		const { configFile } = this.#services;
		const place = configFile.placeOf(server);
		return {
			label: place ? configFile.labelOf(place.uri) : '',
			path: place ? vscode.workspace.asRelativePath(place.uri, false) : '',
			isUsers: configFile.isUsers(server) ?? false,
		};
	}

	#pending(): readonly PendingLaunch[] {
		const {
			configFile,
			trust: { approvals },
		} = this.#services;
		return approvals
			.pending(configFile.state)
			.filter(({ name, launch }) => this.#postponed.get(name) !== approvalHash(launch));
	}
}

/** A server that is to be added, with how it would be started. */
export interface ProposedServer extends ProposedAddition {
	readonly name: string;
	readonly launch: ServerLaunch;
}

/** What the user says to a server that is to be added. */
export type ProposalAnswer =
	| { readonly kind: 'approved'; readonly trustsHints: boolean }
	| { readonly kind: 'back' }
	| { readonly kind: 'cancelled' };

/** The page of the server that is proposed at the moment. */
let proposed: vscode.WebviewPanel | undefined;

/**
 * Shows what a server would run that is not in the configuration yet, as the review does, and asks whether to add and start it. One at a time:
 * who adds another one without an answer has given this one up, and two pages of one title could not be told apart.
 */
export function reviewProposal(
	{ name, launch, ...proposal }: ProposedServer,
	extensionUri: vscode.Uri,
): Promise<ProposalAnswer> {
	const title = dialogTitle(commands.addServer);
	proposed?.dispose();
	const panel = openPanel(ids.proposalPage, title);
	proposed = panel;
	const folder = workspaceFolder();
	const server = reviewedServer({ name, launch, standing: { kind: 'new' } }, folder);
	const file = { label: '', path: proposal.file, isUsers: false, servers: [server] };
	const view = { files: [file], folder, canBelieve: !confirmsEverything(), proposal };
	return new Promise((resolve) => {
		const end = (answer: ProposalAnswer) => {
			resolve(answer);
			panel.dispose();
		};
		panel.onDidDispose(() => {
			if (proposed === panel) proposed = undefined;
			resolve({ kind: 'cancelled' });
		});
		panel.webview.onDidReceiveMessage((request: ReviewRequest) => {
			if (request.kind === 'ready')
				void panel.webview.postMessage({ view, only: name } satisfies ReviewMessage);
			else if (request.kind === 'back') end({ kind: 'back' });
			else if (request.kind === 'approve')
				end({ kind: 'approved', trustsHints: request.trustsHints && !confirmsEverything() });
		});
		fillPanel(panel, extensionUri, { name: 'reviewPage', title });
	});
}

function workspaceFolder(): string {
	return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}
