import * as l10n from '@vscode/l10n';
import {
	BarController,
	BarElement,
	CategoryScale,
	Chart,
	type ChartConfiguration,
	LinearScale,
	LineController,
	LineElement,
	PointElement,
	type Scale,
	Tooltip,
	type TooltipOptions,
} from 'chart.js';
import { shortNumber, wholeNumber } from '../../../chat/counts.ts';
import type { RequestBar, RequestBars, ServerBar } from './figures.ts';
import { type ChartTheme, stripes } from './theme.ts';

type Configuration = ChartConfiguration<'bar' | 'line', number[], string>;

Chart.register(
	BarController,
	BarElement,
	CategoryScale,
	LinearScale,
	LineController,
	LineElement,
	PointElement,
	Tooltip,
);
// The figures change while they are read, and motion disturbs some people.
Chart.defaults.animation = false;

/** Draws a chart, or draws it anew where there is one. */
function drawChart(canvas: HTMLCanvasElement, { type, data, options }: Configuration): void {
	const drawn = Chart.getChart(canvas);
	if (!drawn) {
		new Chart(canvas, { type, data, options } as Configuration);
		return;
	}
	drawn.data = data;
	drawn.options = options ?? {};
	drawn.update('none');
}

/** Ends the charts whose place in the page is gone. */
export function dropCharts(): void {
	for (const chart of Object.values(Chart.instances)) if (!chart.canvas.isConnected) chart.destroy();
}

/** In both charts and every theme, bars of what goes to the model are filled, and bars of what does not are striped. */
function barLook(kind: 'loaded' | 'deferred', theme: ChartTheme) {
	const color = theme[kind];
	return {
		backgroundColor: kind === 'loaded' ? color : stripes(color),
		borderColor: color,
		borderWidth: 1,
		borderSkipped: false as const,
		// So that a loaded server with few tokens is seen.
		minBarLength: kind === 'loaded' ? 2 : 0,
	};
}

/** NaN draws no bar; 0 would draw the shortest one. */
function barLength(tokens: number): number {
	return tokens === 0 ? Number.NaN : tokens;
}

/** The axis of tokens. */
function tokenAxis(theme: ChartTheme) {
	return {
		stacked: true,
		beginAtZero: true,
		border: { display: false },
		grid: { color: theme.grid, drawTicks: false },
		ticks: {
			color: theme.quiet,
			font: theme.font,
			padding: 6,
			maxTicksLimit: 6,
			callback: (value: string | number) => shortNumber(Number(value)),
		},
	};
}

/** The axis of servers or requests. */
function nameAxis(theme: ChartTheme) {
	return {
		stacked: true,
		border: { color: theme.grid },
		grid: { display: false },
		ticks: { color: theme.text, font: theme.font, padding: 4, maxRotation: 0 },
	};
}

/** The box that follows the mouse, in the style of the editor's own hovers. */
function tooltipStyle({ hover: look, font }: ChartTheme): Partial<TooltipOptions<'bar' | 'line'>> {
	return {
		backgroundColor: look.background,
		borderColor: look.border,
		borderWidth: 1,
		titleColor: look.text,
		bodyColor: look.text,
		footerColor: look.text,
		titleFont: font,
		bodyFont: font,
		footerFont: { ...font, weight: 'normal' },
		cornerRadius: 3,
		padding: 8,
		boxPadding: 4,
	};
}

/** Height of one bar with the room around it, and of the axis below them, in pixels. */
const rowHeight = 30;
const axisHeight = 30;
/** Share of the chart's width that names may take, and the least characters of a name that are shown. */
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
		data: bars.map((one) => barLength(one[kind])),
		...barLook(kind, theme),
		barPercentage: 0.7,
	});
	const names = nameAxis(theme);
	function label(this: Scale, index: number | string): string {
		return cut(bars[Number(index)]?.label ?? '', this.chart.width, theme.font.size);
	}
	drawChart(canvas, {
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
					...tooltipStyle(theme),
					callbacks: {
						title: ([item]) => bars[item?.dataIndex ?? -1]?.label ?? '',
						label: ({ dataset, raw }) =>
							l10n.t('{0}: ≈{1} tokens', dataset.label ?? '', wholeNumber(Number(raw))),
					},
				},
			},
		},
	});
}

/** A name cut to the room that there is; the chart itself would cut off its beginning. */
function cut(name: string, width: number, fontSize: number): string {
	const room = Math.max(leastLabel, Math.floor((width * labelShare) / (fontSize * characterWidth)));
	return name.length > room ? `${name.slice(0, room - 1)}…` : name;
}

/** Size of the mark where something was loaded, in pixels. */
const markRadius = 6;
/** Where it stands, as a multiple of the height of its bar. */
const aboveBar = 1.06;

/** Draws one bar a request: what was sent, above it what was spared, and a mark where tools were loaded before it. */
export function drawRequests(canvas: HTMLCanvasElement, requests: RequestBars, theme: ChartTheme): void {
	const { bars, toScale } = requests;
	const sizes = { barPercentage: 0.8, maxBarThickness: 36 };
	drawChart(canvas, {
		type: 'bar',
		data: {
			labels: bars.map(({ number }) => `${number}`),
			datasets: [
				marks(requests, theme),
				{
					label: l10n.t('Sent'),
					data: bars.map(({ sent }) => barLength(sent)),
					...barLook('loaded', theme),
					...sizes,
				},
				...(toScale
					? [
							{
								label: l10n.t('Spared'),
								data: bars.map(({ spared }) => barLength(spared)),
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
					...tooltipStyle(theme),
					filter: ({ dataset }) => dataset.type !== 'line',
					callbacks: {
						title: ([item]) => l10n.t('Request {0}', bars[item?.dataIndex ?? -1]?.number ?? ''),
						label: ({ dataset, raw }) =>
							l10n.t('{0}: ≈{1} tokens', dataset.label ?? '', wholeNumber(Number(raw))),
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
		// A stack of its own: in that of the bars, the mark would be added to their height.
		stack: 'marks',
		showLine: false,
		pointStyle: 'triangle',
		// The tip of the triangle points down at the bar.
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
		...(toScale ? [] : [l10n.t('Every tool: ≈{0} tokens', shortNumber(bar.sent + bar.spared))]),
		...(bar.loaded.length > 0 ? [l10n.t('Loaded before: {0}', bar.loaded.join(', '))] : []),
	].join('\n');
}
