import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { ids } from '../ui/ids.ts';
import { baseName } from '../ui/labelText.ts';
import { Lazy } from '../ui/lazy.ts';
import { activeUri, openToRead } from '../ui/readingEditor.ts';
import type { CallConfirmation } from '../ui/toolCalls.ts';
import type { HandRun, ShownRun } from './handRun.ts';
import type { ResultDocument } from './result.ts';

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

/** What runs are made with. */
export interface RunParts {
	readonly pool: ServerPool;
	readonly sandbox: Sandbox;
	readonly confirmation: CallConfirmation;
}

type RunModule = Pick<typeof import('./handRun.ts'), 'HandRun'> &
	Pick<typeof import('./resultFiles.ts'), 'saveResult'>;

/** Runs of tools by hand. What a run needs is loaded with the first; results of an earlier window can be shown before. */
export class HandRuns implements vscode.Disposable {
	readonly #documents = new ResultDocuments<ShownRun>();
	readonly #load: () => Promise<RunModule>;
	readonly #runner: Lazy<HandRun>;

	/** `load`: imports what runs need. */
	constructor(parts: RunParts, load: () => Promise<RunModule>) {
		this.#load = load;
		this.#runner = new Lazy(async () => new (await load()).HandRun(parts, this.#documents));
	}

	/** Asks for the arguments, calls the tool, and shows the result. */
	async run(tool: CatalogTool): Promise<void> {
		await (await this.#runner.get()).run(tool);
	}

	/** Runs the tool of a result again, with its arguments as a beginning. `uri`: the result's editor, else the active one. */
	async runAgain(uri: vscode.Uri | undefined): Promise<void> {
		await this.run(this.#documents.get(uri).source.tool);
	}

	/** Puts the text of a result on the clipboard. */
	async copy(uri: vscode.Uri | undefined): Promise<void> {
		await vscode.env.clipboard.writeText(this.#documents.get(uri).document.text);
		vscode.window.setStatusBarMessage(l10n.t('Discovery: result copied.'), 3000);
	}

	/** Saves a result, or one of its files. */
	async save(uri: vscode.Uri | undefined): Promise<void> {
		const { saveResult } = await this.#load();
		const { document, source } = this.#documents.get(uri);
		await saveResult(source.tool.name, document, source.result);
	}

	dispose(): void {
		this.#documents.dispose();
		this.#runner.dispose();
	}
}
