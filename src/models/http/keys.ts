import { inspect } from 'node:util';
import { Redactor } from '../../common/secrets/redactor.ts';
import type { Endpoint } from '../endpoint.ts';

/** Levels of a cause that are looked at for one. */
const printedDepth = 6;

/** Keys that were sent to an endpoint, so that they are recognized when it repeats them. */
const sentKeys = new WeakMap<Endpoint, { readonly keys: Set<string>; redactor: Redactor }>();
/** Where no key was sent: a proxy may repeat its own. */
const keyless = new Redactor();

/** Notes a key that is about to be sent. */
export function rememberKey(endpoint: Endpoint, key: string): void {
	const sent = sentKeys.get(endpoint) ?? { keys: new Set(), redactor: keyless };
	if (!sent.keys.has(key)) sent.redactor = new Redactor(sent.keys.add(key));
	sentKeys.set(endpoint, sent);
}

/** A text of an endpoint's with every key in it replaced. */
export function withoutKeys(endpoint: Endpoint, text: string): string {
	return (sentKeys.get(endpoint)?.redactor ?? keyless).hide(text);
}

/** Whether a cause has a key in what would be printed of it. */
export function holdsKey(endpoint: Endpoint, cause: unknown): boolean {
	if (cause === undefined) return false;
	const printed = inspect(cause, { depth: printedDepth });
	return withoutKeys(endpoint, printed) !== printed;
}
