import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../ui/ids.ts';
import { openToRead, tabsOfScheme } from '../ui/readingEditor.ts';

/** The read-only document with the last report on search; the next one takes its place. */
export class ReportDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #registration = vscode.workspace.registerTextDocumentContentProvider(ids.evaluationScheme, this);
	#last: { readonly uri: vscode.Uri; readonly text: string } | undefined;

	/** Shows a report in Markdown as it is to be read. Each is a document of its own: a preview may go on showing what it has of one. */
	async show(text: string): Promise<void> {
		const earlier = tabsOfScheme(ids.evaluationScheme);
		const path = `/${l10n.t('Search Evaluation')}.md`;
		const uri = vscode.Uri.from({ scheme: ids.evaluationScheme, path, query: crypto.randomUUID() });
		this.#last = { uri, text };
		const document = await vscode.workspace.openTextDocument(uri);
		await openToRead(document, earlier[0]?.group.viewColumn);
		await vscode.window.tabGroups.close(earlier);
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		if (this.#last?.uri.toString() === uri.toString()) return this.#last.text;
		// The editor opens them anew with the window, in which nothing of them is left.
		return `${l10n.t('Reports are kept until their window is closed. Run “Discovery: Evaluate Search…” again.')}\n`;
	}

	dispose(): void {
		this.#registration.dispose();
	}
}
