import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { ids } from '../ui/ids.ts';
import { fileBaseName } from '../ui/labelText.ts';
import { Lazy } from '../ui/lazy.ts';
import { say } from '../ui/messages.ts';
import { ReadingDocuments } from '../ui/readingEditor.ts';
import type { HandRun, RunServices } from './handRun.ts';
import type { ChatCall, ShownRun } from './result.ts';

type RunModule = Pick<typeof import('./handRun.ts'), 'HandRun'> &
	Pick<typeof import('./result.ts'), 'shownCall'> &
	Pick<typeof import('./resultFiles.ts'), 'saveResult'>;

/**
 * Runs tools by hand. The code for it is loaded with the first run; only the provider of results is registered at once, because the editor
 * restores their tabs.
 */
export class HandRuns implements vscode.Disposable {
	readonly #documents = new ReadingDocuments<ShownRun>(ids.resultScheme, () =>
		l10n.t('Results are kept until their window is closed.'),
	);
	readonly #load: () => Promise<RunModule>;
	readonly #runner: Lazy<HandRun>;

	/** `load`: imports what runs need. */
	constructor(services: RunServices, load: () => Promise<RunModule>) {
		this.#load = load;
		this.#runner = new Lazy(async () => new (await load()).HandRun(services, (run) => this.#show(run)));
	}

	/** Asks for the arguments, calls the tool, and shows the result. `args`: to begin with. */
	async run(tool: CatalogTool, args?: Readonly<Record<string, unknown>>): Promise<void> {
		await (await this.#runner.get()).run(tool, args);
	}

	/** Shows a call that a chat has made, as if it had been run by hand. */
	async show(call: ChatCall): Promise<void> {
		const { shownCall } = await this.#load();
		await this.#show(shownCall(call));
	}

	/** Runs the tool of a result again, with its arguments as a beginning. `uri`: the result's editor, else the active one. */
	async runAgain(uri: vscode.Uri | undefined): Promise<void> {
		const { tool, args } = this.#shown(uri);
		await (await this.#runner.get()).run(tool, args);
	}

	/** Puts the text of a result on the clipboard. */
	async copy(uri: vscode.Uri | undefined): Promise<void> {
		await vscode.env.clipboard.writeText(this.#shown(uri).document.text);
		say(l10n.t('result copied.'));
	}

	/** Saves a result, or one of its files. */
	async save(uri: vscode.Uri | undefined): Promise<void> {
		const { saveResult } = await this.#load();
		const { tool, document, result } = this.#shown(uri);
		await saveResult(tool.name, document, result);
	}

	dispose(): void {
		this.#documents.dispose();
		this.#runner.dispose();
	}

	#shown(uri: vscode.Uri | undefined): ShownRun {
		const shown = this.#documents.get(uri);
		if (!shown) throw new Error(l10n.t('there is no result here any more. Run the tool again.'));
		return shown.source;
	}

	async #show(run: ShownRun): Promise<void> {
		const { language, text } = run.document;
		const name = `${fileBaseName(run.tool.name)}.${language === 'json' ? 'json' : 'md'}`;
		await this.#documents.open(name, { text, source: run });
	}
}
