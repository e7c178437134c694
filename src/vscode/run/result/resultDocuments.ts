import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../../ids.ts';
import { activeUri, openToRead } from '../../readingEditor.ts';
import { baseName } from './fileNames.ts';
import type { ResultDocument } from './resultDocument.ts';

/** What is kept with an open result. */
export interface KeptResult<T> {
	readonly document: ResultDocument;
	/** What it was made of. */
	readonly source: T;
}

/** Read-only documents with results, kept as long as their editors are open. */
export class ResultDocuments<T> implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #kept = new Map<string, KeptResult<T>>();
	readonly #subscriptions: readonly vscode.Disposable[];

	constructor() {
		this.#subscriptions = [
			vscode.workspace.registerTextDocumentContentProvider(ids.resultScheme, this),
			vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#kept.delete(uri.toString())),
		];
	}

	/** Opens a result in an editor. `tool`: what the editor's tab is called by. */
	async show(tool: string, kept: KeptResult<T>): Promise<void> {
		const { language } = kept.document;
		const name = `${baseName(tool)}.${language === 'json' ? 'json' : 'md'}`;
		const uri = vscode.Uri.from({
			scheme: ids.resultScheme,
			path: `/${name}`,
			query: crypto.randomUUID(),
		});
		this.#kept.set(uri.toString(), kept);
		await openToRead(await vscode.workspace.openTextDocument(uri));
	}

	/** What an editor's result was made of; that of the active editor where none is named. */
	get(uri: vscode.Uri | undefined = activeUri()): KeptResult<T> {
		const kept = uri && this.#kept.get(uri.toString());
		if (!kept) throw new Error(l10n.t('there is no result here any more. Run the tool again.'));
		return kept;
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		// The editor opens them anew with the window, in which nothing of them is left.
		const kept = this.#kept.get(uri.toString());
		return kept?.document.text ?? `${l10n.t('Results are kept until their window is closed.')}\n`;
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}
}
