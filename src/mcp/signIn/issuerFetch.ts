import { BlockList, isIP } from 'node:net';
import { JoinedSignal } from '../../common/cancellation.ts';
import { hostOf } from '../../common/hosts.ts';
import { isRecord, type JsonRecord, parsedJson } from '../../common/json.ts';
import { retryAfterOf } from '../../common/retryAfter.ts';
import { folded, sentence, visible } from '../../common/text.ts';
import { isLoopback } from '../../config/servers/address.ts';
import { boundedBody } from '../stdio/lineSplitter.ts';
import { SignInError } from './signInError.ts';

/** Largest document or answer of an authorization server, in bytes. */
const maxBodyBytes = 256 * 1024;
/** Longest text of an authorization server in a message, in characters. */
const maxQuotedCharacters = 160;
const firstWithBody = 200;
const absentStatus = 404;
const serverErrorStatus = 500;
const tooManyStatus = 429;
/** With these, an authorization server refuses a request for good. */
const refusals = new Set([400, 401, 403]);

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Explains a failed step. `otherwise`: for errors without an OAuth code. */
export type ExplainFailure = (
	error: unknown,
	issuer: string,
	otherwise: 'unavailable' | 'bad-answer',
) => SignInError;

/** Networks that cannot be reached from outside: private, local, link-local, and carriers' own. */
const privateNetworks = new BlockList();
for (const [network, bits] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['224.0.0.0', 3],
] as const)
	privateNetworks.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
	['::', 127],
	// Addresses that contain an IPv4 address, which may be a private one.
	['64:ff9b::', 32],
	['2002::', 16],
	['fc00::', 7],
	['fe80::', 9],
	['ff00::', 8],
] as const)
	privateNetworks.addSubnet(network, bits, 'ipv6');

/** Whether an address belongs to such a network by itself. Public names are not resolved. */
function isPrivate({ href }: URL): boolean {
	const host = (hostOf(href) ?? '').replace(/^\[|\]$/g, '');
	const version = isIP(host);
	if (version !== 0) return privateNetworks.check(host, version === 4 ? 'ipv4' : 'ipv6');
	return (
		!host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|corp|home|home\.arpa)$/.test(host)
	);
}

/**
 * Whether an address may be contacted and sent tokens and codes: https, or this machine if the server itself is on it. A public server
 * cannot make us contact private networks.
 */
export function isSafeAddress(address: URL, server: URL): boolean {
	if (address.username !== '' || address.password !== '') return false;
	if (isPrivate(address) && !isPrivate(server)) return false;
	if (address.protocol === 'https:') return true;
	return address.protocol === 'http:' && isLoopback(address.href) && isLoopback(server.href);
}

/** Throws if an address may not be contacted. */
export function insistSafe(address: URL, server: URL): void {
	if (isSafeAddress(address, server)) return;
	const { protocol, host } = address;
	const where = host === '' ? protocol : `${protocol}//${host}`;
	const message = sentence`Signing in would contact ${quotedIssuerText(where)}, which is not allowed: only https is, private networks only for servers inside one, and http only on this machine for a server on it.`;
	throw new SignInError('unsafe-address', message);
}

/**
 * Sends requests to addresses that others have named: https, or this machine for a server on this machine. Bodies are bounded; the SDK
 * follows redirects only within the origin.
 */
export class IssuerFetch {
	readonly #server: URL;
	readonly #requestMs: number;
	readonly #explain: ExplainFailure;

	constructor(server: URL, requestMs: number, explain: ExplainFailure) {
		this.#server = server;
		this.#requestMs = requestMs;
		this.#explain = explain;
	}

	/**
	 * Looks for a document in several places; `undefined`: it is in none. If a place cannot be asked, that is an error: a server that is
	 * down must not make us ask somebody else.
	 */
	async lookUp<T>(signal: AbortSignal, look: (fetch: Fetch) => Promise<T>): Promise<T | undefined> {
		let trouble: SignInError | undefined;
		let isFound = false;
		const fetch: Fetch = async (url, init) => {
			const { response, isObject } = await this.#fetch(url, init, signal);
			if (isBusy(response)) trouble ??= unavailable(new URL(url).host, response);
			// A web site answers every address with a page, some with an error; neither is the document.
			const isDocument = response.ok && isObject;
			isFound ||= isDocument;
			const isAbsent = isBusy(response) || (response.ok && !isDocument);
			return isAbsent ? new Response(null, { status: absentStatus }) : response;
		};
		let found: T | undefined;
		try {
			found = await look(fetch);
		} catch (error) {
			signal.throwIfAborted();
			// The SDK has the same error for a missing document and for everything else.
			if (error instanceof SignInError || isFound)
				throw this.#explain(error, this.#server.host, 'bad-answer');
		}
		if (found === undefined && trouble) throw trouble;
		return found;
	}

