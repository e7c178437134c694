import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** One bar of a figure. */
export interface Bar {
	/** Heading of its row, and the figures beside it. */
	readonly cells: readonly string[];
	/** Widths of its parts in pixels, and their borders, which have the colour of the part. */
	readonly parts: readonly { readonly width: number; readonly color: string }[];
}

/** The page of the command Show Context. */
export class ContextPage {
	readonly #frame: FrameLocator;

	constructor({ webview }: Workbench) {
		this.#frame = webview;
	}

	/** What it says of itself. */
	get body(): Locator {
		return this.#frame.locator('body');
	}

	/** The part under a heading. */
	section(title: string): Locator {
		return this.#frame.getByRole('region', { name: title, exact: true });
	}

	/** The one line that says what the chat has loaded. */
	get state(): Locator {
		return this.#frame.getByRole('status');
	}

	/** Names of the loaded tools, in the order of their table. */
	async loadedTools(): Promise<readonly string[]> {
		const table = this.#frame.getByRole('table', { name: 'Tools that this chat has loaded' });
		return (await table.isVisible()) ? table.getByRole('rowheader').allInnerTexts() : [];
	}

	/** What every chat has, where it is unfolded. */
	get alwaysLoaded(): Locator {
		return this.#frame.getByRole('table', { name: 'Tools that every chat has' });
	}

	button(name: string): Locator {
		return this.#frame.getByRole('button', { name, exact: true });
	}

	/** What the timeline says, entry by entry. */
	async events(): Promise<readonly string[]> {
		return this.section('Timeline').locator('li .words').allInnerTexts();
	}

	/** The bars under a heading, as they are drawn and as they are read. */
	async bars(title: string): Promise<readonly Bar[]> {
		return this.section(title)
			.locator('tbody tr')
			.evaluateAll((rows) =>
				rows.map((row) => ({
					cells: [...row.children].map((cell) => cell.textContent ?? ''),
					parts: [...row.querySelectorAll('.bar span')].map((part) => ({
						width: Math.round(part.getBoundingClientRect().width),
						color: getComputedStyle(part).borderLeftColor,
					})),
				})),
			);
	}

	/** How much what is written differs from what is behind it, as WCAG 2 counts it: 1 to 21. */
	async contrast(of: Locator): Promise<number> {
		return of.evaluate((element) => {
			const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
			const over = (top: number[], below: number[]) =>
				[0, 1, 2].map((i) => (top[i] ?? 0) * (top[3] ?? 1) + (below[i] ?? 0) * (1 - (top[3] ?? 1)));
			const luminance = (color: number[]) => {
				const [r = 0, g = 0, b = 0] = color.map((value) => {
					const share = value / 255;
					return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
				});
				return 0.2126 * r + 0.7152 * g + 0.0722 * b;
			};
			const ancestors: Element[] = [];
			for (let one: Element | null = element; one; one = one.parentElement) ancestors.unshift(one);
			const background = ancestors
				.map((one) => parse(getComputedStyle(one).backgroundColor))
				.reduce((below, top) => over(top, below), [255, 255, 255]);
			const text = over(parse(getComputedStyle(element).color), background);
			const [dark = 0, light = 0] = [luminance(text), luminance(background)].sort((a, b) => a - b);
			return (light + 0.05) / (dark + 0.05);
		});
	}
}
