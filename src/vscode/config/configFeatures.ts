import * as vscode from 'vscode';
import { CodeLenses } from './codeLenses.ts';
import { Completions } from './completions.ts';
import type { ConfigFeatureParts } from './configFeatureParts.ts';
import { Hovers } from './hovers.ts';
import { QuickFixes } from './quickFixes.ts';
import { registerToolMarks } from './toolMarks.ts';

/** Registers all that helps in the configuration file, for the files that it is or may be. */
export function registerConfigFeatures(parts: ConfigFeatureParts): vscode.Disposable {
	const lenses = new CodeLenses(parts);
	const fixes = new QuickFixes(parts);
	const marks = registerToolMarks(parts);
	const completions = new Completions(parts);
	const hovers = new Hovers(parts);
	const register = (selector: vscode.DocumentSelector) =>
		vscode.Disposable.from(
			vscode.languages.registerCodeLensProvider(selector, lenses),
			vscode.languages.registerCodeActionsProvider(selector, fixes, {
				providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
			}),
			vscode.languages.registerCompletionItemProvider(selector, completions, '"', '{', '$', ':'),
			vscode.languages.registerHoverProvider(selector, hovers),
		);
	let files = selectorOf(parts.configFile.uris);
	let registered = register(files.selector);
	const listener = parts.configFile.onDidChange(() => {
		const now = selectorOf(parts.configFile.uris);
		if (now.id === files.id) return;
		files = now;
		registered.dispose();
		registered = register(files.selector);
	});
	return new vscode.Disposable(() => {
		listener.dispose();
		registered.dispose();
		lenses.dispose();
		fixes.dispose();
		marks.dispose();
	});
}

/** The files themselves: no other file is ever asked about. */
function selectorOf(uris: readonly vscode.Uri[]): {
	readonly id: string;
	readonly selector: vscode.DocumentFilter[];
} {
	const selector = uris.map((uri) => {
		const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
		return { scheme: uri.scheme, pattern: new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name) };
	});
	return { id: uris.join('\n'), selector };
}