	/** Sends a request that only `issuer` can answer. */
	async send<T>(issuer: string, signal: AbortSignal, send: (fetch: Fetch) => Promise<T>): Promise<T> {
		try {
			return await send(async (url, init) => {
				const { response } = await this.#fetch(url, init, signal);
				if (isBusy(response)) throw unavailable(issuer, response);
				return response;
			});
		} catch (error) {
			signal.throwIfAborted();
			throw this.#explain(error, issuer, 'unavailable');
		}
	}

	/** Reads the body here, so that it is bounded. The SDK follows redirects. */
	async #fetch(
		address: string | URL,
		init: RequestInit = {},
		signal: AbortSignal,
	): Promise<{ readonly response: Response; readonly isObject: boolean }> {
		const url = new URL(address);
		insistSafe(url, this.#server);
		const ending = new JoinedSignal(signal, AbortSignal.timeout(this.#requestMs));
		try {
			const response = await fetch(url, { ...init, redirect: 'manual', signal: ending.signal });
			const body = await boundedBody(response, maxBodyBytes);
			if (!body) throw tooLong(url);
			const parsedBody = answerIn(String(body), response);
			const text = isRecord(parsedBody)
				? JSON.stringify(withRequiredMembers(parsedBody, response))
				: String(body);
			const { status, headers } = response;
			const hasBody = text !== '' && status >= firstWithBody;
			return {
				response: new Response(hasBody ? text : null, { status, headers }),
				isObject: isRecord(parsedBody),
			};
		} catch (error) {
			if (error instanceof SignInError) throw error;
			signal.throwIfAborted();
			throw unavailable(url.host);
		} finally {
			ending.dispose();
		}
	}
}

/** JSON, or the form in which some grant tokens. */
function answerIn(body: string, { headers }: Response): unknown {
	const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') === true;
	return isForm ? Object.fromEntries(new URLSearchParams(body)) : parsedJson(body);
}

/**
 * A document or an answer as the SDK's schemas want it. Servers write `null` for what they do not have. Many leave out the type of a token or
 * of a response, which can be only one, or what only ID tokens need. Some refuse without an error code.
 */
function withRequiredMembers(body: JsonRecord, { ok, status }: Response): JsonRecord {
	const members = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
	if (ok)
		return {
			token_type: 'Bearer',
			response_types_supported: ['code'],
			jwks_uri: members.issuer,
			subject_types_supported: [],
			id_token_signing_alg_values_supported: [],
			...members,
		};
	return refusals.has(status) && typeof members.error !== 'string'
		? { ...members, error: 'invalid_request' }
		: members;
}

/** The sign-in service `who` cannot answer now. `response`: what it sent instead. */
export function unavailable(who: string, response?: Response): SignInError {
	const message = response
		? sentence`The sign-in service at ${quotedIssuerText(who)} does not answer (HTTP ${response.status}). Try again later.`
		: sentence`The sign-in service at ${quotedIssuerText(who)} does not answer. Try again later.`;
	return new SignInError('unavailable', message, response && retryAfterOf(response.headers, Date.now()));
}

export function tooLong({ host }: URL): SignInError {
	const message = sentence`${host} sent a much larger answer than expected. Ask whoever runs it.`;
	return new SignInError('bad-answer', message);
}

/** Whether trying again later could help. */
function isBusy({ status }: Response): boolean {
	return status >= serverErrorStatus || status === tooManyStatus;
}

/** A text from outside for use in a message. */
export function quotedIssuerText(text: string): string {
	return folded(visible(text.slice(0, 10 * maxQuotedCharacters)).replace(/[<>]/g, ' '), maxQuotedCharacters);
}
