import * as l10n from '@vscode/l10n';
import { whole } from './numbers.ts';

/** `1 tool`, `2,000 tools`: one literal for each form, as languages form plurals in their own ways. */
export function toolCount(n: number): string {
	return n === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', whole(n));
}

export function callCount(n: number): string {
	return n === 1 ? l10n.t('1 call') : l10n.t('{0} calls', whole(n));
}

export function searchCount(n: number): string {
	return n === 1 ? l10n.t('1 search') : l10n.t('{0} searches', whole(n));
}

export function requestCount(n: number): string {
	return n === 1 ? l10n.t('1 request') : l10n.t('{0} requests', whole(n));
}

export function answerCount(n: number): string {
	return n === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', whole(n));
}
