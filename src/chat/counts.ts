import * as l10n from '@vscode/l10n';
import type { CostSums } from '../common/cost.ts';

/** What numbers are written in; the extension and its pages say so when they start. */
let language = 'en';

export function setNumberLanguage(tag: string): void {
	language = tag;
}

/** A whole number as people read it: `12,345`. */
export function wholeNumber(n: number): string {
	const whole = Math.round(n);
	return Math.abs(whole) < 1000 ? `${whole}` : whole.toLocaleString(language);
}

/** Tokens as a row, a picture or a sentence has room for them: `980`, `1.2k`, `687k`, `1.6M`. */
export function shortNumber(n: number): string {
	if (n < 1000) return `${Math.round(n)}`;
	const [value, unit] = n < 999_500 ? [n / 1000, 'k'] : [n / 1_000_000, 'M'];
	return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`;
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

/** `1 tool`, `2,000 tools`, in the user’s language: one literal for each form, as languages form plurals in their own ways. */
export function toolCount(n: number): string {
	return n === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', wholeNumber(n));
}

export function deferredCount(n: number): string {
	return n === 1 ? l10n.t('1 deferred tool') : l10n.t('{0} deferred tools', wholeNumber(n));
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

/** A share as people read it: `4%`, and never nothing or all where it is not: `<1%`, `>99%`. */
export function percent(share: number): string {
	const rounded = Math.round(share * 100);
	if (rounded === 0 && share > 0) return '<1%';
	return rounded === 100 && share < 1 ? '>99%' : `${rounded}%`;
}

/** A sum as people read it, with as many digits as say something: `$12.34`, `$0.056`, `$0.00042`; never `$0` where it is not. */
export function dollars(usd: number): string {
	if (usd > 0 && usd < leastShownUsd) return `<$${leastShownUsd.toFixed(5)}`;
	const digits = usd === 0 || usd >= 1 ? 2 : Math.min(5, 1 - Math.floor(Math.log10(usd)));
	const shown = Math.max(2, digits);
	return `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: shown })}`;
}

/** What is less than this is not told to the last digit. In US dollars. */
const leastShownUsd = 0.00001;

export function answerCount(n: number): string {
	return n === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', wholeNumber(n));
}

/** What answers cost: `$0.12`, and `≈$0.12` where some of it was reckoned by the models' prices. */
export function shownCost({ usd, answers, toldAnswers }: CostSums): string {
	return toldAnswers === answers ? dollars(usd) : `≈${dollars(usd)}`;
}
