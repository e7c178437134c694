import * as vscode from 'vscode';
import { ModelError } from '../../models/modelError.ts';

/** A model's failure as the editor knows failures, in our sentence. What caused it stays here: it is the provider's own. */
export function editorError(error: unknown): unknown {
	if (!(error instanceof ModelError)) return error;
	switch (error.reason) {
		case 'unauthorized':
		case 'forbidden':
			return vscode.LanguageModelError.NoPermissions(error.message);
		case 'notFound':
			return vscode.LanguageModelError.NotFound(error.message);
		case 'refused':
			return vscode.LanguageModelError.Blocked(error.message);
		default:
			return new Error(error.message);
	}
}
