import * as l10n from '@vscode/l10n';
import { h, render, type VNode } from 'preact';
import { visible } from '../../../common/text.ts';

/** A node of the page. */
export type PageNode = VNode<Record<string, unknown>>;

/** The content of an element; `false` and `undefined` are nothing. */
export type Child = PageNode | string | number | false | undefined | readonly Child[];

/** Attributes of an element; `undefined` leaves one out. `data-key`: identifies an element among its siblings when the page is drawn again. */
interface Attributes {
	readonly [name: string]: Child | boolean | ((event: Event) => void);
}

/** What TypeScript has to know of the elements of a page. */
export declare namespace element {
	namespace JSX {
		type Element = PageNode;
		interface IntrinsicElements {
			readonly [tag: string]: Attributes;
		}
		interface ElementChildrenAttribute {
			readonly children: unknown;
		}
	}
}

/** Attributes that people read, or hear. */
const readAttributes: readonly string[] = ['title', 'aria-label', 'placeholder'];

/**
 * Makes a node of JSX. Texts come from servers, models and users: they are never read as markup, and characters that hide or reverse text are
 * removed.
 */
export function element(
	tag: string,
	attributes: Attributes | null = {},
	...children: readonly Child[]
): PageNode {
	const properties: Record<string, unknown> = { key: attributes?.['data-key'] };
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (value === undefined) continue;
		// People do not read other attributes, which must stay exact.
		properties[name] = readAttributes.includes(name) ? visible(String(value)) : value;
	}
	return h<Record<string, unknown>>(tag, properties, ...children.map(visibleChild));
}

function visibleChild(child: Child): Child {
	if (Array.isArray(child)) return child.map(visibleChild);
	return typeof child === 'string' ? visible(child) : child;
}

/** What the editor gives a page, once. */
declare function acquireVsCodeApi(): unknown;

/** What a page asks of the extension, and what it keeps while it is hidden. */
interface PageEditor<Request, State> {
	postMessage(request: Request): void;
	getState(): State | undefined;
	setState(state: State): void;
}

/** Begins a page, in its language. */
export function openPage<Request, State = undefined>(): PageEditor<Request, State> {
	const { texts } = document.body.dataset;
	if (texts) l10n.config({ contents: JSON.parse(texts) });
	return acquireVsCodeApi() as PageEditor<Request, State>;
}

/**
 * Makes the page show `content`. Elements that stay keep the focus and the selection. Where the focused element is removed, such as the button
 * of a row, the heading of its section gets the focus, so that keyboard users go on from there.
 */
export function drawPage(content: Child): void {
	const page = document.querySelector('main');
	if (!page) return;
	const focused = document.activeElement;
	const section = focused && page.contains(focused) ? focused.closest('section[data-key]') : null;
	const key = section?.getAttribute('data-key');
	render(content, page);
	if (key == null || !focused || focused.isConnected) return;
	const again = page.querySelector(`section[data-key="${CSS.escape(key)}"]`) ?? page;
	again.querySelector<HTMLElement>(':is(h2, h3)[tabindex], h1')?.focus({ preventScroll: true });
}
