import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { writtenOut } from '../../common/exactText.ts';
import { folded } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';
import type { CallProgress } from '../../mcp/connection/connectOptions.ts';
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

/** What is known of a call before it is made. */
export interface AskedCall {
	readonly tool: CatalogTool;
	/** The id of our chat that it belongs to; absent for a call of another chat, or by hand. */
	readonly chat?: string | undefined;
	/** It would carry text of one server to another: then no permission counts. */
	readonly carriesText?: boolean;
}

/** Whether a call is made, and on whose word. */
export type CallVerdict =
	| { readonly kind: 'runs'; readonly by: 'reading' | PermissionRule }
	| { readonly kind: 'asks' }
	| { readonly kind: 'never'; readonly by: PermissionRule };

/** Decides which calls ask the user first, whoever makes them. */
export class CallConfirmation {
	readonly #trustsHints: (server: string) => boolean;
	readonly #ruleFor: (tool: CatalogTool, chat?: string) => PermissionRule | undefined;

	/** `trustsHints`: whether what a server says of its tools counts. `ruleFor`: what the user has decided about such calls. */
	constructor(
		trustsHints: (server: string) => boolean,
		ruleFor: (tool: CatalogTool, chat?: string) => PermissionRule | undefined,
	) {
		this.#trustsHints = trustsHints;
		this.#ruleFor = ruleFor;
	}

	verdict({ tool, chat, carriesText = false }: AskedCall): CallVerdict {
		const rule = this.#ruleFor(tool, chat);
		if (rule?.decision === 'never') return { kind: 'never', by: rule };
		if (carriesText || confirmsEverything()) return { kind: 'asks' };
		if (claimsToRead(tool) && this.#trustsHints(tool.server)) return { kind: 'runs', by: 'reading' };
		return rule ? { kind: 'runs', by: rule } : { kind: 'asks' };
	}

	/** Whether calls of a tool would run without a question if the user trusted what its server says of it. */
	isDoubted(tool: CatalogTool): boolean {
		return claimsToRead(tool) && !this.#trustsHints(tool.server) && !confirmsEverything();
	}
}

/** The question, in plain text. */
export function callQuestion(tool: CatalogTool): string {
	return l10n.t('Run {0} ({1})?', folded(writtenOut(tool.name), 60), folded(writtenOut(tool.server), 60));
}

/** `3 of 10: copying`, as far as the server says so. */
export function progressText({ progress, total, message }: CallProgress): string {
	const count = total === undefined ? `${progress}` : l10n.t('{0} of {1}', progress, total);
	return message ? l10n.t('{0}: {1}', count, message) : count;
}
