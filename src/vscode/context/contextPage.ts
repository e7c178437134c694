import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import { assertNever } from '../../common/assertNever.ts';
import type { ProposalSource } from '../../discovery/habits/rules.ts';
import type { ContextReport } from '../../discovery/report.ts';
import type { Services } from '../../services.ts';
import { commands, ids } from '../ui/ids.ts';
import { sayFailed } from '../ui/messages.ts';
import { toolNodes } from '../ui/nodes.ts';
import { pageHtml } from '../ui/page/pageHtml.ts';
import { Throttle } from '../ui/throttle.ts';
import {
	type ExportFormat,
	type PageCommand,
	type PageMessage,
	type PageRequest,
	type PageView,
	pageView,
} from './pageView.ts';
import { timelineCsv } from './timelineCsv.ts';

function titleOf(format: ExportFormat): string {
	return format === 'json' ? l10n.t('Export Context as JSON') : l10n.t('Export Timeline as CSV');
}

/** Asks where to, and writes there: the whole report as JSON, or its timeline as CSV. Cancelled, nothing happens. */
export async function exportContext(report: ContextReport, format: ExportFormat): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = `discovery-context.${format}`;
	const uri = await vscode.window.showSaveDialog({
		title: titleOf(format),
		filters: { [format.toUpperCase()]: [format] },
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
	});
	if (!uri) return;
	const options = { location: vscode.ProgressLocation.Window, title: l10n.t('Exporting the context…') };
	await vscode.window.withProgress(options, () => writeContext(uri, report, format));
	vscode.window.setStatusBarMessage(
		l10n.t('Discovery: exported to {0}.', vscode.workspace.asRelativePath(uri)),
		5000,
	);
}

/** Writes the file, over what was there. */
export async function writeContext(
	uri: vscode.Uri,
	report: ContextReport,
	format: ExportFormat,
): Promise<void> {
	const text =
		format === 'json' ? `${JSON.stringify(report, undefined, '\t')}\n` : timelineCsv(report.timeline);
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** What requests of the page act on. */
interface RequestParts {
	readonly sessions: ChatSessions;
	readonly habits: ProposalSource;
}

const commandIds: Readonly<Record<PageCommand, string>> = {
	ask: commands.ask,
	createConfig: commands.createConfig,
	importServers: commands.importServers,
	openConfig: commands.openConfig,
	openWalkthrough: commands.openWalkthrough,
	enableDiscovery: commands.enableDiscovery,
	trust: 'workbench.trust.manage',
};

/** Does what the page asks for. What acts on tools goes through the same commands as everywhere else. `view`: what there is now. */
export async function answerRequest(
	request: Exclude<PageRequest, { kind: 'ready' }>,
	view: PageView,
	{ sessions, habits }: RequestParts,
): Promise<void> {
	switch (request.kind) {
		case 'export':
			if (view.kind === 'report') await exportContext(view.report, request.format);
			return;
		case 'unload':
			return onTool(sessions, request.wireName, commands.unloadTool);
		case 'pin':
			return onTool(sessions, request.wireName, commands.pinTool);
		case 'undo':
			await vscode.commands.executeCommand(commands.undoUnload);
			return;
		case 'take':
		case 'dismiss': {
			const suggestion = habits.suggestions().find(({ id }) => id === request.id);
			if (suggestion) await habits[request.kind](suggestion);
			return;
		}
		case 'run':
			await vscode.commands.executeCommand(commandIds[request.command]);
			return;
		default:
			assertNever(request);
	}
}

/** A tool that has gone meanwhile is left alone. */
async function onTool(sessions: ChatSessions, wireName: string, command: string): Promise<void> {
	const node = toolNodes(sessions).find(({ tool }) => tool.wireName === wireName);
	if (node) await vscode.commands.executeCommand(command, node);
}

/** What the page shows and acts on. */
export type ContextPageParts = Pick<Services, 'sessions' | 'configFile' | 'undo' | 'habits' | 'extensionUri'>;

/** A page is drawn at most this often: it is more than a row of a tree. */
const redrawPageEveryMs = 300;

/** The page that shows what the last used chat has loaded, why, and at what price. One at most; drawn only while it is seen. */
export class ContextPage implements vscode.Disposable {
	readonly #parts: ContextPageParts;
	readonly #folder: vscode.Uri;
	readonly #pacer = new Throttle(() => this.#draw(), redrawPageEveryMs);
	readonly #subscriptions: readonly { dispose(): void }[];
	#panel: vscode.WebviewPanel | undefined;

	constructor(parts: ContextPageParts) {
		this.#parts = parts;
		this.#folder = vscode.Uri.joinPath(parts.extensionUri, 'dist');
		const changed = () => this.#pacer.request();
		this.#subscriptions = [
			this.#pacer,
			parts.sessions.onDidChange(changed),
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
			sayFailed(error);
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
