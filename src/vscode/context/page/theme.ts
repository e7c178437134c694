/** Colours and font of charts, from the editor's theme. */
export interface ChartTheme {
	readonly text: string;
	/** Secondary text. */
	readonly quiet: string;
	readonly grid: string;
	readonly background: string;
	/** What goes to the model. */
	readonly loaded: string;
	/** What does not. */
	readonly deferred: string;
	/** Where something was loaded. */
	readonly mark: string;
	readonly font: { readonly family: string; readonly size: number };
	readonly hover: { readonly text: string; readonly background: string; readonly border: string };
}

/** Whether the system replaces the colours of pages by its own; it does not do so in a canvas, so charts must ask for them. */
const forcedColors = '(forced-colors: active)';

/** The colours now; each falls back to one that every theme has. */
export function chartTheme(): ChartTheme {
	const theme = editorTheme();
	if (!matchMedia(forcedColors).matches) return theme;
	const [text, background] = [systemColor('CanvasText'), systemColor('Canvas')];
	return {
		...theme,
		text,
		quiet: text,
		grid: systemColor('GrayText'),
		background,
		loaded: systemColor('Highlight'),
		deferred: text,
		mark: text,
		hover: { text, background, border: text },
	};
}

/** A colour of the system, read from an element: in a canvas its name would mean that of a light system. */
function systemColor(name: 'Canvas' | 'CanvasText' | 'GrayText' | 'Highlight'): string {
	const probe = document.createElement('span');
	probe.style.color = name;
	document.body.append(probe);
	const { color } = getComputedStyle(probe);
	probe.remove();
	return color;
}

function editorTheme(): ChartTheme {
	const style = getComputedStyle(document.documentElement);
	const first = (...names: string[]) =>
		names.map((name) => style.getPropertyValue(`--vscode-${name}`).trim()).find((value) => value !== '') ??
		'';
	const text = first('charts-foreground', 'foreground');
	const isHighContrast = /\bvscode-high-contrast/.test(document.body.className);
	// In high contrast, secondary text is as strong as the rest, and grid lines stay thin.
	const quiet = isHighContrast ? text : first('descriptionForeground', 'foreground');
	const grid = isHighContrast
		? first('charts-lines')
		: first('widget-border', 'panel-border', 'charts-lines');
	return {
		text,
		quiet,
		grid,
		background: first('editor-background'),
		loaded: first('charts-blue', 'foreground'),
		deferred: quiet,
		mark: first('charts-yellow', 'foreground'),
		font: {
			family: first('font-family') || 'sans-serif',
			size: Number.parseInt(first('font-size'), 10) || 13,
		},
		hover: {
			text: first('editorHoverWidget-foreground', 'foreground'),
			background: first('editorHoverWidget-background', 'editor-background'),
			border: first('editorHoverWidget-border', 'contrastBorder', 'foreground'),
		},
	};
}

/** Calls back when the editor has another theme, or other fonts, or the system other colours. */
export function onDidChangeTheme(changed: () => void): void {
	const observer = new MutationObserver(changed);
	observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
	observer.observe(document.documentElement, { attributeFilter: ['style'] });
	matchMedia(forcedColors).addEventListener('change', changed);
}

/** Stripes of a colour, so that it differs from a plain one by more than its colour. */
export function stripes(color: string): CanvasPattern | string {
	const size = 6;
	const canvas = document.createElement('canvas');
	canvas.width = size;
	canvas.height = size;
	const context = canvas.getContext('2d');
	if (!context) return color;
	context.strokeStyle = color;
	context.lineWidth = 1;
	context.beginPath();
	// A diagonal, and the corners of its neighbours, so that tiles join.
	for (const shift of [-size, 0, size]) {
		context.moveTo(shift - 1, size + 1);
		context.lineTo(shift + size + 1, -1);
	}
	context.stroke();
	return context.createPattern(canvas, 'repeat') ?? color;
}
