import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import { assertNever } from '../../common/assertNever.ts';
import type { AgentUses } from '../../gateway/agentUses.ts';
import type { RunAction } from '../actions/action.ts';
import type { Configuration } from '../core/configuration.ts';
import type { UndoHistory } from '../core/undo.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { commandTitle, showError, turnOnTitle } from '../ui/messages.ts';
import { fillPanel, openPanel } from '../ui/page/pagePanel.ts';
import { pageTabs } from '../ui/readingEditor.ts';
import { saveAs } from '../ui/savedFiles.ts';
import { Throttle } from '../ui/throttle.ts';
import {
	type CommandTitles,
	type PageMessage,
	type PageRequest,
	type PageView,
	pageActions,
	pageView,
} from './pageView.ts';

function commandTitles(): CommandTitles {
	const titles = pageActions.map((name) => [name, commandTitle(commands[name])]);
	// The manifest has no titles of these.
	const others = { enableDiscovery: turnOnTitle(), trust: l10n.t('Manage Workspace Trust') };
	return { ...Object.fromEntries(titles), ...others };
}

/** `view`: the page's current content. */
async function answerRequest(
	request: Exclude<PageRequest, { kind: 'ready' }>,
	view: PageView,
	{ run, agents, undo }: Pick<ContextPageServices, 'run' | 'agents' | 'undo'>,
): Promise<void> {
	switch (request.kind) {
		case 'export':
			if (view.kind !== 'report') return;
			return saveAs({
				title: l10n.t('Export Context as JSON'),
				name: 'discovery-context.json',
				bytes: Buffer.from(`${JSON.stringify(view.report, undefined, '\t')}\n`),
			});
		case 'connect':
		case 'disconnect': {
			const { kind, agent } = request;
			agents.setDisconnected(agent, kind === 'disconnect');
			undo.push({
				label:
					kind === 'disconnect'
						? l10n.t('disconnect {0}', labelText(agent))
						: l10n.t('connect {0}', labelText(agent)),
				undo: () => agents.setDisconnected(agent, kind === 'connect'),
			});
			return;
		}
		case 'run':
			if (request.command === 'trust') await vscode.commands.executeCommand('workbench.trust.manage');
			else await run(request.command, request.on);
			return;
		default:
			assertNever(request);
	}
}

type ContextPageServices = {
	readonly sessions: ChatSessions;
	readonly configFile: Configuration;
	readonly agents: AgentUses;
	readonly undo: UndoHistory;
	readonly extensionUri: vscode.Uri;
	readonly run: RunAction;
};

/** Shortest time between two drawings, in milliseconds. The page takes longer to draw than a view. */
const redrawPageEveryMs = 300;

/** The page that shows what the last used chat loaded, why, and at what cost. There is at most one, drawn only while visible. */
export class ContextPage implements vscode.Disposable {
	readonly #services: ContextPageServices;
	readonly #redraw = new Throttle(() => this.#draw(), redrawPageEveryMs);
	readonly #subscriptions: readonly { dispose(): void }[];
	#panel: vscode.WebviewPanel | undefined;

	constructor(services: ContextPageServices) {
		this.#services = services;
		const changed = () => this.#redraw.request();
		this.#subscriptions = [
			this.#redraw,
			services.sessions.onDidChange(changed),
			services.agents.onDidChange(changed),
			services.configFile.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	/** Opens the page, or brings it to the front. */
	async show(): Promise<void> {
		if (this.#panel) return this.#panel.reveal();
		// Tabs from before a reload, whose panels VS Code makes only when they are opened.
		await vscode.window.tabGroups.close(pageTabs(ids.contextPage));
		this.adopt(openPanel(ids.contextPage, l10n.t('Context')));
	}

	/** Fills a new panel, or a panel that an earlier window left. */
	adopt(panel: vscode.WebviewPanel): void {
		this.#panel?.dispose();
		this.#panel = panel;
		panel.onDidDispose(() => {
			if (this.#panel === panel) this.#panel = undefined;
		});
		panel.webview.onDidReceiveMessage((request: PageRequest) => this.#answer(request));
		fillPanel(panel, this.#services.extensionUri, { name: 'contextPage', title: l10n.t('Context') });
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
		this.#panel?.dispose();
	}

	/** Draws the page while it is visible. VS Code reloads a page that becomes visible, and the page then reports that it is ready. */
	#draw(): void {
		if (!this.#panel?.visible) return;
		const message: PageMessage = { view: this.#view(), titles: commandTitles() };
		void this.#panel.webview.postMessage(message);
	}

	#view() {
		const { configFile } = this.#services;
		return pageView({
			...this.#services,
			isTrusted: vscode.workspace.isTrusted,
			configuration: configFile.state.kind,
		});
	}

	async #answer(request: PageRequest): Promise<void> {
		if (request.kind === 'ready') {
			this.#draw();
			return;
		}
		try {
			await answerRequest(request, this.#view(), this.#services);
		} catch (error) {
			showError(error);
		}
	}
}
