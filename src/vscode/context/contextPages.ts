import * as vscode from 'vscode';
import { ids } from '../ui/ids.ts';
import { Lazy } from '../ui/lazy.ts';
import type { ContextPage, ContextPageServices } from './contextPage.ts';

/** The one context page, which is loaded when it is first asked for, or when a window that showed it comes back. */
export class ContextPages implements vscode.Disposable {
	readonly #serializer: vscode.Disposable;
	readonly #page: Lazy<ContextPage>;

	constructor(services: ContextPageServices) {
		this.#page = new Lazy(async () => {
			const { ContextPage } = await import('./contextPage.ts');
			return new ContextPage(services);
		});
		this.#serializer = vscode.window.registerWebviewPanelSerializer(ids.contextPage, {
			deserializeWebviewPanel: async (panel) => (await this.#page.get()).adopt(panel),
		});
	}

	/** Opens the page, or brings it to the front. */
	async show(): Promise<void> {
		await (await this.#page.get()).show();
	}

	dispose(): void {
		this.#serializer.dispose();
		this.#page.dispose();
	}
}
