import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/file/problemReport.ts';

/** VS Code's Markdown extension, and its preview editor. */
const markdownExtension = 'vscode.markdown-language-features';
const previewEditor = 'vscode.markdown.preview.editor';

/** Characters: larger documents open as plain text, because rendering them would block all extensions for a second or more. */
const maxRendered = 200_000;

/** Opens a document in its own tab: Markdown rendered (“Reopen Editor With…” shows its text), anything else as text. */
export async function openToRead(
	document: vscode.TextDocument,
	options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
	const isRendered =
		document.languageId === 'markdown' &&
		document.getText().length <= maxRendered &&
		vscode.extensions.getExtension(markdownExtension) !== undefined;
	if (isRendered)
		await vscode.commands.executeCommand('vscode.openWith', document.uri, previewEditor, options);
	else await vscode.window.showTextDocument(document, options);
}

/** A read-only document and its source. */
interface ReadingDocument<T> {
	readonly text: string;
	readonly source: T;
}

/** The read-only documents of a scheme, kept while their editors are open. */
export class ReadingDocuments<T> implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #scheme: string;
	readonly #goneText: () => string;
	readonly #documents = new Map<string, ReadingDocument<T>>();
	readonly #subscriptions: vscode.Disposable;

	/** `goneText`: the text of editors that the next window restores without their documents. */
	constructor(scheme: string, goneText: () => string) {
		this.#scheme = scheme;
		this.#goneText = goneText;
		this.#subscriptions = vscode.Disposable.from(
			vscode.workspace.registerTextDocumentContentProvider(scheme, this),
			vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#documents.delete(uri.toString())),
		);
	}

	/** Keeps a document under a new URI: a preview may not notice that a known one has changed. `name`: of its tab. */
	add(name: string, document: ReadingDocument<T>): vscode.Uri {
		const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name}`, query: crypto.randomUUID() });
		this.#documents.set(uri.toString(), document);
		return uri;
	}

	async open(
		name: string,
		document: ReadingDocument<T>,
		options?: vscode.TextDocumentShowOptions,
	): Promise<void> {
		await openToRead(await vscode.workspace.openTextDocument(this.add(name, document)), options);
	}

	get(uri: vscode.Uri): ReadingDocument<T> | undefined {
		return this.#documents.get(uri.toString());
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return this.get(uri)?.text ?? `${this.#goneText()}\n`;
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}
}

/** The document of a file, if an editor shows it. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
	return isOpen(uri)
		? vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())
		: undefined;
}

export function isOpen(uri: vscode.Uri): boolean {
	return textTabs(uri).length > 0;
}

export function textTabs(uri: vscode.Uri): readonly vscode.Tab[] {
	return tabs(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}

/** Closes diff editors. `isWanted`: by the document on their right side. */
export async function closeDiffs(isWanted: (modified: vscode.Uri) => boolean): Promise<void> {
	const diffs = tabs(({ input }) => input instanceof vscode.TabInputTextDiff && isWanted(input.modified));
	await vscode.window.tabGroups.close(diffs);
}

/** Whether a tab shows a page. `viewType`: its kind, which the editor gives a prefix. */
export function isPage({ input }: vscode.Tab, viewType: string): boolean {
	return input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType);
}

export function pageTabs(viewType: string): readonly vscode.Tab[] {
	return tabs((tab) => isPage(tab, viewType));
}

function tabs(isWanted: (tab: vscode.Tab) => boolean): readonly vscode.Tab[] {
	return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isWanted);
}

export function problemRange({ start, end }: Pick<ConfigProblem, 'start' | 'end'>): vscode.Range {
	return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Where the cursor goes to show a problem. Nothing is selected: VS Code attaches selections to chat messages, and the problem may be a key. */
export function problemCursor({ start }: ConfigProblem): vscode.Range {
	return problemRange({ start, end: start });
}
