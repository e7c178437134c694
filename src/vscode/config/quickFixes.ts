import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/config.ts';
import type { ConfigFix } from '../../config/fixes/configFix.ts';
import { fixesFor } from '../../config/fixes/fixes.ts';
import { type VariableScope, withSecrets } from '../../config/variables.ts';
import { ids } from '../ids.ts';
import type { ConfigFeatureParts } from './configFeatureParts.ts';
import { type EffectfulFix, FixRunner } from './fixRunner.ts';
import { problemRange } from './problemRange.ts';
import { toolProblems } from './toolMarks.ts';
import { workspaceEdit } from './workspaceEdit.ts';

/** All that the faults of a text depend on, as far as it changes while the text does not. */
interface CheckedText {
	readonly uri: string;
	readonly text: string;
	readonly scope: VariableScope;
}

/** Offers what removes the faults of the configuration file: edits that are one step to undo, and values that leave the file. */
export class QuickFixes implements vscode.CodeActionProvider, vscode.Disposable {
	readonly #parts: Pick<ConfigFeatureParts, 'configFile' | 'hub' | 'keys' | 'secrets'>;
	readonly #command: vscode.Disposable;
	/** Faults of what was last asked about: the editor asks at every move of the cursor. */
	#known: { readonly of: CheckedText; readonly problems: Promise<readonly ConfigProblem[]> } | undefined;

	constructor(parts: Pick<ConfigFeatureParts, 'configFile' | 'hub' | 'keys' | 'secrets'>) {
		this.#parts = parts;
		const runner = new FixRunner(parts);
		this.#command = vscode.commands.registerCommand(
			ids.applyFix,
			(uri: vscode.Uri, version: number, fix: EffectfulFix) => runner.run(uri, version, fix),
		);
	}

	async provideCodeActions(
		document: vscode.TextDocument,
		range: vscode.Range,
		{ diagnostics, only }: vscode.CodeActionContext,
	): Promise<vscode.CodeAction[]> {
		if (only && !only.contains(vscode.CodeActionKind.QuickFix)) return [];
		const { version } = document;
		const text = document.getText();
		// Variables may have been set since the text was last asked about.
		const scope = await this.#parts.configFile.scopeOf(document.uri);
		const checked = await this.#problems(document.uri, text, scope);
		const all = [...checked, ...toolProblems(text, this.#parts.hub)];
		const problems = all.filter((problem) => problemRange(problem).intersection(range));
		if (problems.length === 0) return [];
		const { env } = withSecrets(scope);
		// The places are those of a text that is gone; the editor will ask again.
		if (document.version !== version) return [];
		const found = problems.flatMap((problem) =>
			fixesFor(text, problem, env).map((fix) => ({ fix, problem })),
		);
		return found
			.filter(
				({ fix }, index) => !found.slice(0, index).some((earlier) => isDeepStrictEqual(earlier.fix, fix)),
			)
			.map(({ fix, problem }) => toAction(fix, document, diagnosticsOf(problem, diagnostics)));
	}

	dispose(): void {
		this.#command.dispose();
	}

	#problems(uri: vscode.Uri, text: string, scope: VariableScope): Promise<readonly ConfigProblem[]> {
		const of = { uri: uri.toString(), text, scope };
		if (!this.#known || !isDeepStrictEqual(this.#known.of, of)) {
			this.#known = { of, problems: this.#parts.configFile.check(uri, text, scope) };
		}
		return this.#known.problems;
	}
}

/** The marks that a problem is seen by: ours, or those of the editor's own check of JSON. */
function diagnosticsOf(problem: ConfigProblem, marks: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
	const range = problemRange(problem);
	return marks.filter((mark) => mark.message === problem.message || mark.range.isEqual(range));
}

function toAction(
	fix: ConfigFix,
	document: vscode.TextDocument,
	diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
	const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
	action.diagnostics = diagnostics;
	if (fix.kind === 'edit') {
		action.edit = workspaceEdit(document, fix.edits);
		action.isPreferred = fix.preferred;
	} else {
		const args = [document.uri, document.version, fix];
		action.command = { title: fix.title, command: ids.applyFix, arguments: args };
	}
	return action;
}
