import { JoinedSignal } from '../common/cancellation.ts';
import { isRecord, type JsonRecord, parsedJson } from '../common/json.ts';
import { isServerJson, readServerJson } from '../config/add/readers/serverJson.ts';
import type { ServerDraft } from '../config/add/serverDraft.ts';
import { addressFault, isUnencrypted } from '../config/servers/address.ts';
import { boundedBody } from './stdio/lineSplitter.ts';

export interface RegistryLimits {
	/** From the request to the last byte, in milliseconds. */
	readonly totalMs: number;
	/** Of an answer. */
	readonly bytes: number;
}

export const registryLimits: RegistryLimits = { totalMs: 10_000, bytes: 2 * 1024 * 1024 };

/** Servers per page. The official registry's default is 30, its maximum 100. */
const pageSize = 30;

/** Why a registry could not be searched. */
export type RegistryFailure =
	/** Nothing answers at its address. */
	| { readonly kind: 'unreachable' }
	| { readonly kind: 'slow'; readonly seconds: number }
	| { readonly kind: 'large'; readonly megabytes: number }
	/** It has a problem or too many requests (5xx, 429), so the same request may succeed later. */
	| { readonly kind: 'failed'; readonly status: number }
	/** It refuses the request (other 4xx): it may be no registry. */
	| { readonly kind: 'refused'; readonly status: number }
	/** It redirects to another address. Redirects are not followed. */
	| { readonly kind: 'redirected' }
	/** It did not send a list of servers. */
	| { readonly kind: 'malformed' };

export class RegistryError extends Error {
	override readonly name = 'RegistryError';
	readonly failure: RegistryFailure;

	constructor(failure: RegistryFailure) {
		super(`The registry gave no list: ${failure.kind}`);
		this.failure = failure;
	}
}

/** A server in a registry. Every text in it was written by strangers. */
export interface RegisteredServer {
	/** `io.github.example/weather`. */
	readonly name: string;
	readonly title?: string;
	readonly description: string;
	readonly version: string;
	readonly isDeprecated: boolean;
	/** The ways to run or reach it. */
	readonly ways: readonly ServerDraft[];
	/** Why other ways are not offered, as sentences. */
	readonly faults: readonly string[];
}

export interface RegistryPage {
	readonly servers: readonly RegisteredServer[];
	/** Requests the next page; absent: this is the last one. */
	readonly nextCursor?: string;
}

export interface RegistryQuery {
	/** Part of a server's name. */
	readonly search: string;
	readonly cursor?: string;
}

/**
 * Whether this can be a registry's address. Without encryption, somebody else could decide what is run; addresses on this machine are fine.
 */
export function isRegistryAddress(address: string): boolean {
	return addressFault(address) === undefined && !isUnencrypted(address);
}

/**
 * Searches a registry for servers (`GET /v0.1/servers`, see
 * https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/api/openapi.yaml). Only the words are sent; time and size of
 * the answer are limited. Rejects with a {@link RegistryError}, or with the reason of `signal`.
 */
export async function searchRegistry(
	address: string,
	query: RegistryQuery,
	signal: AbortSignal,
	limits: RegistryLimits = registryLimits,
): Promise<RegistryPage> {
	const late = AbortSignal.timeout(limits.totalMs);
	const ending = new JoinedSignal(signal, late);
	try {
		const text = await answerOf(listAddress(address, query), ending.signal, limits);
		return pageOf(text, query.cursor);
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof RegistryError) throw error;
		if (late.aborted) throw new RegistryError({ kind: 'slow', seconds: Math.ceil(limits.totalMs / 1000) });
		throw new RegistryError({ kind: 'unreachable' });
	} finally {
		ending.dispose();
	}
}

/** People write the address with or without its path. */
function listAddress(address: string, { search, cursor }: RegistryQuery): URL {
	const url = new URL(address);
	url.hash = '';
	url.search = '';
	url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v0(\.1)?(\/servers)?$/, '')}/v0.1/servers`;
	url.searchParams.set('search', search);
	url.searchParams.set('limit', String(pageSize));
	url.searchParams.set('version', 'latest');
	if (cursor !== undefined) url.searchParams.set('cursor', cursor);
	return url;
}

async function answerOf(url: URL, signal: AbortSignal, { bytes }: RegistryLimits): Promise<string> {
	const response = await fetch(url, {
		signal,
		headers: { accept: 'application/json' },
		redirect: 'manual',
		credentials: 'omit',
	});
	try {
		const { status } = response;
		if (status >= 300 && status < 400) throw new RegistryError({ kind: 'redirected' });
		if (status >= 500 || status === 429) throw new RegistryError({ kind: 'failed', status });
		if (!response.ok) throw new RegistryError({ kind: 'refused', status });
		const body = await boundedBody(response, bytes);
		if (!body) throw new RegistryError({ kind: 'large', megabytes: Math.round(bytes / 1024 / 1024) });
		return String(body);
	} finally {
		// Do not read the rest.
		await response.body?.cancel().catch(() => {});
	}
}

function pageOf(text: string, asked: string | undefined): RegistryPage {
	const answer = parsedJson(text);
	const list = isRecord(answer) ? answer.servers : undefined;
	if (!isRecord(answer) || !Array.isArray(list)) throw new RegistryError({ kind: 'malformed' });
	const servers = list.slice(0, pageSize).flatMap((item) => (isRecord(item) ? (registered(item) ?? []) : []));
	const metadata = isRecord(answer.metadata) ? answer.metadata : {};
	const next = metadata.nextCursor ?? metadata.next_cursor;
	// The same cursor again would never end.
	const isNext = typeof next === 'string' && next !== '' && next !== asked && list.length > 0;
	return { servers, ...(isNext && { nextCursor: next }) };
}

/** Where the official registry, and registries like it, state a server's status. */
const official = 'io.modelcontextprotocol.registry/official';

function registered(item: JsonRecord): RegisteredServer | undefined {
	// Before September 2025, registries had the description itself in the list.
	const server = isRecord(item.server) ? item.server : item;
	const { name, title, description, version, _meta: own } = server;
	if (typeof name !== 'string' || name.trim() === '') return undefined;
	const meta = [item._meta, own].filter(isRecord).map((one) => one[official]);
	const status = [...meta.filter(isRecord), server]
		.map((one) => one.status)
		.find((one) => typeof one === 'string');
	if (status === 'deleted') return undefined;
	const { servers, faults } = isServerJson(server) ? readServerJson(server) : { servers: [], faults: [] };
	return {
		name,
		...(typeof title === 'string' && title.trim() !== '' && { title }),
		description: typeof description === 'string' ? description : '',
		version: typeof version === 'string' ? version : '',
		isDeprecated: status === 'deprecated',
		ways: servers,
		faults,
	};
}
