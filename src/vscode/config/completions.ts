import * as vscode from 'vscode';
import { type Completion, type CompletionFacts, completionsAt } from '../../config/assist/completions.ts';
import { withSecrets } from '../../config/variables.ts';
import type { ConfigFeatureParts } from './configFeatureParts.ts';
import { templatesBeside } from './workspaceDisk.ts';

const kinds: Readonly<Record<Completion['kind'], vscode.CompletionItemKind>> = {
	server: vscode.CompletionItemKind.Module,
	client: vscode.CompletionItemKind.Module,
	tool: vscode.CompletionItemKind.Function,
	template: vscode.CompletionItemKind.File,
	variable: vscode.CompletionItemKind.Variable,
	entry: vscode.CompletionItemKind.Snippet,
};

/** Offers names in the configuration file: of clients, servers, tools, templates and variables. Never a variable's value. */
export class Completions implements vscode.CompletionItemProvider {
	readonly #parts: Pick<ConfigFeatureParts, 'hub' | 'configFile'>;

	constructor(parts: Pick<ConfigFeatureParts, 'hub' | 'configFile'>) {
		this.#parts = parts;
	}

	async provideCompletionItems(
		document: vscode.TextDocument,
		position: vscode.Position,
	): Promise<vscode.CompletionItem[]> {
		// What is typed while the facts are looked up must not be counted twice: the editor adds it to the ranges.
		const text = document.getText();
		const offset = document.offsetAt(position);
		const found = completionsAt(text, offset, await this.#facts(document.uri));
		return found.map((completion, index) => {
			const { start, end } = completion.stretch;
			// No text in quotes goes over a line.
			const range = new vscode.Range(
				position.translate(0, start - offset),
				position.translate(0, end - offset),
			);
			return toItem(completion, range, index);
		});
	}

	async #facts(uri: vscode.Uri): Promise<CompletionFacts> {
		const { hub, configFile } = this.#parts;
		const { env } = withSecrets(await configFile.scopeOf(uri));
		return {
			tools: (name) => hub.catalog.tools.filter(({ server }) => server === name),
			templates: await templatesBeside(uri),
			variables: Object.keys(env).toSorted(),
		};
	}
}

function toItem(completion: Completion, range: vscode.Range, index: number): vscode.CompletionItem {
	const { kind, label, documentation, insert, isSnippet } = completion;
	const item = new vscode.CompletionItem(label, kinds[kind]);
	item.range = range;
	item.insertText = isSnippet ? new vscode.SnippetString(insert) : insert;
	// What is compared with the text in the range, quotes and all.
	item.filterText = kind === 'variable' ? label : range.isEmpty ? label : JSON.stringify(label);
	item.sortText = `0${String(index).padStart(5, '0')}`;
	if (documentation) item.documentation = documentation;
	return item;
}
