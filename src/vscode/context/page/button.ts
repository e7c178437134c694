import { type Attributes, element } from './element.ts';

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
export function followButtons<R>(page: Element, send: (request: R) => void): void {
	page.addEventListener('click', ({ target }) => {
		const button = target instanceof Element ? target.closest(`[${requestAttribute}]`) : null;
		const request = button?.getAttribute(requestAttribute);
		if (request) send(JSON.parse(request));
	});
}
