import type { PageRequest } from '../messages.ts';
import { type Attributes, element } from './element.ts';

const requestAttribute = 'data-request';

/** A button that asks something of the extension. */
export function requestButton(
	request: PageRequest,
	label: string,
	attributes: Attributes = {},
): HTMLButtonElement {
	const all = { type: 'button', ...attributes, [requestAttribute]: JSON.stringify(request) };
	return element('button', all, label);
}

/** Sends what the buttons of the page ask for. */
export function followButtons(page: Element, send: (request: PageRequest) => void): void {
	page.addEventListener('click', ({ target }) => {
		const button = target instanceof Element ? target.closest(`[${requestAttribute}]`) : null;
		const request = button?.getAttribute(requestAttribute);
		if (request) send(JSON.parse(request));
	});
}
