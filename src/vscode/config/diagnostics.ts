import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/file/problemReport.ts';
import type { Services } from '../../services.ts';
import { ids } from '../ui/ids.ts';
import { openDocument, problemRange } from '../ui/readingEditor.ts';
import { Debounce } from '../ui/throttle.ts';

/** While its user types, the file is checked this long after the last key. */
const checkDelayMs = 250;

/** Marks the faults of the configuration at their places, in the saved files and in the text that is being typed. */
export function registerDiagnostics(configFile: Services['configFile']): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection(ids.diagnostics);
	const checks = new Debounce(checkDelayMs);
	/** By address. */
	const files = new Map<string, FileMarks>();
	const marksOf = (uri: vscode.Uri) => {
		const marks = files.get(uri.toString()) ?? new FileMarks(uri, collection);
		files.set(uri.toString(), marks);
		return marks;
	};
	const checkSoon = (document: vscode.TextDocument) => {
		const { uri } = document;
		if (!configFile.isAt(uri)) return;
		checks.request(uri.toString(), async () => {
			const { version } = document;
			const problems = await configFile.check(uri, document.getText());
			// A later text has its own check, which may be done already.
			if (document.version === version) marksOf(uri).show(problems);
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
			// The state tells of the saved file; where the user has changed the text, that is checked, too.
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

/** What is marked in one file. */
class FileMarks {
	readonly #uri: vscode.Uri;
	readonly #collection: vscode.DiagnosticCollection;
	#problems: readonly ConfigProblem[] = [];
	/** What our marks in the file are of. */
	#drawn: readonly ConfigProblem[] = [];

	constructor(uri: vscode.Uri, collection: vscode.DiagnosticCollection) {
		this.#uri = uri;
		this.#collection = collection;
	}

	show(problems: readonly ConfigProblem[]): void {
		this.#problems = problems;
		this.draw();
	}

	/** Marks what the editor has not marked itself. */
	draw(): void {
		const others = vscode.languages
			.getDiagnostics(this.#uri)
			.filter(({ source }) => source !== ids.diagnostics);
		const marked = this.#problems.filter((problem) => !isToldBy(others, problem));
		// Setting them is a change of diagnostics in its turn.
		if (isDeepStrictEqual(marked, this.#drawn)) return;
		this.#drawn = marked;
		this.#collection.set(this.#uri, marked.map(toDiagnostic));
	}
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
