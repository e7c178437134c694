import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/config.ts';

/** Where in the configuration file a fault is. */
export function problemRange({ start, end }: ConfigProblem): vscode.Range {
	return new vscode.Range(start.line, start.character, end.line, end.character);
}
