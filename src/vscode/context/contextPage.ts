import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigFile } from '../config/configFile.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { HabitStore } from '../habits/habitStore.ts';
import { ids } from '../ids.ts';
import type { Unloads } from '../loaded/unloads.ts';
import { Pacer } from '../pacer.ts';
import type { PageMessage, PageRequest } from './messages.ts';
import { pageHtml } from './pageHtml.ts';
import { answerRequest } from './pageRequests.ts';
import { pageView } from './pageView.ts';

/** What the page shows and acts on. */
export interface ContextPageParts {
	readonly hub: DiscoveryHub;
	readonly configFile: ConfigFile;
	readonly unloads: Unloads;
	readonly habits: HabitStore;
	readonly extensionUri: vscode.Uri;
}

/** A page is drawn at most this often: it is more than a row of a tree. */
const redrawPageEveryMs = 300;

/** The page that shows what the last used chat has loaded, why, and at what price. One at most; drawn only while it is seen. */
export class ContextPage implements vscode.Disposable {
	readonly #parts: ContextPageParts;
	readonly #folder: vscode.Uri;
	readonly #pacer = new Pacer(() => this.#draw(), redrawPageEveryMs);
	readonly #subscriptions: readonly { dispose(): void }[];
	#panel: vscode.WebviewPanel | undefined;

	constructor(parts: ContextPageParts) {
		this.#parts = parts;
		this.#folder = vscode.Uri.joinPath(parts.extensionUri, 'dist');
		const changed = () => this.#pacer.request();
		this.#subscriptions = [
			this.#pacer,
			parts.hub.onDidChange(changed),
			parts.configFile.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
			parts.habits.onDidChange(changed),
		];
	}

	get isOpen(): boolean {
		return this.#panel !== undefined;
	}

	show(): void {
		if (this.#panel) this.#panel.reveal();
		else this.adopt(createPanel());
	}

	/** Fills a panel: a new one, or one that an earlier window has left. */
	adopt(panel: vscode.WebviewPanel): void {
		this.#panel?.dispose();
		this.#panel = panel;
		const { webview } = panel;
		const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.#folder, name)).toString();
		panel.iconPath = this.#icon();
		panel.onDidDispose(() => {
			if (this.#panel === panel) this.#panel = undefined;
		});
		webview.onDidReceiveMessage((request: PageRequest) => this.#answer(request));
		webview.options = { enableScripts: true, localResourceRoots: [this.#folder] };
		webview.html = pageHtml({
			title: l10n.t('Context'),
			script: file('contextPage.js'),
			style: file('contextPage.css'),
			cspSource: webview.cspSource,
			nonce: crypto.randomUUID(),
			language: vscode.env.language,
			texts: vscode.l10n.bundle,
		});
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
		this.#panel?.dispose();
	}

	/** A page that comes to the front begins anew, and says that it is ready. */
	#draw(): void {
		if (!this.#panel?.visible) return;
		const message: PageMessage = { kind: 'show', view: this.#view() };
		void this.#panel.webview.postMessage(message);
	}

	#view() {
		const { configFile } = this.#parts;
		return pageView({
			...this.#parts,
			trusted: vscode.workspace.isTrusted,
			configuration: configFile.state.kind,
		});
	}

	async #answer(request: PageRequest): Promise<void> {
		if (request.kind === 'ready') {
			this.#draw();
			return;
		}
		try {
			await answerRequest(request, this.#view(), this.#parts);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			void vscode.window.showErrorMessage(l10n.t('Discovery: {0}', reason));
		}
	}

	#icon() {
		const media = (name: string) => vscode.Uri.joinPath(this.#parts.extensionUri, 'media', name);
		return { light: media('discovery.svg'), dark: media('discovery-dark.svg') };
	}
}

function createPanel(): vscode.WebviewPanel {
	const options = { enableFindWidget: true };
	return vscode.window.createWebviewPanel(
		ids.contextPage,
		l10n.t('Context'),
		vscode.ViewColumn.Active,
		options,
	);
}
