import * as l10n from '@vscode/l10n';
import { code } from '../common/markdown.ts';
import type { CatalogTool } from '../discovery/catalog/catalog.ts';

/** Names tools that match, but whose changes the user must review first. */
export function waitingLine(tools: readonly CatalogTool[]): string {
	const names = tools.map(({ id }) => code(id)).join(', ');
	return tools.length === 1
		? l10n.t('{0} matches, but its change needs your approval', names)
		: l10n.t('{0} match and wait for your approval of their changes', names);
}
