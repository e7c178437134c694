import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/file/problemReport.ts';
import type { Configuration } from '../core/configuration.ts';
import { ids } from '../ui/ids.ts';
import { openDocument, problemRange } from '../ui/readingEditor.ts';
import { Debounce } from '../ui/throttle.ts';

/** Debounce of checks while the user types, in milliseconds. */
const checkDelayMs = 250;

/** Marks the problems of the configuration, in saved files and in text that is being typed. */
export function registerDiagnostics(configFile: Configuration): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection(ids.diagnostics);
	const checks = new Debounce(checkDelayMs);
	/** By URI. */
	const files = new Map<string, FileMarks>();
	const marksOf = (uri: vscode.Uri) => {
		const marks = files.get(uri.toString()) ?? new FileMarks(uri, collection);
		files.set(uri.toString(), marks);
		return marks;
	};
	const checkSoon = (document: vscode.TextDocument) => {
		const { uri } = document;
		if (!configFile.fileAt(uri)) return;
		checks.request(uri.toString(), async () => {
			const { loadConfig } = await import('../../config/load.ts');
			const file = configFile.fileAt(uri);
			if (file) marksOf(uri).show(loadConfig(document.getText(), file.knownScope).problems);
		});
	};
	const subscriptions = [
		collection,
		checks,
		configFile.onDidChange((state) => {
			files.clear();
			collection.clear();
			if (!('problems' in state)) return;
			for (const { place, state: ofFile } of configFile.files)
				if ('problems' in ofFile) marksOf(place.uri).show(ofFile.problems);
			// The state is that of the saved file; unsaved text needs its own check.
			for (const uri of configFile.uris) {
				const document = openDocument(uri);
				if (document?.isDirty) checkSoon(document);
			}
		}),
		vscode.languages.onDidChangeDiagnostics(({ uris }) => {
			for (const uri of uris) files.get(uri.toString())?.draw();
		}),
		vscode.workspace.onDidChangeTextDocument(({ document }) => checkSoon(document)),
	];
	return vscode.Disposable.from(...subscriptions);
}

class FileMarks {
	readonly #uri: vscode.Uri;
	readonly #collection: vscode.DiagnosticCollection;
	#problems: readonly ConfigProblem[] = [];
	/** The problems that are marked now. */
	#drawn: readonly ConfigProblem[] = [];

	constructor(uri: vscode.Uri, collection: vscode.DiagnosticCollection) {
		this.#uri = uri;
		this.#collection = collection;
	}

	show(problems: readonly ConfigProblem[]): void {
		this.#problems = problems;
		this.draw();
	}

	/** Marks what VS Code has not marked itself. */
	draw(): void {
		const others = vscode.languages
			.getDiagnostics(this.#uri)
			.filter(({ source }) => source !== ids.diagnostics);
		const marked = this.#problems.filter((problem) => !isMarkedBy(others, problem));
		// Setting diagnostics triggers this function again.
		if (isDeepStrictEqual(marked, this.#drawn)) return;
		this.#drawn = marked;
		this.#collection.set(this.#uri, marked.map(toDiagnostic));
	}
}

/**
 * Whether a problem is marked already. In open files, VS Code's own JSON check marks syntax errors and duplicate keys, and cannot be turned off.
 * Nothing else overlaps: our JSON schema reports no errors.
 */
function isMarkedBy(others: readonly vscode.Diagnostic[], problem: ConfigProblem): boolean {
	switch (problem.reason?.kind) {
		case 'syntax':
			return others.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
		case 'doubled-key':
			return others.some(({ range }) => range.intersection(problemRange(problem)));
		default:
			return false;
	}
}

export function toDiagnostic(problem: ConfigProblem): vscode.Diagnostic {
	const { message, severity } = problem;
	const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
	const diagnostic = new vscode.Diagnostic(problemRange(problem), message, level);
	diagnostic.source = ids.diagnostics;
	return diagnostic;
}
