import * as l10n from '@vscode/l10n';
/** A whole number as people read it: `12,345`. */
export function whole(n: number): string {
	return Math.round(n).toLocaleString(language());
}

/** Tokens as a picture or a sentence has room for them: `980`, `1.2k`, `687k`, `1.6M`. */
export function short(n: number): string {
	if (n < 1000) return `${Math.round(n)}`;
	const [value, unit] = n < 999_500 ? [n / 1000, 'k'] : [n / 1_000_000, 'M'];
	return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`;
}

/** What the page is written in; English where there is no page, as in tests. */
function language(): string {
	return globalThis.document?.documentElement.lang || 'en';
}

/** How long something took: `120 ms`, `3.2 s`. */
export function duration(ms: number): string {
	return ms < 1000 ? l10n.t('{0} ms', Math.round(ms)) : l10n.t('{0} s', (ms / 1000).toFixed(1));
}
