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
	Tooltip,
	type TooltipOptions,
} from 'chart.js';
import { short } from './numbers.ts';
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
// Figures that change while they are looked at need no show, and some people bear none.
Chart.defaults.animation = false;

/** Draws a chart, or draws it anew where there is one. */
export function draw(canvas: HTMLCanvasElement, { type, data, options }: Configuration): void {
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

/** What goes to the model is filled, what does not is striped: in both charts, in every theme. */
export function barLook(kind: 'loaded' | 'deferred', theme: ChartTheme) {
	const color = theme[kind];
	return {
		backgroundColor: kind === 'loaded' ? color : stripes(color),
		borderColor: color,
		borderWidth: 1,
		borderSkipped: false as const,
		// A little is something all the same.
		minBarLength: kind === 'loaded' ? 2 : 0,
	};
}

/** A length to draw: of nothing there is no bar, not even the shortest. */
export function seen(tokens: number): number {
	return tokens === 0 ? Number.NaN : tokens;
}

/** An axis of tokens, and one of names. */
export function tokenAxis(theme: ChartTheme) {
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
			callback: (value: string | number) => short(Number(value)),
		},
	};
}

export function nameAxis(theme: ChartTheme) {
	return {
		stacked: true,
		border: { color: theme.grid },
		grid: { display: false },
		ticks: { color: theme.text, font: theme.font, padding: 4, maxRotation: 0 },
	};
}

/** The box that follows the mouse, as the editor's own hovers look. */
export function hover({ hover: look, font }: ChartTheme): Partial<TooltipOptions<'bar' | 'line'>> {
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
