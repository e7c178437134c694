import * as l10n from '@vscode/l10n';
import { element, type PageNode } from '../../ui/page/element.ts';

/** A whole number as people read it: `12,345`. */
export function wholeNumber(n: number): string {
	return Math.round(n).toLocaleString(language());
}

/** Tokens as a picture or a sentence has room for them: `980`, `1.2k`, `687k`, `1.6M`. */
export function shortNumber(n: number): string {
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

/** `1 tool`, `2,000 tools`: one literal for each form, as languages form plurals in their own ways. */
export function toolCount(n: number): string {
	return n === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', wholeNumber(n));
}

export function callCount(n: number): string {
	return n === 1 ? l10n.t('1 call') : l10n.t('{0} calls', wholeNumber(n));
}

export function searchCount(n: number): string {
	return n === 1 ? l10n.t('1 search') : l10n.t('{0} searches', wholeNumber(n));
}

export function requestCount(n: number): string {
	return n === 1 ? l10n.t('1 request') : l10n.t('{0} requests', wholeNumber(n));
}

export function answerCount(n: number): string {
	return n === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', wholeNumber(n));
}

// Made once: a long chat has hundreds of times, and a format takes longer to make than to use.
const timeOfDay = new Intl.DateTimeFormat([], {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
});
const wholeTime = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of day, with the whole of it for machines and as a tooltip. */
export function timeOf(at: number): PageNode {
	const attributes = { datetime: new Date(at).toISOString(), title: wholeTime.format(at) };
	return element('time', attributes, timeOfDay.format(at));
}
