import * as vscode from 'vscode';
import type { CatalogTool } from '../discovery/catalog.ts';
import { oneLine } from '../discovery/text.ts';
import { settings } from './ids.ts';

/** Characters of one argument that a confirmation shows. */
export const shownCharacters = 200;

/** Whether a tool only reads, as its server says. */
export function onlyReads(tool: CatalogTool): boolean {
	return tool.annotations?.readOnlyHint === true;
}

/** Whether the user is to be asked before a call, whoever makes it: by the setting, and by what the server says of the tool. */
export function asksFirst(tool: CatalogTool): boolean {
	const confirm = vscode.workspace.getConfiguration(settings.section).get(settings.confirmTools);
	return confirm === 'always' || !onlyReads(tool);
}

/** The question, in plain text. */
export function callQuestion(tool: CatalogTool): string {
	return `Call ${oneLine(tool.name, 60)} of ${oneLine(tool.server, 60)}?`;
}

/** What the server says of the harm that a call can do; empty where it says nothing. */
export function harmClaim(tool: CatalogTool): string {
	return tool.annotations?.destructiveHint === true ? 'May delete or overwrite something.' : '';
}
