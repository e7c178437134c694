import * as l10n from '@vscode/l10n';
import { barLook, draw, hover, nameAxis, seen, tokenAxis } from './charts.ts';
import { short, whole } from './numbers.ts';
import type { RequestBar, RequestBars } from './requestBars.ts';
import type { ChartTheme } from './theme.ts';

/** Size of the mark where something was loaded, in pixels. */
const markRadius = 6;
/** Where it stands, as a multiple of the height of its bar. */
const aboveBar = 1.06;

/** Draws one bar a request: what was sent, over it what every tool would have been more, and a mark where something was loaded. */
export function drawRequests(canvas: HTMLCanvasElement, requests: RequestBars, theme: ChartTheme): void {
	const { bars, toScale } = requests;
	const sizes = { barPercentage: 0.8, maxBarThickness: 36 };
	draw(canvas, {
		type: 'bar',
		data: {
			labels: bars.map(({ number }) => `${number}`),
			datasets: [
				marks(requests, theme),
				{
					label: l10n.t('Sent'),
					data: bars.map(({ sent }) => seen(sent)),
					...barLook('loaded', theme),
					...sizes,
				},
				...(toScale
					? [
							{
								label: l10n.t('Spared'),
								data: bars.map(({ spared }) => seen(spared)),
								...barLook('deferred', theme),
								...sizes,
							},
						]
					: []),
			],
		},
		options: {
			maintainAspectRatio: false,
			interaction: { mode: 'index', intersect: false },
			layout: { padding: { top: 2 * markRadius } },
			scales: { x: nameAxis(theme), y: tokenAxis(theme) },
			plugins: {
				tooltip: {
					...hover(theme),
					filter: ({ dataset }) => dataset.type !== 'line',
					callbacks: {
						title: ([item]) => l10n.t('Request {0}', bars[item?.dataIndex ?? -1]?.number ?? ''),
						label: ({ dataset, raw }) => l10n.t('{0}: ≈{1} tokens', dataset.label ?? '', whole(Number(raw))),
						footer: ([item]) => footer(bars[item?.dataIndex ?? -1], toScale),
					},
				},
			},
		},
	});
}

function marks({ bars, toScale }: RequestBars, theme: ChartTheme) {
	const over = ({ sent, spared }: RequestBar) => aboveBar * (sent + (toScale ? spared : 0));
	return {
		type: 'line' as const,
		label: l10n.t('Loaded here'),
		data: bars.map((bar) => (bar.loaded.length > 0 ? over(bar) : Number.NaN)),
		// Of its own, else the mark would be stacked upon the bar.
		stack: 'marks',
		showLine: false,
		pointStyle: 'triangle',
		// Its tip down, to the bar.
		pointRotation: 180,
		pointRadius: markRadius,
		pointHoverRadius: markRadius,
		pointBackgroundColor: theme.mark,
		pointBorderColor: theme.background,
		pointBorderWidth: 1,
		clip: false as const,
	};
}

function footer(bar: RequestBar | undefined, toScale: boolean): string {
	if (!bar) return '';
	return [
		...(toScale ? [] : [l10n.t('Every tool: ≈{0} tokens', short(bar.sent + bar.spared))]),
		...(bar.loaded.length > 0 ? [l10n.t('Loaded before: {0}', bar.loaded.join(', '))] : []),
	].join('\n');
}
