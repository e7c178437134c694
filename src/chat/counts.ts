import * as l10n from '@vscode/l10n';
import type { CostSums } from '../common/cost.ts';

/** Language of numbers and dates; the extension and its pages set it when they start. */
let language = 'en';

export function setLanguage(tag: string): void {
	language = tag;
}

/** `12,345` */
export function wholeNumber(n: number): string {
	const rounded = Math.round(n);
	return Math.abs(rounded) < 1000 ? `${rounded}` : rounded.toLocaleString(language);
}

/** A short form for rows and charts: `980`, `1.2k`, `687k`, `1.6M`. */
export function shortNumber(n: number): string {
	if (n < 1000) return `${Math.round(n)}`;
	const [value, unit] = n < 999_500 ? [n / 1000, 'k'] : [n / 1_000_000, 'M'];
	const rounded = value < 99.95 ? value : Math.round(value);
	return `${rounded.toLocaleString(language, { maximumFractionDigits: 1 })}${unit}`;
}

/** `4.0`, `4.2`: with one decimal. */
export function decimal(n: number): string {
	return n.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** `≈1.2k tokens`, for a row. */
export function shownTokens(n: number): string {
	return l10n.t('≈{0} tokens', shortNumber(n));
}

/** The same for a screen reader, which may skip the sign or spell it out. */
export function spokenTokens(n: number): string {
	return l10n.t('about {0} tokens', shortNumber(n));
}

/** The same with a note that it is an estimate. */
export function estimatedTokens(n: number): string {
	return l10n.t('≈{0} tokens (estimated)', shortNumber(n));
}

/** The last line of a list that leaves out so many entries; empty if it leaves out none. */
export function andMore(count: number): readonly string[] {
	return count > 0 ? [l10n.t('… and {0} more', wholeNumber(count))] : [];
}

/** `1 tool`, `2,000 tools`. One literal for each form, because languages form plurals differently. */
export function toolCount(n: number): string {
	return n === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', wholeNumber(n));
}

export function serverCount(n: number): string {
	return n === 1 ? l10n.t('1 server') : l10n.t('{0} servers', wholeNumber(n));
}

export function agentCount(n: number): string {
	return n === 1 ? l10n.t('1 agent') : l10n.t('{0} agents', wholeNumber(n));
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

/** `120 ms`, `3.2 s`. */
export function duration(ms: number): string {
	return ms < 1000 ? l10n.t('{0} ms', Math.round(ms)) : l10n.t('{0} s', decimal(ms / 1000));
}

export function shownDate(ms: number): string {
	return new Date(ms).toLocaleString(language);
}

export function clockTime(ms: number): string {
	return new Date(ms).toLocaleTimeString(language);
}

/** A share: `4%`. Never rounds to nothing or everything: `<1%`, `>99%`. */
export function percent(share: number): string {
	const rounded = Math.round(share * 100);
	if (rounded === 0 && share > 0) return '<1%';
	return rounded === 100 && share < 1 ? '>99%' : `${rounded}%`;
}

/** A sum with significant digits: `$12.34`, `$0.056`, `$0.00042`. Never rounds to `$0`. */
export function dollars(usd: number): string {
	if (usd > 0 && usd < minShownUsd) return `<$${minShownUsd.toFixed(5)}`;
	const digits = usd === 0 || usd >= 1 ? 2 : Math.min(5, 1 - Math.floor(Math.log10(usd)));
	const decimals = Math.max(2, digits);
	return `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: decimals })}`;
}

/** Smaller sums are shown as less than this. In US dollars. */
const minShownUsd = 0.00001;

export function answerCount(n: number): string {
	return n === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', wholeNumber(n));
}

/** The cost of answers: `$0.12`, or `≈$0.12` if some of it was computed from the models' prices. */
export function shownCost({ usd, answers, reportedAnswers }: CostSums): string {
	return reportedAnswers === answers ? dollars(usd) : `≈${dollars(usd)}`;
}
