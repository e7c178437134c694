import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visible } from '../../common/invisible.ts';
import type { CatalogTool } from '../../discovery/catalog.ts';
import { cut } from '../../discovery/text.ts';
import { callQuestion, harmClaim, shownCharacters } from '../confirmation.ts';
import { labelText } from '../labelText.ts';
import { ArgumentEditors } from './argumentEditors.ts';
import { ArgumentQuestions, type Filled } from './argumentQuestions.ts';
import type { AskingParts } from './askingParts.ts';
import { callTool } from './callTool.ts';
import { type Answers, withoutSecrets } from './parameters/answers.ts';
import { isViewable } from './result/fileNames.ts';
import { filesOf, resultDocument } from './result/resultDocument.ts';
import type { ResultDocuments } from './result/resultDocuments.ts';
import { ResultFiles } from './result/resultFiles.ts';
import { type RunResult, runResult } from './result/runResult.ts';
import type { RunParts } from './toolRuns.ts';

/** A run whose result an editor shows. */
export interface ShownRun {
	readonly tool: CatalogTool;
	readonly result: RunResult;
}

/** Arguments that a confirmation shows; the others are counted. */
const shownArguments = 20;
/** Tools whose last arguments are kept for the next run. */
const keptTools = 50;

/** Runs tools for a person: asks for the arguments, confirms as the chat does, calls, shows the result. Chats know nothing of it. */
export class ToolRunner implements vscode.Disposable {
	readonly #parts: RunParts;
	readonly #documents: ResultDocuments<ShownRun>;
	readonly #files = new ResultFiles();
	readonly #editors = new ArgumentEditors();
	/** By wire name, the latest last; for this window only. */
	readonly #last = new Map<string, Answers>();

	constructor(parts: RunParts, documents: ResultDocuments<ShownRun>) {
		this.#parts = parts;
		this.#documents = documents;
	}

	/** Rejects where the server does not answer; what a tool reports as its error is a result. Given up by the user, nothing happens. */
	async run(tool: CatalogTool): Promise<void> {
		const { pool, sandbox, confirmation } = this.#parts;
		const parts: AskingParts = {
			validate: (schema, value) => sandbox.validate(schema, value, tool.server),
			edit: (question) => this.#editors.ask(question),
		};
		const questions = new ArgumentQuestions(tool, parts, this.#last.get(tool.wireName));
		const filled = await questions.ask();
		if (!filled) return;
		this.#remember(tool, withoutSecrets(filled.form, filled.answers));
		const shown = shownArgumentsOf(filled);
		if (confirmation.asksFirst(tool) && !(await isConfirmed(tool, shown))) return;
		const answer = await callTool(tool, filled.args, pool);
		if (!answer) return;
		const result = runResult(answer.raw);
		const document = resultDocument({ tool: tool.id, args: shown, ms: answer.ms, result });
		await this.#documents.show(tool.name, { document, source: { tool, result } });
		await this.#showImages(tool, result);
	}

	dispose(): void {
		this.#files.dispose();
		this.#editors.dispose();
	}

	#remember(tool: CatalogTool, answers: Answers): void {
		this.#last.delete(tool.wireName);
		this.#last.set(tool.wireName, answers);
		const [oldest] = this.#last.keys();
		if (this.#last.size > keptTools && oldest !== undefined) this.#last.delete(oldest);
	}

	/** The first picture beside the text; the others can be saved. */
	async #showImages(tool: CatalogTool, result: RunResult): Promise<void> {
		const image = filesOf(result).find(isViewable);
		if (!image) return;
		const uri = await this.#files.write(tool.name, image);
		const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
		await vscode.commands.executeCommand('vscode.open', uri, options);
	}
}

function shownArgumentsOf({ form, args }: Filled): Readonly<Record<string, unknown>> {
	const secret = new Set(form.parameters.filter((parameter) => parameter.secret).map(({ name }) => name));
	return Object.fromEntries(
		Object.entries(args).map(([name, value]) => [name, secret.has(name) ? l10n.t('(hidden)') : value]),
	);
}

/** A modal is plain text: nothing of what it shows is drawn as anything else. */
async function isConfirmed(tool: CatalogTool, args: Readonly<Record<string, unknown>>): Promise<boolean> {
	const lines = Object.entries(args).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `${labelText(name, shownCharacters)}: ${cut(visible(text), shownCharacters)}`;
	});
	const more = lines.length - shownArguments;
	const list = [
		...lines.slice(0, shownArguments),
		...(more > 0 ? [l10n.t('… and {0} more', more)] : []),
		...(lines.length === 0 ? [l10n.t('It gets no arguments.')] : []),
	];
	const detail = [harmClaim(tool), list.join('\n')].filter(Boolean).join('\n\n');
	const run = l10n.t('Run');
	return (await vscode.window.showWarningMessage(callQuestion(tool), { modal: true, detail }, run)) === run;
}
