import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { approvalHash, launchFacts } from '../../mcp/accepted/launchFacts.ts';
import type { Services } from '../../services.ts';
import { forbiddenServers } from '../ui/forbiddenServers.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, say, sayFailed, warn } from '../ui/messages.ts';
import { fillPanel, openPanel } from '../ui/page/pagePanel.ts';
import { confirmsEverything } from '../ui/toolCalls.ts';
import type { PendingLaunch } from './approvals.ts';
import {
	newRow,
	type ProposedAddition,
	type ReviewedFile,
	type ReviewedServer,
	type ReviewMessage,
	type ReviewRequest,
	reviewRows,
} from './reviewView.ts';

type ReviewServices = Pick<Services, 'approvals' | 'configFile' | 'mcpAccess' | 'extensionUri'>;

/** Characters of a server's name in a message. */
const nameLength = 100;

/**
 * The page that shows what the servers that wait would run, all of it in one list that scrolls, and starts those that the user approves.
 * One at most. A dialog has no room for many servers; the editor's lists cut a long command.
 */
export class ReviewPage {
	readonly #services: ReviewServices;
	#panel: vscode.WebviewPanel | undefined;
	#closed = Promise.withResolvers<void>();
	/** As they are on the page. */
	#rows: readonly ReviewedServer[] = [];
	/** The server that the user wants to see, until the page has been told. */
	#only: string | undefined;

	constructor(services: ReviewServices) {
		this.#services = services;
	}

	/** Opens the page, or brings it to the front; resolves when it is closed. `only`: the server that the user has chosen. */
	async show(only?: string): Promise<void> {
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
		const draw = () => this.#draw();
		const subscriptions = [
			this.#services.configFile.onDidChange(draw),
			this.#services.approvals.onDidChange(draw),
			this.#services.mcpAccess.onDidChange(draw),
		];
		this.#panel = panel;
		this.#closed = Promise.withResolvers();
		panel.onDidDispose(() => {
			for (const subscription of subscriptions) subscription.dispose();
			this.#close();
		});
		panel.webview.onDidReceiveMessage((request: ReviewRequest) => this.#answer(request));
		fillPanel(panel, this.#services.extensionUri, { name: 'reviewPage', title });
	}

	/** Keeps which servers the page has shown, so that the next review does not mark them as new. */
	#close(): void {
		const seen = this.#rows.filter(({ mark }) => mark !== 'approved');
		void this.#services.approvals.setReviewed(new Map(seen.map(({ name, hash }) => [name, hash])));
		this.#panel = undefined;
		this.#rows = [];
		this.#closed.resolve();
	}

	/** Shows what waits now; closes the page once nothing does. */
	#draw(): void {
		const { approvals } = this.#services;
		const pending = this.#pending();
		const folder = workspaceFolder();
		this.#rows = reviewRows(this.#rows, {
			pending,
			folder,
			isSeen: ({ name, hash }) => approvals.isReviewed(name, hash),
			isApproved: (row) => this.#isApproved(row),
			fileOf: (server) => this.#fileOf(server),
		});
		if (pending.length === 0) {
			this.#panel?.dispose();
			return;
		}
		const message: ReviewMessage = {
			view: {
				servers: this.#rows,
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
		if (request.kind === 'ready') return this.#lead();
		if (request.kind === 'back') return;
		try {
			await this.#approve(request);
		} catch (error) {
			sayFailed(error);
		}
	}

	/** Approves what was shown: what has changed since then waits, and is shown anew. */
	async #approve({ servers, trustsHints }: ReviewRequest & { kind: 'approve' }): Promise<void> {
		const pending = new Map(this.#pending().map(({ name, launch }) => [name, launch]));
		const launches = new Map<string, ServerLaunch>();
		for (const { name, hash } of servers) {
			const launch = pending.get(name);
			if (launch && approvalHash(launch) === hash) launches.set(name, launch);
			else {
				const shown = labelText(name, nameLength);
				void warn(l10n.t('{0} has changed meanwhile, and is not approved. Look at it again.', shown));
			}
		}
		await this.#services.approvals.approve(launches, trustsHints && !confirmsEverything());
		if (launches.size > 0) say(l10n.t('{0} approved.', serverCount(launches.size)));
	}

	#isApproved({ name, hash }: Pick<ReviewedServer, 'name' | 'hash'>): boolean {
		const { state } = this.#services.configFile;
		const launch = state.kind === 'ok' ? state.config.launches.get(name) : undefined;
		return launch !== undefined && approvalHash(launch) === hash;
	}

	/** Where there are several files, each has its heading; the user's own always, as its servers run in all workspaces. */
	#fileOf(server: string): ReviewedFile | undefined {
		const { configFile } = this.#services;
		const place = configFile.placeOf(server);
		if (!place || !(configFile.hasSeveral || configFile.isUsers(server))) return undefined;
		const path = vscode.workspace.asRelativePath(place.uri, false);
		return { label: configFile.labelOf(place.uri), path };
	}

	#pending(): readonly PendingLaunch[] {
		const { configFile, approvals } = this.#services;
		return approvals.pending(configFile.state);
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
	const row = newRow({ name, launch, standing: { kind: 'new' }, facts: launchFacts(launch) }, folder);
	const view = { servers: [row], folder, canBelieve: !confirmsEverything(), proposal };
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
			else end({ kind: 'approved', trustsHints: request.trustsHints && !confirmsEverything() });
		});
		fillPanel(panel, extensionUri, { name: 'reviewPage', title });
	});
}

function workspaceFolder(): string {
	return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}
