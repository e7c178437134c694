import { inspect } from 'node:util';
import type { Endpoint } from '../endpoint.ts';

/** Shortest key that is looked for, in characters: a placeholder such as `none` is a word like others. */
const shortestKey = 8;
/** Levels of a cause that are looked at for one. */
const printedDepth = 6;
/** What looks like a key, whoever's it is: a proxy may repeat its own. */
const keyLike = /\b(?:sk|pk|rk|gsk|xai|nvapi|hf)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\bBearer\s+[\w.~+/=-]{8,}/g;

/** Keys that were sent to an endpoint, so that they are recognized when it repeats them. */
const sentKeys = new WeakMap<Endpoint, Set<string>>();

/** Notes a key that is about to be sent. */
export function rememberKey(endpoint: Endpoint, key: string): void {
	if (key.length < shortestKey) return;
	const keys = sentKeys.get(endpoint) ?? new Set();
	sentKeys.set(endpoint, keys.add(key));
}

/** A text of an endpoint's with every key in it replaced. */
export function withoutKeys(endpoint: Endpoint, text: string): string {
	let clean = text;
	for (const key of sentKeys.get(endpoint) ?? []) {
		for (const written of [key, encodeURIComponent(key)]) clean = clean.replaceAll(written, '[key]');
	}
	return clean.replace(keyLike, '[key]');
}

/** Whether a cause has a key in what would be printed of it. */
export function holdsKey(endpoint: Endpoint, cause: unknown): boolean {
	if (cause === undefined) return false;
	const printed = inspect(cause, { depth: printedDepth });
	return withoutKeys(endpoint, printed) !== printed;
}
