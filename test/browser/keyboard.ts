import type { Workbench } from './workbench.ts';

/** More stops than any of our pages has. */
const MOST_STOPS = 120;

/** The elements of a page that have no name for a screen reader, as lines of its outline. */
export async function namelessElements({ webview }: Workbench): Promise<readonly string[]> {
	const outline = await webview.locator('main').ariaSnapshot();
	if (!outline.includes('- button "')) throw new Error('the page shows no button yet');
	const nameless =
		/^\s*- (button|checkbox|switch|radio|searchbox|link|progressbar|table|row|rowheader|region)\b(?! ")/;
	return outline.split('\n').filter((line) => nameless.test(line));
}

/**
 * Presses Tab from the beginning of a page until the focus leaves it. Returns the controls that Tab misses, and those that do not show
 * the focus. Arrow keys go through radio buttons, so of a group only the chosen one counts.
 */
export async function tabStops({ page, webview }: Workbench) {
	const all = await webview
		.locator('button:enabled, input:not([type=radio]), input[type=radio]:checked, summary, a[href]')
		.evaluateAll((controls) =>
			controls.map((one, i) => {
				one.setAttribute('data-stop', `${i}`);
				return `${i}`;
			}),
		);
	const reached: string[] = [];
	const hidden: string[] = [];
	for (let i = 0; i < MOST_STOPS; i++) {
		await page.keyboard.press('Tab');
		const stop = await webview.locator('body').evaluate(() => {
			const focused = document.activeElement;
			// A radio button shows the focus at the word beside it.
			const marks = [focused, focused?.nextElementSibling].map((one) => one && getComputedStyle(one));
			const isShown = marks.some((style) => style?.outlineStyle === 'solid');
			return { id: focused?.getAttribute('data-stop'), isShown };
		});
		if (stop.id == null) break;
		reached.push(stop.id);
		if (!stop.isShown) hidden.push(stop.id);
	}
	return { missed: all.filter((id) => !reached.includes(id)), hidden };
}

/** Presses Tab, or Shift+Tab, until the control with this role and name has the focus. */
export async function tabTo(
	{ page, webview }: Workbench,
	role: 'button' | 'checkbox' | 'switch' | 'searchbox',
	name: string,
	key = 'Tab',
): Promise<void> {
	const control = webview.getByRole(role, { name, exact: true });
	for (let i = 0; i < MOST_STOPS; i++) {
		if (await control.evaluate((one) => one === document.activeElement)) return;
		await page.keyboard.press(key);
	}
	throw new Error(`the keyboard does not reach ${name}`);
}
