import * as vscode from 'vscode';
import { pageHtml } from './pageHtml.ts';

/** A page that the extension shows in a panel. */
interface Page {
	/** Of its script and style in `dist`. */
	readonly name: string;
	readonly title: string;
}

/** Opens an empty panel where the user is; `viewType`: its kind, by which the editor tells panels apart. */
export function openPanel(viewType: string, title: string): vscode.WebviewPanel {
	return vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
		enableFindWidget: true,
	});
}

/** Gives a panel its icon, its rights, and the page that its script fills. */
export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, { name, title }: Page): void {
	const { webview } = panel;
	const folder = vscode.Uri.joinPath(extensionUri, 'dist');
	const bundled = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
	panel.iconPath = new vscode.ThemeIcon('zoom-in');
	webview.options = { enableScripts: true, localResourceRoots: [folder] };
	webview.html = pageHtml({
		title,
		script: bundled(`${name}.js`),
		style: bundled(`${name}.css`),
		cspSource: webview.cspSource,
		nonce: crypto.randomUUID(),
		language: vscode.env.language,
		texts: vscode.l10n.bundle,
	});
}
