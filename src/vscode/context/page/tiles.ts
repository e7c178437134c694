import * as l10n from '@vscode/l10n';
import {
	answerCount,
	dollars,
	percent,
	requestCount,
	shortNumber,
	shownCost,
	wholeNumber,
} from '../../../chat/counts.ts';
import type { CostSums } from '../../../common/cost.ts';
import type { ContextReport } from '../../../discovery/report.ts';
import { type Child, element, type PageNode } from '../../ui/page/element.ts';

/** A part of a whole: 0 to 1, and `4% of that`. */
interface Share {
	readonly words: string;
	readonly value: number;
}

/** A figure at a glance. */
interface Tile {
	readonly key: string;
	readonly title: string;
	readonly value: string;
	/** How the figure came about; absent where there is none yet. */
	readonly source?: 'estimated' | 'measured';
	readonly text: string;
	/** What part of a whole it is. */
	readonly share?: Share;
}

/** What a request takes now, what has been saved, what the provider has counted, and what it costs where a price is known. */
export function tilesOf(report: Pick<ContextReport, 'costs' | 'usage'>): readonly Tile[] {
	const { cost } = report.usage;
	return [perRequest(report), saved(report), measured(report), ...(cost ? [spent(cost)] : [])];
}

export function tileList(report: ContextReport): PageNode {
	const tiles = tilesOf(report).map(tileElement);
	return element('ul', { class: 'tiles', 'data-key': 'tiles', 'aria-label': l10n.t('Tokens') }, ...tiles);
}

function perRequest({ costs: { sent, everything } }: Pick<ContextReport, 'costs'>): Tile {
	const share = everything.tokens > 0 ? sent.tokens / everything.tokens : 1;
	return {
		key: 'request',
		title: l10n.t('Each request now'),
		value: `≈${shortNumber(sent.tokens)}`,
		source: 'estimated',
		text: l10n.t('tokens of tool definitions; ≈{0} with every tool loaded', shortNumber(everything.tokens)),
		share: { words: l10n.t('{0} of that', percent(share)), value: share },
	};
}

function saved({ usage }: Pick<ContextReport, 'usage'>): Tile {
	const { requests, definitionTokens, everyToolTokens } = usage;
	const tokens = everyToolTokens - definitionTokens;
	const base = { key: 'saved', title: l10n.t('Saved so far') };
	if (requests === 0)
		return {
			...base,
			value: '–',
			text: l10n.t('no request has been sent yet'),
		};
	const sent = requestCount(requests);
	if (tokens <= 0) {
		return { ...base, value: '0', source: 'estimated', text: l10n.t('tokens in {0}', sent) };
	}
	const share = tokens / everyToolTokens;
	return {
		...base,
		value: `≈${shortNumber(tokens)}`,
		source: 'estimated',
		text: l10n.t('tokens of tool definitions in {0}', sent),
		share: { words: l10n.t('{0} saved', percent(share)), value: share },
	};
}

function measured({ usage }: Pick<ContextReport, 'usage'>): Tile {
	const { measuredAnswers, inputTokens, cachedInputTokens, outputTokens } = usage;
	const base = { key: 'measured', title: l10n.t('Counted by the provider') };
	if (measuredAnswers === 0) {
		return {
			...base,
			value: '–',
			text: l10n.t('No token counts reported yet; the Offline Planner uses none'),
		};
	}
	const cached = cachedInputTokens / inputTokens;
	return {
		...base,
		value: shortNumber(inputTokens),
		source: 'measured',
		text: l10n.t('tokens in, {0} out, in {1}', wholeNumber(outputTokens), answerCount(measuredAnswers)),
		...(cachedInputTokens > 0 && {
			share: { words: l10n.t('{0} from its cache', percent(cached)), value: cached },
		}),
	};
}

function spent(cost: CostSums): Tile {
	const { usd, answers, toldAnswers, everyToolUsd } = cost;
	const base = {
		key: 'cost',
		title: l10n.t('Cost so far'),
		value: shownCost(cost),
		source: toldAnswers === answers ? ('measured' as const) : ('estimated' as const),
	};
	const of = answerCount(answers);
	if (everyToolUsd === undefined) return { ...base, text: l10n.t('for {0}', of) };
	const text = l10n.t('for {0}; ≈{1} with every tool loaded, estimated', of, dollars(everyToolUsd));
	if (everyToolUsd < usd || everyToolUsd === 0) return { ...base, text };
	const share = usd / everyToolUsd;
	return { ...base, text, share: { words: l10n.t('{0} of that', percent(share)), value: share } };
}

function tileElement({ key, title, value, source, text, share }: Tile): PageNode {
	return element(
		'li',
		{ class: 'card tile', 'data-key': key },
		element('h2', {}, title, mark(source)),
		element('p', { class: 'value' }, value),
		element('p', { class: 'note' }, text),
		share && shareBar(share),
	);
}

function mark(source: Tile['source']): Child {
	if (!source) return undefined;
	const word = source === 'estimated' ? l10n.t('estimated') : l10n.t('measured');
	return element('span', { class: 'source' }, word);
}

function shareBar({ words, value }: Share): PageNode {
	return element(
		'div',
		{ class: 'share' },
		element('progress', { max: 1, value: Math.min(1, value), 'aria-label': words }, words),
		element('span', { 'aria-hidden': 'true' }, words),
	);
}
