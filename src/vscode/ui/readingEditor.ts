import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/file/problemReport.ts';

/** VS Code's own extension for Markdown, and its editor that shows a document as it is to be read. */
const markdownExtension = 'vscode.markdown-language-features';
const previewEditor = 'vscode.markdown.preview.editor';

/** Characters of a document beyond which it opens as plain text: to draw more would hold up all extensions for a second or more. */
const mostDrawn = 200_000;

/**
 * Opens a document in an editor tab of its own: Markdown as it is to be read, with “Reopen Editor With…” leading to its text; anything
 * else, and what is too long to be drawn, as text.
 */
async function openToRead(
	document: vscode.TextDocument,
	viewColumn: vscode.ViewColumn = vscode.ViewColumn.Active,
): Promise<void> {
	const isDrawn =
		document.languageId === 'markdown' &&
		document.getText().length <= mostDrawn &&
		vscode.extensions.getExtension(markdownExtension) !== undefined;
	if (isDrawn)
		await vscode.commands.executeCommand('vscode.openWith', document.uri, previewEditor, viewColumn);
	else await vscode.window.showTextDocument(document, { viewColumn });
}

/** What the active tab shows, drawn or as text. */
export function activeUri(): vscode.Uri | undefined {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	return tab && uriOf(tab);
}

/** The tabs that show documents of a scheme, drawn or as text. */
export function tabsOfScheme(scheme: string): readonly vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	return tabs.filter((tab) => uriOf(tab)?.scheme === scheme);
}

function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
	return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
		? input.uri
		: undefined;
}

/** A document that can only be read, and what it was made from. */
interface ReadingDocument<T> {
	readonly text: string;
	readonly source: T;
}

/** The read-only documents of one scheme, kept as long as their editors are open. */
export class ReadingDocuments<T> implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #scheme: string;
	readonly #gone: () => string;
	readonly #kept = new Map<string, ReadingDocument<T>>();
	readonly #subscriptions: vscode.Disposable;

	/** `gone`: the text of an editor that the next window restores, when the document is no longer kept. */
	constructor(scheme: string, gone: () => string) {
		this.#scheme = scheme;
		this.#gone = gone;
		this.#subscriptions = vscode.Disposable.from(
			vscode.workspace.registerTextDocumentContentProvider(scheme, this),
			vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#kept.delete(uri.toString())),
		);
	}

	/** Keeps a document under a new address, since a preview may not notice that a known one has changed. `name`: of its tab. */
	add(name: string, document: ReadingDocument<T>): vscode.Uri {
		const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name}`, query: crypto.randomUUID() });
		this.#kept.set(uri.toString(), document);
		return uri;
	}

	/** Keeps a document and opens it to be read. */
	async open(name: string, document: ReadingDocument<T>, viewColumn?: vscode.ViewColumn): Promise<void> {
		await openToRead(await vscode.workspace.openTextDocument(this.add(name, document)), viewColumn);
	}

	/** The document of an editor; of the active one where none is named. */
	get(uri: vscode.Uri | undefined = activeUri()): ReadingDocument<T> | undefined {
		return uri && this.#kept.get(uri.toString());
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return this.get(uri)?.text ?? `${this.#gone()}\n`;
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}
}

/** The document of a file, where an editor shows it. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
	return isOpen(uri)
		? vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())
		: undefined;
}

/** Whether an editor shows a file. */
export function isOpen(uri: vscode.Uri): boolean {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	return tabs.some(
		({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
	);
}

/** The place of a fault in a file of the configuration. */
export function problemRange({ start, end }: Pick<ConfigProblem, 'start' | 'end'>): vscode.Range {
	return new vscode.Range(start.line, start.character, end.line, end.character);
}

/**
 * Where the cursor goes to show a fault: before it, with nothing selected. The editor attaches what is selected to the next chat message, and
 * a fault may be a key.
 */
export function problemCursor({ start }: ConfigProblem): vscode.Range {
	return problemRange({ start, end: start });
}
