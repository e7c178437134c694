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

/** A share from 0 to 1, and as text (`96% saved`). */
interface Share {
	readonly words: string;
	readonly value: number;
}

export interface Tile {
	readonly key: string;
	readonly title: string;
	readonly value: string;
	/** How the figure came about; absent if there is none yet. */
	readonly source?: 'estimated' | 'measured';
	readonly text: string;
	readonly share?: Share;
}

/** Tokens per request, tokens saved, tokens that the provider counted, and the cost if the price is known. */
export function tilesOf(report: Pick<ContextReport, 'costs' | 'usage'>): readonly Tile[] {
	const { cost } = report.usage;
	return [perRequest(report), saved(report), measured(report), ...(cost ? [spent(cost)] : [])];
}

function perRequest({ costs: { sent, everything } }: Pick<ContextReport, 'costs'>): Tile {
	const saved = 1 - sent.tokens / everything.tokens;
	return {
		key: 'request',
		title: l10n.t('Each request now'),
		value: `≈${shortNumber(sent.tokens)}`,
		source: 'estimated',
		text: l10n.t('tokens of tool definitions; ≈{0} with every tool loaded', shortNumber(everything.tokens)),
		...(saved > 0 && { share: savedShare(saved) }),
	};
}

function savedShare(value: number): Share {
	return { words: l10n.t('{0} saved', percent(value)), value };
}

function saved({ usage }: Pick<ContextReport, 'usage'>): Tile {
	const { requests, definitionTokens, everyToolTokens } = usage;
	const tokens = everyToolTokens - definitionTokens;
	const base = { key: 'saved', title: l10n.t('Saved so far') };
	if (requests === 0)
		return {
			...base,
			value: '–',
			text: l10n.t('No request sent yet.'),
		};
	const sent = requestCount(requests);
	if (everyToolTokens === 0)
		return { ...base, value: '–', text: l10n.t('The Offline Planner uses no tokens.') };
	if (tokens <= 0) {
		return { ...base, value: '0', source: 'estimated', text: l10n.t('tokens in {0}', sent) };
	}
	const share = tokens / everyToolTokens;
	return {
		...base,
		value: `≈${shortNumber(tokens)}`,
		source: 'estimated',
		text: l10n.t('tokens of tool definitions in {0}', sent),
		share: savedShare(share),
	};
}

function measured({ usage }: Pick<ContextReport, 'usage'>): Tile {
	const { measuredAnswers, inputTokens, cachedInputTokens, outputTokens } = usage;
	const base = { key: 'measured', title: l10n.t('Counted by the provider') };
	if (measuredAnswers === 0) {
		return {
			...base,
			value: '–',
			text: l10n.t('No token counts reported yet.'),
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
	const { usd, answers, reportedAnswers, everyToolUsd } = cost;
	const base = {
		key: 'cost',
		title: l10n.t('Cost so far'),
		value: shownCost(cost),
		source: reportedAnswers === answers ? ('measured' as const) : ('estimated' as const),
	};
	const of = answerCount(answers);
	if (everyToolUsd === undefined) return { ...base, text: l10n.t('for {0}', of) };
	const text = l10n.t('for {0}; ≈{1} with every tool loaded, estimated', of, dollars(everyToolUsd));
	if (everyToolUsd < usd || everyToolUsd === 0) return { ...base, text };
	return { ...base, text, share: savedShare(1 - usd / everyToolUsd) };
}
