/** An element with this attribute has its own drawing: only attributes that it is given are set, and nothing in it is touched. */
export const ownDrawing = 'data-own';
/** What an element is the same by, among its siblings. */
const keyAttribute = 'data-key';

/**
 * Makes a part of the page like `next`, and leaves in place what is the same: focus, the scroll position, the selection, and what the
 * user has opened.
 */
export function morph(now: Element, next: Element): void {
	if (now.isEqualNode(next)) return;
	const isOwn = next.hasAttribute(ownDrawing);
	patchAttributes(now, next, isOwn);
	if (!isOwn) patchChildren(now, next);
}

function patchAttributes(now: Element, next: Element, isOwn: boolean): void {
	for (const { name, value } of next.attributes) {
		if (now.getAttribute(name) !== value && !isKept(now, name)) now.setAttribute(name, value);
	}
	if (isOwn) return;
	for (const { name } of [...now.attributes]) {
		if (!next.hasAttribute(name) && !isKept(now, name)) now.removeAttribute(name);
	}
	if (now instanceof HTMLInputElement && next instanceof HTMLInputElement) now.checked = next.checked;
}

/** What the user opens and closes stays so; sizes are set on the elements, never in markup, which the policy forbids. */
function isKept(element: Element, attribute: string): boolean {
	return attribute === 'style' || (attribute === 'open' && element instanceof HTMLDetailsElement);
}

function patchChildren(now: Element, next: Element): void {
	const wanted = new Set([...next.children].map(keyOf));
	// What goes, goes first: so what stays need not move, for an element that moves loses the focus.
	for (const child of [...now.children]) if (!wanted.has(keyOf(child))) child.remove();
	let place = now.firstChild;
	for (const child of [...next.childNodes]) {
		const same = sameFrom(place, child);
		if (!same) {
			now.insertBefore(child, place);
			continue;
		}
		if (same !== place) now.insertBefore(same, place);
		place = same.nextSibling;
		if (same instanceof Element && child instanceof Element) morph(same, child);
		else if (same.nodeValue !== child.nodeValue) same.nodeValue = child.nodeValue;
	}
	while (place) {
		const after = place.nextSibling;
		place.remove();
		place = after;
	}
}

/** The first of these siblings that is the same as one that is to be there. */
function sameFrom(place: ChildNode | null, wanted: ChildNode): ChildNode | undefined {
	for (let node = place; node; node = node.nextSibling) {
		if (node instanceof Element && wanted instanceof Element) {
			if (keyOf(node) === keyOf(wanted)) return node;
		} else if (node.nodeType === wanted.nodeType) {
			return node;
		}
	}
	return undefined;
}

function keyOf(element: Element): string {
	return `${element.localName} ${element.getAttribute(keyAttribute) ?? ''}`;
}

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
