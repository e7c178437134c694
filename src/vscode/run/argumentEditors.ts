import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../ui/ids.ts';
import { failureText } from '../ui/labelText.ts';
import { baseName } from './fileNames.ts';

/** A text that is being edited for a question. */
interface Editing {
	bytes: Uint8Array;
	/** Whether the user saves it, and not the editor by itself after a while. */
	byHand: boolean;
	readonly mtime: number;
	/** A sentence on what is wrong with a text; nothing where it will do. */
	readonly check: (text: string) => Promise<string | undefined>;
	readonly take: (text: string) => void;
}

/** What is asked for in an editor. */
export interface EditorQuestion {
	readonly name: string;
	readonly language: 'json' | 'text';
	readonly text: string;
	readonly check: Editing['check'];
}

/**
 * Editors for what one line cannot hold: files in memory, where saving gives the answer. One that does not fit the question stays open, and
 * the user is told why; one that is closed gives no answer. Untitled files would ask where to be saved.
 */
export class ArgumentEditors implements vscode.FileSystemProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	readonly onDidChangeFile = this.#changed.event;
	readonly #editings = new Map<string, Editing>();
	readonly #registration = vscode.Disposable.from(
		vscode.workspace.registerFileSystemProvider(ids.inputScheme, this),
		vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
			const editing = document.uri.scheme === ids.inputScheme && this.#editings.get(document.uri.path);
			if (editing) editing.byHand = reason === vscode.TextDocumentSaveReason.Manual;
		}),
	);
	#count = 0;

	/** Opens an editor, and resolves to what is saved in it; to nothing where it is closed without. */
	async ask({ name, language, text, check }: EditorQuestion): Promise<string | undefined> {
		const ending = language === 'json' ? 'json' : 'txt';
		const title = l10n.t('{0} (save to continue)', baseName(name));
		const path = `/${++this.#count}/${title}.${ending}`;
		const uri = vscode.Uri.from({ scheme: ids.inputScheme, path });
		const bytes = new TextEncoder().encode(language === 'json' ? indented(text) : text);
		let closed: vscode.Disposable | undefined;
		const answer = new Promise<string | undefined>((resolve) => {
			this.#editings.set(uri.path, { bytes, byHand: false, mtime: Date.now(), check, take: resolve });
			closed = vscode.window.tabGroups.onDidChangeTabs(() => {
				if (tabsOf(uri).length === 0) resolve(undefined);
			});
		});
		try {
			await vscode.window.showTextDocument(uri, { preview: false });
			return await answer;
		} finally {
			closed?.dispose();
			await vscode.window.tabGroups.close(tabsOf(uri));
			this.#editings.delete(uri.path);
		}
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { bytes, mtime } = this.#get(uri);
		return { type: vscode.FileType.File, ctime: mtime, mtime, size: bytes.length };
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return this.#get(uri).bytes;
	}

	async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
		const editing = this.#get(uri);
		editing.bytes = content;
		if (!editing.byHand) return;
		const text = new TextDecoder().decode(content);
		const fault = await editing.check(text);
		if (fault !== undefined) void vscode.window.showErrorMessage(`Discovery: ${failureText(fault)}`);
		// First the editor learns that it is saved: it could not be closed without a question before.
		else setTimeout(() => editing.take(text));
	}

	watch(): vscode.Disposable {
		return new vscode.Disposable(() => {});
	}

	readDirectory(): [] {
		return [];
	}

	createDirectory(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	delete(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	rename(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	dispose(): void {
		this.#registration.dispose();
		this.#changed.dispose();
	}

	#get(uri: vscode.Uri): Editing {
		const editing = this.#editings.get(uri.path);
		if (!editing) throw vscode.FileSystemError.FileNotFound(uri);
		return editing;
	}
}

function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	return tabs.filter(
		({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
	);
}

/** JSON over several lines; what is none yet, as it is. */
function indented(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
}
