import * as vscode from 'vscode';
import { ids } from '../ids.ts';
import type { ContextPage, ContextPageParts } from './contextPage.ts';

/** The one context page, which is loaded when it is first asked for, or when a window that showed it comes back. */
export class ContextPages implements vscode.Disposable {
	readonly #parts: ContextPageParts;
	readonly #serializer: vscode.Disposable;
	#page: Promise<ContextPage> | undefined;

	constructor(parts: ContextPageParts) {
		this.#parts = parts;
		this.#serializer = vscode.window.registerWebviewPanelSerializer(ids.contextPage, {
			deserializeWebviewPanel: async (panel) => (await this.#load()).adopt(panel),
		});
	}

	/** Opens the page, or brings it to the front. */
	async show(): Promise<void> {
		(await this.#load()).show();
	}

	dispose(): void {
		this.#serializer.dispose();
		void this.#page?.then((page) => page.dispose());
	}

	#load(): Promise<ContextPage> {
		this.#page ??= import('./contextPage.ts').then(({ ContextPage }) => new ContextPage(this.#parts));
		return this.#page;
	}
}
