import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { oneLine } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { CallProgress } from '../../mcp/connection/connection.ts';
import { settings } from './ids.ts';

/** Characters of one argument that a confirmation shows. */
export const shownCharacters = 200;

/** Whether calls of every tool ask, whatever its server says of it. */
export function confirmsEverything(): boolean {
	const confirm = vscode.workspace.getConfiguration(settings.section).get(settings.confirmTools);
	return confirm === 'always';
}

/** Whether a tool only reads, as its server says. */
function claimsToRead(tool: CatalogTool): boolean {
	return tool.annotations?.readOnlyHint === true;
}

/** Decides which calls ask the user first, whoever makes them. */
export class CallConfirmation {
	readonly #trustsHints: (server: string) => boolean;

	/** `trustsHints`: whether what a server says of its tools counts. */
	constructor(trustsHints: (server: string) => boolean) {
		this.#trustsHints = trustsHints;
	}

	/** Whether a tool only reads, as a server says that the user trusts. */
	onlyReads(tool: CatalogTool): boolean {
		return claimsToRead(tool) && this.#trustsHints(tool.server);
	}

	asksFirst(tool: CatalogTool): boolean {
		return confirmsEverything() || !this.onlyReads(tool);
	}

	/** Whether calls of a tool would run without a question if the user trusted what its server says of it. */
	isDoubted(tool: CatalogTool): boolean {
		return claimsToRead(tool) && !this.#trustsHints(tool.server) && !confirmsEverything();
	}
}

/** The question, in plain text. */
export function callQuestion(tool: CatalogTool): string {
	return l10n.t('Call {0} of {1}?', oneLine(tool.name, 60), oneLine(tool.server, 60));
}

/** What the server says of the harm that a call can do; empty where it says nothing. */
export function harmClaim(tool: CatalogTool): string {
	return tool.annotations?.destructiveHint === true ? l10n.t('May delete or overwrite something.') : '';
}

/** `3 of 10: copying`, as far as the server says so. */
export function progressText({ progress, total, message }: CallProgress): string {
	const count = total === undefined ? `${progress}` : l10n.t('{0} of {1}', progress, total);
	return message ? l10n.t('{0}: {1}', count, message) : count;
}
