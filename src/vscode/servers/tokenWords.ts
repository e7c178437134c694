import * as l10n from '@vscode/l10n';

/** `950`, `1.2k`. */
export function shortNumber(n: number): string {
	return n < 1000 ? `${n}` : `${(n / 1000).toFixed(1)}k`;
}

/** `≈1.2k tokens`, for a row. */
export function shownTokens(n: number): string {
	return l10n.t('≈{0} tokens', shortNumber(n));
}

/** The same for a screen reader, which may leave out or spell the sign. */
export function spokenTokens(n: number): string {
	return l10n.t('about {0} tokens', shortNumber(n));
}

/** The same where there is room to say how the number came about. */
export function estimatedTokens(n: number): string {
	return l10n.t('≈{0} tokens (estimated)', shortNumber(n));
}
