/**
 * Changes the page. Where that takes away what has the focus, such as the button of a row that goes, the heading of its section has it
 * then: who uses the keyboard goes on from there, and not from the beginning of the page.
 */
export function keepFocus(page: Element, change: () => void): void {
	const focused = document.activeElement;
	const section = focused && page.contains(focused) ? focused.closest('section[data-key]') : null;
	const key = section?.getAttribute('data-key');
	change();
	if (!focused || focused.isConnected || key == null) return;
	const again = page.querySelector(`section[data-key="${CSS.escape(key)}"]`) ?? page;
	again.querySelector<HTMLElement>('h2[tabindex], h1')?.focus({ preventScroll: true });
}
