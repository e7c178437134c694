import * as l10n from '@vscode/l10n';
import type { Scale } from 'chart.js';
import { barLook, draw, hover, nameAxis, seen, tokenAxis } from './charts.ts';
import { whole } from './numbers.ts';
import type { ServerBar } from './serverBars.ts';
import type { ChartTheme } from './theme.ts';

/** Height of one bar with the room around it, and of the axis below them, in pixels. */
const rowHeight = 30;
const axisHeight = 30;
/** Share of the chart that names may take, and characters of one that always stand there. */
const labelShare = 0.35;
const leastLabel = 6;
/** Width of a character, as a multiple of the font's size. */
const characterWidth = 0.6;

/** Draws one bar a server: what of it is loaded, and what is deferred. */
export function drawServers(canvas: HTMLCanvasElement, bars: readonly ServerBar[], theme: ChartTheme): void {
	if (canvas.parentElement) {
		canvas.parentElement.style.height = `${bars.length * rowHeight + axisHeight}px`;
	}
	const bar = (kind: 'loaded' | 'deferred', label: string) => ({
		label,
		data: bars.map((one) => seen(one[kind])),
		...barLook(kind, theme),
		barPercentage: 0.7,
	});
	const names = nameAxis(theme);
	function label(this: Scale, index: number | string): string {
		return cut(bars[Number(index)]?.label ?? '', this.chart.width, theme.font.size);
	}
	draw(canvas, {
		type: 'bar',
		data: {
			labels: bars.map(({ label }) => label),
			datasets: [bar('loaded', l10n.t('Loaded')), bar('deferred', l10n.t('Deferred'))],
		},
		options: {
			indexAxis: 'y',
			maintainAspectRatio: false,
			interaction: { mode: 'index', axis: 'y', intersect: false },
			scales: { x: tokenAxis(theme), y: { ...names, ticks: { ...names.ticks, callback: label } } },
			plugins: {
				tooltip: {
					...hover(theme),
					callbacks: {
						title: ([item]) => bars[item?.dataIndex ?? -1]?.label ?? '',
						label: ({ dataset, raw }) => l10n.t('{0}: ≈{1} tokens', dataset.label ?? '', whole(Number(raw))),
					},
				},
			},
		},
	});
}

/** A name as there is room for it; the chart itself would cut off its beginning. */
function cut(name: string, width: number, fontSize: number): string {
	const room = Math.max(leastLabel, Math.floor((width * labelShare) / (fontSize * characterWidth)));
	return name.length > room ? `${name.slice(0, room - 1)}…` : name;
}
