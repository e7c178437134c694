import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import { type Child, element } from './element.ts';
import { counted, percent, short, whole } from './numbers.ts';

/** A figure at a glance. */
export interface Tile {
	readonly key: string;
	readonly title: string;
	readonly value: string;
	/** How the figure came about; absent where there is none yet. */
	readonly source?: 'estimated' | 'measured';
	readonly text: string;
	/** What part of a whole it is, and of which. */
	readonly share?: { readonly of: string; readonly value: number };
}

/** The three that matter: what a request costs now, what has been saved, and what the provider has counted. */
export function tilesOf(report: Pick<ContextReport, 'costs' | 'usage'>): readonly Tile[] {
	return [perRequest(report), saved(report), measured(report)];
}

export function tileList(report: ContextReport): HTMLElement {
	const tiles = tilesOf(report).map(tileElement);
	return element('ul', { class: 'tiles', 'data-key': 'tiles', 'aria-label': 'Tokens' }, ...tiles);
}

function perRequest({ costs: { sent, everything } }: Pick<ContextReport, 'costs'>): Tile {
	const share = everything.tokens > 0 ? sent.tokens / everything.tokens : 1;
	return {
		key: 'request',
		title: 'Each request now',
		value: `≈${short(sent.tokens)}`,
		source: 'estimated',
		text: `tokens of tool definitions; ≈${short(everything.tokens)} with every tool loaded`,
		share: { of: 'of that', value: share },
	};
}

function saved({ usage }: Pick<ContextReport, 'usage'>): Tile {
	const { requests, definitionTokens, everyToolTokens } = usage;
	const tokens = everyToolTokens - definitionTokens;
	const base = { key: 'saved', title: 'Saved so far' };
	if (requests === 0) return { ...base, value: '–', text: 'no request has been sent yet' };
	if (tokens <= 0)
		return { ...base, value: '0', source: 'estimated', text: `tokens in ${counted(requests, 'request')}` };
	return {
		...base,
		value: `≈${short(tokens)}`,
		source: 'estimated',
		text: `tokens of tool definitions in ${counted(requests, 'request')}`,
		share: { of: 'saved', value: tokens / everyToolTokens },
	};
}

function measured({ usage }: Pick<ContextReport, 'usage'>): Tile {
	const { measuredAnswers, inputTokens, cachedInputTokens, outputTokens } = usage;
	const base = { key: 'measured', title: 'Counted by the provider' };
	if (measuredAnswers === 0) {
		return {
			...base,
			value: '–',
			text: 'no answer has come with its tokens yet; the Offline Planner has none',
		};
	}
	return {
		...base,
		value: short(inputTokens),
		source: 'measured',
		text: `tokens in, ${whole(outputTokens)} out, in ${counted(measuredAnswers, 'answer')}`,
		...(cachedInputTokens > 0 && {
			share: { of: 'from its cache', value: cachedInputTokens / inputTokens },
		}),
	};
}

function tileElement({ key, title, value, source, text, share }: Tile): HTMLElement {
	return element(
		'li',
		{ class: 'card tile', 'data-key': key },
		element('h2', {}, title, mark(source)),
		element('p', { class: 'value' }, value),
		element('p', { class: 'note' }, text),
		...(share ? [shareBar(share)] : []),
	);
}

function mark(source: Tile['source']): Child {
	return source && element('span', { class: 'source' }, source);
}

function shareBar({ of, value }: { readonly of: string; readonly value: number }): HTMLElement {
	const words = `${percent(value)} ${of}`;
	return element(
		'div',
		{ class: 'share' },
		element('progress', { max: 1, value: Math.min(1, value), 'aria-label': words }, words),
		element('span', { 'aria-hidden': 'true' }, words),
	);
}
