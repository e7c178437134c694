import * as l10n from '@vscode/l10n';
import { wholeNumber } from '../../../chat/counts.ts';
import type { ContextReport } from '../../../discovery/report.ts';
import { type Child, element, type PageNode } from '../../ui/page/element.ts';
import { serverBars } from './figures.ts';
import { table } from './parts.tsx';

/** The tokens of each server. The figures stand beside the bars, so that nobody has to see the bars. */
export function serverChart(report: ContextReport): Child {
	const servers = serverBars(report);
	if (servers.length === 0) return undefined;
	const most = Math.max(...servers.map(({ loaded, deferred }) => loaded + deferred));
	return (
		<section class="card figure" data-key="servers-chart" aria-labelledby="servers-chart-title">
			<h2 id="servers-chart-title" tabindex={-1}>
				{l10n.t('Tokens by server')}
			</h2>
			<p class="note">{l10n.t('Estimated size of tool definitions')}</p>
			<ul class="legend" aria-hidden="true">
				<li>
					<span class="swatch loaded" />
					{l10n.t('Loaded: in every request')}
				</li>
				<li>
					<span class="swatch deferred" />
					{l10n.t('Deferred: found by search')}
				</li>
			</ul>
			{table(
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
			)}
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
