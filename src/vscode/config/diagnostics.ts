import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/config.ts';
import type { ConfigFile } from './configFile.ts';
import { problemRange } from './problemRange.ts';

/** While its user types, the file is checked this long after the last key. */
const checkDelayMs = 250;

/** Shows the configuration's faults at their places, of the saved file and of the text being typed. */
export function registerDiagnostics(configFile: ConfigFile): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection('mcpDiscovery');
	let timer: NodeJS.Timeout | undefined;
	const show = (uri: vscode.Uri, problems: readonly ConfigProblem[]) => {
		collection.set(uri, problems.map(toDiagnostic));
	};
	const subscriptions = [
		collection,
		configFile.onDidChange((state) => {
			collection.clear();
			if ('problems' in state) show(state.uri, state.problems);
		}),
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			const uri = configFile.uris.find((known) => known.toString() === document.uri.toString());
			if (!uri) return;
			clearTimeout(timer);
			timer = setTimeout(
				async () => show(uri, await configFile.check(uri, document.getText())),
				checkDelayMs,
			);
		}),
		{ dispose: () => clearTimeout(timer) },
	];
	return vscode.Disposable.from(...subscriptions);
}

function toDiagnostic(problem: ConfigProblem): vscode.Diagnostic {
	const { message, severity } = problem;
	const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(problemRange(problem), message, level);
	diagnostic.source = 'Discovery';
	return diagnostic;
}
