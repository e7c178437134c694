import * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';
import type { CatalogServer } from '../../discovery/catalog/catalog.ts';

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

/** Our own language-model tools only lead to tools that are in the catalog already. */
const ownPrefix = 'mcpDiscovery_';

/** VS Code's tools, including those of extensions and of its own MCP servers, as a server of the catalog. */
export function editorServer(
	name: string,
	tools: readonly Pick<vscode.LanguageModelToolInformation, 'name' | 'description' | 'inputSchema'>[],
): CatalogServer {
	return {
		name,
		description: 'Tools of VS Code, of its extensions, and of MCP servers that it runs itself.',
		tools: tools
			.filter((tool) => !tool.name.startsWith(ownPrefix))
			.map(({ name: tool, description, inputSchema }) => ({
				server: name,
				name: tool,
				description,
				inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object', properties: {} },
			})),
	};
}
