import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CallConcern } from '../../chat/callConcern.ts';
import { wholeNumber } from '../../chat/counts.ts';
import { writtenOut } from '../../common/exactText.ts';
import { folded } from '../../common/text.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';
import type { CallProgress } from '../../mcp/connection/connectOptions.ts';
import { settings } from './ids.ts';

/** Characters of an argument in a confirmation. */
export const shownCharacters = 200;

/** Whether every call asks, also of read-only tools. */
export function confirmsEverything(): boolean {
	const confirm = vscode.workspace.getConfiguration(settings.section).get(settings.confirmTools);
	return confirm === 'always';
}

/** Whether the server annotates the tool as read-only. */
function claimsToRead(tool: CatalogTool): boolean {
	return tool.annotations?.readOnlyHint === true;
}

export interface AskedCall {
	readonly tool: CatalogTool;
	/** The id of our chat; absent for calls of other chats, or by hand. */
	readonly chat?: string | undefined;
	/** If there are any, it asks in spite of permissions. */
	readonly concerns?: readonly CallConcern[];
}

/** Whether a call runs, and why. */
export type CallVerdict =
	| { readonly kind: 'runs'; readonly by: 'reading' | PermissionRule }
	| { readonly kind: 'asks' }
	| { readonly kind: 'never'; readonly by: PermissionRule };

/** What the user has decided about calls. */
interface CallDecisions {
	/** Whether the user trusts a server's read-only annotations. */
	readonly trustsHints: (server: string) => boolean;
	/** The user's permission for a call. */
	readonly ruleFor: (tool: CatalogTool, chat?: string) => PermissionRule | undefined;
	/** Whether the stored permissions could be read. */
	readonly knowsRules: () => boolean;
}

/** Decides which calls ask first. */
export class CallConfirmation {
	readonly #decisions: CallDecisions;

	constructor(decisions: CallDecisions) {
		this.#decisions = decisions;
	}

	verdict({ tool, chat, concerns = [] }: AskedCall): CallVerdict {
		const { ruleFor, knowsRules, trustsHints } = this.#decisions;
		const rule = ruleFor(tool, chat);
		if (rule?.decision === 'never') return { kind: 'never', by: rule };
		// The user may never allow it, in a file that cannot be read now.
		if (!knowsRules() || concerns.length > 0 || confirmsEverything()) return { kind: 'asks' };
		if (claimsToRead(tool) && trustsHints(tool.server)) return { kind: 'runs', by: 'reading' };
		return rule ? { kind: 'runs', by: rule } : { kind: 'asks' };
	}

	/** Whether calls would run without asking if the user trusted the server's read-only annotations. */
	isDoubted(tool: CatalogTool): boolean {
		return claimsToRead(tool) && !this.#decisions.trustsHints(tool.server) && !confirmsEverything();
	}
}

export function callQuestion(tool: CatalogTool): string {
	return l10n.t(
		'Run “{0}” from {1}?',
		folded(writtenOut(tool.name), 60),
		folded(writtenOut(tool.server), 60),
	);
}

/** `3 of 10: copying` */
export function progressText({ progress, total, message }: CallProgress): string {
	const format = (n: number) => (Number.isInteger(n) ? wholeNumber(n) : `${n}`);
	const count =
		total === undefined ? format(progress) : l10n.t('{0} of {1}', format(progress), format(total));
	return message ? l10n.t('{0}: {1}', count, message) : count;
}
