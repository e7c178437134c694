import * as vscode from 'vscode';
import { ids } from '../ids.ts';

const uri = vscode.Uri.from({ scheme: ids.evaluationScheme, path: '/Search Evaluation.md' });

/** The read-only document with the last report on search; the next one takes its place. */
export class ReportDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<vscode.Uri>();
	readonly onDidChange = this.#changed.event;
	readonly #registration = vscode.workspace.registerTextDocumentContentProvider(ids.evaluationScheme, this);
	#text = 'Reports are kept until their window is closed. Run “Discovery: Evaluate Search…” again.\n';

	/** Shows a report in Markdown as it is to be read. */
	async show(text: string): Promise<void> {
		this.#text = text;
		this.#changed.fire(uri);
		await vscode.workspace.openTextDocument(uri);
		await vscode.commands.executeCommand('markdown.showPreview', uri);
	}

	provideTextDocumentContent(): string {
		return this.#text;
	}

	dispose(): void {
		this.#registration.dispose();
		this.#changed.dispose();
	}
}
