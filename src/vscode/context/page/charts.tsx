import * as l10n from '@vscode/l10n';
import { wholeNumber } from '../../../chat/counts.ts';
import type { ContextReport } from '../../../discovery/report.ts';
import { type Child, element, type PageNode } from '../../ui/page/element.ts';
import { type RequestBar, requestBars, requestNote, serverBars } from './figures.ts';
import { table } from './parts.tsx';

/** The charts that have something to show. */
export function charts(report: ContextReport): Child {
	const servers = serverBars(report);
	const requests = requestBars(report.timeline, report.usage.requests);
	if (servers.length === 0 && requests.bars.length === 0) return undefined;
	const most = Math.max(...servers.map(({ loaded, deferred }) => loaded + deferred));
	return (
		<div class="figures" data-key="figures">
			{servers.length > 0 &&
				chart(
					'servers-chart',
					l10n.t('Tokens by server'),
					l10n.t('Estimated size of tool definitions'),
					[l10n.t('Loaded: in every request'), l10n.t('Deferred: found by search')],
					table(
						l10n.t('Estimated tokens by server'),
						[
							[l10n.t('Server')],
							[l10n.t('Share'), 'unseen'],
							[l10n.t('Loaded'), 'number'],
							[l10n.t('Deferred'), 'number'],
						],
						servers.map(({ label, loaded, deferred }) => ({
							key: label,
							cells: [label, bar(loaded, deferred, most), wholeNumber(loaded), wholeNumber(deferred)],
						})),
					),
				)}
			{requests.bars.length > 0 && requestChart(requests)}
		</div>
	);
}

function requestChart(requests: ReturnType<typeof requestBars>): PageNode {
	const { bars, toScale } = requests;
	const saved = (bar: RequestBar) => (toScale ? bar.saved : 0);
	const most = Math.max(...bars.map((bar) => bar.sent + saved(bar)));
	return chart(
		'requests-chart',
		l10n.t('Tokens by request'),
		requestNote(requests),
		[l10n.t('Sent'), ...(toScale ? [l10n.t('Saved')] : [])],
		table(
			l10n.t('Estimated tokens by request'),
			[
				[l10n.t('Request')],
				[l10n.t('New tools')],
				[l10n.t('Sent'), 'number'],
				[l10n.t('Every tool'), 'number'],
			],
			// The newest first, which people look for.
			bars.toReversed().map((one) => ({
				key: `${one.number}`,
				cells: [
					one.number,
					[
						bar(one.sent, saved(one), most),
						one.loaded.length > 0 && <span class="note">{`+ ${one.loaded.join(', ')}`}</span>,
					],
					wholeNumber(one.sent),
					wholeNumber(one.sent + one.saved),
				],
			})),
		),
	);
}

/** The figures stand beside the bars, so that nobody has to see the bars. `legend`: the filled part, and the striped one. */
function chart(
	key: string,
	title: string,
	note: string,
	legend: readonly string[],
	content: PageNode,
): PageNode {
	return (
		<section class="card figure" data-key={key} aria-labelledby={`${key}-title`}>
			<h2 id={`${key}-title`} tabindex={-1}>
				{title}
			</h2>
			<p class="note">{note}</p>
			<ul class="legend" aria-hidden="true">
				{legend.map((name, i) => (
					<li>
						<span class={`swatch ${i === 0 ? 'loaded' : 'deferred'}`} />
						{name}
					</li>
				))}
			</ul>
			{content}
		</section>
	);
}

/** A bar; its full width stands for `most`. */
function bar(loaded: number, deferred: number, most: number): PageNode {
	const width = (tokens: number) => `width: ${(100 * tokens) / most}%`;
	return (
		<div class="bar" aria-hidden="true">
			{loaded > 0 && <span class="loaded" style={width(loaded)} />}
			{deferred > 0 && <span class="deferred" style={width(deferred)} />}
		</div>
	);
}
