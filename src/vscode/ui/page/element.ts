import { h, render, type VNode } from 'preact';
import { visible } from '../../../common/text.ts';

/** A node of the page as it is to be. */
export type PageNode = VNode<Record<string, unknown>>;

/** Attributes of an element; `undefined` is none. `data-key`: what tells an element from its siblings, from one drawing to the next. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What stands in an element; `false` and `undefined` are nothing. */
export type Child = PageNode | string | false | undefined | readonly Child[];

/** Attributes that people read, or hear. */
const readAttributes: readonly string[] = ['title', 'aria-label'];
const requestAttribute = 'data-request';

/**
 * Makes a node. Text becomes text, whatever is in it: names and words come from servers, models and users, and nothing in them is ever
 * read as markup, turns the text around it or hides in it.
 */
export function element(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): PageNode {
	const properties: Record<string, unknown> = { key: attributes['data-key'] };
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined) continue;
		// Other attributes tell things apart, and are not read by people.
		properties[name] = readAttributes.includes(name) ? visible(String(value)) : value;
	}
	return h<Record<string, unknown>>(tag, properties, ...children.map(shown));
}

function shown(child: Child): Child {
	if (Array.isArray(child)) return child.map(shown);
	return typeof child === 'string' ? visible(child) : child;
}

/** A button that asks something of the extension. */
export function requestButton(request: object, label: string, attributes: Attributes = {}): PageNode {
	const all = { type: 'button', ...attributes, [requestAttribute]: JSON.stringify(request) };
	return element('button', all, label);
}

/** Calls back with what the buttons of the page ask for. */
export function onDidRequest<R>(page: Element, send: (request: R) => void): void {
	page.addEventListener('click', ({ target }) => {
		const button = target instanceof Element ? target.closest(`[${requestAttribute}]`) : null;
		const request = button?.getAttribute(requestAttribute);
		if (request) send(JSON.parse(request));
	});
}

/**
 * Makes the page show `content`; what is the same stays in place, with the focus and the selection in it. Where the focused element goes,
 * such as the button of a row that is removed, the heading of its section gets the focus: who uses the keyboard goes on from there.
 */
export function drawPage(page: Element, content: Child): void {
	const focused = document.activeElement;
	const section = focused && page.contains(focused) ? focused.closest('section[data-key]') : null;
	const key = section?.getAttribute('data-key');
	render(content, page);
	if (!focused || focused.isConnected || key == null) return;
	const again = page.querySelector(`section[data-key="${CSS.escape(key)}"]`) ?? page;
	again.querySelector<HTMLElement>('h2[tabindex], h1')?.focus({ preventScroll: true });
}
