import * as l10n from '@vscode/l10n';

/** `1 tool`, `2 tools`, in the user's language. */
export function toolCount(n: number): string {
	return n === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', n);
}

/** `1 server`, `2 servers`, in the user's language. */
export function serverCount(n: number): string {
	return n === 1 ? l10n.t('1 server') : l10n.t('{0} servers', n);
}
