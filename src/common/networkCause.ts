import { errorCode } from './errors.ts';

/** OpenSSL's form of an error, with the reason in the middle: `40ED:error:0A00010B:SSL routines:validate_header:wrong version number:…`. */
const opensslError = /^[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]*):.*/s;
/** What Node adds, which helps nobody who has not started it. */
const nodeAdvice = /; if the root CA is installed locally, try running Node\.js .*/;

/**
 * Why a request got no response: the network's error, with its code and in words, such as `getaddrinfo ENOTFOUND example.com`. Node hides
 * it: `fetch` itself says only "fetch failed", and the failure of several addresses has no text but an error for each.
 */
export function networkCause(error: unknown): { readonly code: string; readonly text: string } {
	const chain: Error[] = [];
	for (let next = error; next instanceof Error && !chain.includes(next); ) {
		chain.push(next);
		next = next instanceof AggregateError ? next.errors[0] : next.cause;
	}
	const code = chain.map(errorCode).findLast((one) => one !== '') ?? '';
	const message = chain.findLast((one) => one.message !== '')?.message ?? '';
	const text = message.replace(nodeAdvice, '').replace(opensslError, '$1').trim();
	if (code === '' || text.includes(code)) return { code, text };
	return { code, text: text === '' ? code : `${text} (${code})` };
}
