/** Attributes of an element; `true` is one without a value, `false` and nothing are none. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type Child = Node | string | undefined;

/**
 * Makes an element. Text becomes text nodes, whatever is in it: names and words come from servers, models and users, and nothing in
 * them is ever read as markup.
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
		if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
	}
	made.append(...children.filter((child) => child !== undefined));
	return made;
}
