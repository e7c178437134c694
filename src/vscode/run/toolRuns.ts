import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CatalogTool } from '../../discovery/catalog.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { CallConfirmation } from '../confirmation.ts';
import { ResultDocuments } from './result/resultDocuments.ts';
import type { ShownRun, ToolRunner } from './toolRunner.ts';

/** What runs are made with. */
export interface RunParts {
	readonly pool: ServerPool;
	readonly sandbox: Sandbox;
	readonly confirmation: CallConfirmation;
}

/** Runs of tools by hand. What a run needs is loaded with the first; results of an earlier window can be shown before. */
export class ToolRuns implements vscode.Disposable {
	readonly #parts: RunParts;
	readonly #documents = new ResultDocuments<ShownRun>();
	#runner: Promise<ToolRunner> | undefined;

	constructor(parts: RunParts) {
		this.#parts = parts;
	}

	/** Asks for the arguments, calls the tool, and shows the result. */
	async run(tool: CatalogTool): Promise<void> {
		await (await this.#load()).run(tool);
	}

	/** Runs the tool of a result again, with its arguments as a beginning. `uri`: the result's editor, else the active one. */
	async runAgain(uri: vscode.Uri | undefined): Promise<void> {
		await this.run(this.#documents.get(uri).source.tool);
	}

	/** Puts the text of a result on the clipboard. */
	async copy(uri: vscode.Uri | undefined): Promise<void> {
		await vscode.env.clipboard.writeText(this.#documents.get(uri).document.text);
		vscode.window.setStatusBarMessage(l10n.t('Discovery: result copied.'), 3000);
	}

	/** Saves a result, or one of its files. */
	async save(uri: vscode.Uri | undefined): Promise<void> {
		const { saveResult } = await import('../onDemand.ts');
		const { document, source } = this.#documents.get(uri);
		await saveResult(source.tool.name, document, source.result);
	}

	dispose(): void {
		this.#documents.dispose();
		void this.#runner?.then((runner) => runner.dispose());
	}

	#load(): Promise<ToolRunner> {
		this.#runner ??= import('../onDemand.ts').then(
			({ ToolRunner }) => new ToolRunner(this.#parts, this.#documents),
		);
		return this.#runner;
	}
}
