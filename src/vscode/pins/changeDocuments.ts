import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { definitionText, readableDefinition } from '../../mcp/pins/definition.ts';
import type { HeldTool } from '../../mcp/pins/screening.ts';
import { ids } from '../ids.ts';
import { baseName } from '../run/result/fileNames.ts';
import { differenceTitle, shownName } from './heldWords.ts';

/** A tool that is held, and whose it is. */
export interface ToolChange {
	readonly server: string;
	readonly held: HeldTool;
}

/** One side of a difference. */
interface Side {
	readonly text: string;
	readonly change: ToolChange;
}

/** Read-only documents that show a tool as it was accepted beside what it is now, kept as long as they are open. */
export class ChangeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #sides = new Map<string, Side>();
	readonly #subscriptions: readonly vscode.Disposable[];
	#count = 0;

	constructor() {
		this.#subscriptions = [
			vscode.workspace.registerTextDocumentContentProvider(ids.definitionScheme, this),
			vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#sides.delete(uri.toString())),
		];
	}

	/** Opens the difference of one tool, or those of several one below the other. */
	async show(changes: readonly ToolChange[]): Promise<void> {
		const pairs = changes.map((change) => ({ change, ...this.#pair(change) }));
		const [first] = pairs;
		if (pairs.length === 1 && first) {
			const title = differenceTitle(first.change.held.tool.name);
			await vscode.commands.executeCommand('vscode.diff', first.accepted, first.now, title);
		} else if (first) {
			const title = l10n.t('Changed tools of “{0}”', shownName(first.change.server));
			const resources = pairs.map(({ accepted, now }) => [now, accepted, now]);
			await vscode.commands.executeCommand('vscode.changes', title, resources);
		}
	}

	/** The change that an open difference shows. */
	get(uri: vscode.Uri | undefined): ToolChange | undefined {
		return uri && this.#sides.get(uri.toString())?.change;
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		// The editor opens them anew with the window, in which nothing of them is left.
		const gone = () => `// ${l10n.t('Differences are kept until their window is closed.')}\n`;
		return this.#sides.get(uri.toString())?.text ?? gone();
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	#pair(change: ToolChange): { readonly accepted: vscode.Uri; readonly now: vscode.Uri } {
		const { tool, accepted } = change.held;
		const before = accepted === undefined ? unknownText(change.held) : readableDefinition(accepted);
		this.#count += 1;
		return {
			accepted: this.#add('accepted', { text: before, change }),
			now: this.#add('now', { text: readableDefinition(definitionText(tool)), change }),
		};
	}

	#add(side: 'accepted' | 'now', content: Side): vscode.Uri {
		// A language of its own, in which lines wrap: what a description gained must not stand outside the window.
		const path = `/${baseName(content.change.held.tool.name)}.mcp-tool.jsonc`;
		const uri = vscode.Uri.from({ scheme: ids.definitionScheme, path, query: `${side}=${this.#count}` });
		this.#sides.set(uri.toString(), content);
		return uri;
	}
}

function unknownText({ why }: HeldTool): string {
	const sentence =
		why === 'changed'
			? l10n.t('The definition that you accepted was too large to be kept.')
			: l10n.t('What you had accepted is not known any more.');
	return `// ${sentence}\n`;
}
