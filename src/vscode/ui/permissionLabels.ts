import * as l10n from '@vscode/l10n';
import { shownDate } from '../../chat/counts.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import { claimsToDestroy, type PermissionRule } from '../../mcp/accepted/permissions.ts';
import { labelText } from './labelText.ts';

/** `files:write_file`. */
export function ruleSubject({ server, tool }: PermissionRule): string {
	return labelText(toolId({ server, name: tool }));
}

/** A rule in a few words, for a row. `chat`: the id of the chat that is shown. */
export function ruleWords({ decision, scope }: PermissionRule, chat: string | undefined): string {
	if (scope.kind === 'workspace')
		return decision === 'allow' ? l10n.t('always allowed') : l10n.t('never allowed');
	if (scope.chat === chat)
		return decision === 'allow' ? l10n.t('allowed in this chat') : l10n.t('not allowed in this chat');
	return decision === 'allow' ? l10n.t('allowed in another chat') : l10n.t('not allowed in another chat');
}

/** A rule as a sentence, for a tooltip. */
export function ruleSentence(rule: PermissionRule): string {
	const { decision, scope, since } = rule;
	const date = shownDate(since);
	if (decision === 'never') return l10n.t('Never runs. You decided this on {0}.', date);
	return scope.kind === 'workspace'
		? l10n.t('Runs without asking in this workspace. You allowed this on {0}.', date)
		: l10n.t('Runs without asking in the last used chat. You allowed this on {0}.', date);
}

/** A rule for the log. */
export function ruleRecord(rule: PermissionRule): string {
	const { decision, server, tool, scope, since } = rule;
	const where = scope.kind === 'workspace' ? 'this workspace' : `chat ${scope.chat}`;
	return `${decision} ${toolId({ server, name: tool })} in ${where}, since ${new Date(since).toISOString()}`;
}

/** A warning if the server marks the tool as destructive, otherwise empty. */
export function harmClaim(tool: CatalogTool): string {
	return claimsToDestroy(tool) ? l10n.t('May delete or overwrite data.') : '';
}
