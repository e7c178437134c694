import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/config.ts';
import { ids } from '../ids.ts';
import type { ConfigFile } from './configFile.ts';
import { openDocument } from './configText.ts';
import { problemRange } from './problemRange.ts';

/** While its user types, the file is checked this long after the last key. */
const checkDelayMs = 250;

/** Shows the configuration's faults at their places, of the saved file and of the text being typed. */
export function registerDiagnostics(configFile: ConfigFile): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection(ids.diagnostics);
	let timer: NodeJS.Timeout | undefined;
	/** The file whose faults are shown, and all of them. */
	let shown: { readonly uri: vscode.Uri; readonly problems: readonly ConfigProblem[] } | undefined;
	/** Those of them that have our mark. */
	let drawn: readonly ConfigProblem[] | undefined;
	const draw = () => {
		if (!shown) return;
		const { uri, problems } = shown;
		const others = vscode.languages.getDiagnostics(uri).filter(({ source }) => source !== ids.diagnostics);
		const untold = problems.filter((problem) => !isToldBy(others, problem));
		// Setting them is a change of diagnostics in its turn.
		if (drawn && isDeepStrictEqual(untold, drawn)) return;
		drawn = untold;
		collection.set(uri, untold.map(toDiagnostic));
	};
	const show = (uri: vscode.Uri, problems: readonly ConfigProblem[]) => {
		if (shown?.uri.toString() !== uri.toString()) drawn = undefined;
		shown = { uri, problems };
		draw();
	};
	const checkSoon = (document: vscode.TextDocument) => {
		const uri = configFile.uris.find((known) => known.toString() === document.uri.toString());
		if (!uri) return;
		clearTimeout(timer);
		timer = setTimeout(async () => {
			const { version } = document;
			const problems = await configFile.check(uri, document.getText());
			// A later text has its own check, which may be done already.
			if (document.version === version) show(uri, problems);
		}, checkDelayMs);
	};
	const subscriptions = [
		collection,
		configFile.onDidChange((state) => {
			shown = undefined;
			drawn = undefined;
			collection.clear();
			if (!('problems' in state)) return;
			show(state.uri, state.problems);
			void markUnused(configFile, state.uri, collection);
			// What was read is the saved file; the user looks at another text.
			const document = openDocument(state.uri);
			if (document?.isDirty) checkSoon(document);
		}),
		vscode.languages.onDidChangeDiagnostics(({ uris }) => {
			if (uris.some((uri) => uri.toString() === shown?.uri.toString())) draw();
		}),
		vscode.workspace.onDidChangeTextDocument(({ document }) => checkSoon(document)),
		{ dispose: () => clearTimeout(timer) },
	];
	return vscode.Disposable.from(...subscriptions);
}

/** In a workspace of several folders one file counts; says so in those that do not. */
async function markUnused(
	configFile: ConfigFile,
	used: vscode.Uri,
	collection: vscode.DiagnosticCollection,
): Promise<void> {
	const { state } = configFile;
	const others = configFile.uris.filter((uri) => uri.toString() !== used.toString());
	const present = await Promise.all(others.map(async (uri) => ({ uri, isThere: await exists(uri) })));
	// A later state has marks of its own.
	if (configFile.state !== state) return;
	const message = l10n.t(
		'not in force: the configuration of the folder "{0}" is, which comes first',
		vscode.workspace.getWorkspaceFolder(used)?.name ?? '',
	);
	const start = { line: 0, character: 0 };
	const mark = toDiagnostic({
		severity: 'warning',
		message,
		path: [],
		start,
		end: { line: 0, character: 1 },
	});
	for (const { uri, isThere } of present) if (isThere) collection.set(uri, [mark]);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}

/**
 * Whether a fault has a mark already. In an open file the editor's own check of JSON tells of its syntax and of names that
 * stand twice, and cannot be kept from it. All else only we tell: the JSON Schema of the file faults nothing.
 */
function isToldBy(others: readonly vscode.Diagnostic[], problem: ConfigProblem): boolean {
	switch (problem.reason?.kind) {
		case 'syntax':
			return others.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
		case 'doubled-key':
			return others.some(({ range }) => range.intersection(problemRange(problem)));
		default:
			return false;
	}
}

/** A problem as the editor marks it. */
export function toDiagnostic(problem: ConfigProblem): vscode.Diagnostic {
	const { message, severity } = problem;
	const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(problemRange(problem), message, level);
	diagnostic.source = ids.diagnostics;
	return diagnostic;
}
