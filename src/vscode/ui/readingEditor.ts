import * as vscode from 'vscode';

/** VS Code's own extension for Markdown, and its editor that shows a document as it is to be read. */
const markdownExtension = 'vscode.markdown-language-features';
const previewEditor = 'vscode.markdown.preview.editor';

/** Characters of a document beyond which it opens as plain text: to draw more would hold up all extensions for a second or more. */
const mostDrawn = 200_000;

/**
 * Opens a document in an editor tab of its own: Markdown as it is to be read, with “Reopen Editor With…” leading to its text; anything
 * else, and what is too long to be drawn, as text.
 */
export async function openToRead(
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
