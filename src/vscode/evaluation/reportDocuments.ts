import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../ui/ids.ts';
import { openToRead, ReadingDocuments, tabsOfScheme } from '../ui/readingEditor.ts';

/** The read-only document with the last report on search; the next one takes its place. */
export class ReportDocuments implements vscode.Disposable {
	readonly #documents = new ReadingDocuments<undefined>(ids.evaluationScheme, () =>
		l10n.t('Reports are kept until their window is closed. Run “Discovery: Evaluate Search…” again.'),
	);

	/** Shows a report in Markdown as it is to be read. */
	async show(text: string): Promise<void> {
		const earlier = tabsOfScheme(ids.evaluationScheme);
		const uri = this.#documents.add(`${l10n.t('Search Evaluation')}.md`, { text, source: undefined });
		const document = await vscode.workspace.openTextDocument(uri);
		await openToRead(document, earlier[0]?.group.viewColumn);
		await vscode.window.tabGroups.close(earlier);
	}

	dispose(): void {
		this.#documents.dispose();
	}
}
