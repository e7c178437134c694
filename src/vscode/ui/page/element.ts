import { visible } from '../../../common/text.ts';

/** Attributes of an element; `true` is one without a value, `false` and nothing are none. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type Child = Node | string | undefined;

/** Attributes that people read, or hear. */
const readAttributes: readonly string[] = ['title', 'aria-label'];

/**
 * Makes an element. Text becomes text nodes, whatever is in it: names and words come from servers, models and users, and nothing in
 * them is ever read as markup, turns the text around it or hides in it.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	attributes: Attributes = {},
	...children: readonly Child[]
): HTMLElementTagNameMap[K] {
	return filled(document.createElement(tag), attributes, children);
}

/** The same for the elements of a picture. */
export function svgElement(
	tag: 'svg' | 'path',
	attributes: Attributes = {},
	...children: readonly Child[]
): SVGElement {
	return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled<T extends Element>(made: T, attributes: Attributes, children: readonly Child[]): T {
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === false) continue;
		const text = value === true ? '' : String(value);
		// Other attributes tell things apart, and are not read by people.
		made.setAttribute(name, readAttributes.includes(name) ? visible(text) : text);
	}
	const shown = children.filter((child) => child !== undefined);
	made.append(...shown.map((child) => (typeof child === 'string' ? visible(child) : child)));
	return made;
}

const requestAttribute = 'data-request';

/** A button that asks something of the extension. */
export function requestButton(
	request: object,
	label: string,
	attributes: Attributes = {},
): HTMLButtonElement {
	const all = { type: 'button', ...attributes, [requestAttribute]: JSON.stringify(request) };
	return element('button', all, label);
}

/** Sends what the buttons of the page ask for. */
export function onDidRequest<R>(page: Element, send: (request: R) => void): void {
	page.addEventListener('click', ({ target }) => {
		const button = target instanceof Element ? target.closest(`[${requestAttribute}]`) : null;
		const request = button?.getAttribute(requestAttribute);
		if (request) send(JSON.parse(request));
	});
}
