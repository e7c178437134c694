import * as vscode from 'vscode';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';
import { editorServer } from './editorServer.ts';

/** VS Code's tools, if the user wants them in search. */
export class EditorTools implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #extensions: vscode.Disposable;
	#name: string | undefined;
	#server: CatalogServer | undefined;

	constructor() {
		this.#extensions = vscode.extensions.onDidChange(() => this.refresh());
	}

	/** Absent if the user does not want them, or VS Code has none. */
	get server(): CatalogServer | undefined {
		return this.#server;
	}

	/** `name`: of the server that offers the tools; `undefined`: offers none. */
	offer(name: string | undefined): void {
		this.#name = name;
		this.refresh();
	}

	/** Reads the tools again: VS Code has no event for changes. */
	refresh(): void {
		const server = this.#name === undefined ? undefined : editorServer(this.#name, vscode.lm.tools);
		const offeredServer = server && server.tools.length > 0 ? server : undefined;
		if (JSON.stringify(offeredServer) === JSON.stringify(this.#server)) return;
		this.#server = offeredServer;
		this.#changed.fire();
	}

	dispose(): void {
		this.#extensions.dispose();
		this.#changed.dispose();
	}
}
