import { JoinedSignal } from '../../common/cancellation.ts';
import { isAzureUrl } from '../../common/providers.ts';
import { ModelError } from '../modelError.ts';
import type { AnswerLimits, Endpoint, KeyHeader } from '../provider.ts';
import { connectionFailure, endpointLabel, errorAbout, failureOfResponse, rememberKey } from './failure.ts';
import { failureBodyMs, failureBytes, limitsOf, unreadMs } from './limits.ts';

const usualHeaders = { accept: 'application/json', 'user-agent': 'mcp-discovery' };
/** Headers for a key. Only the key may set them. */
const keyHeaders: readonly KeyHeader[] = ['authorization', 'x-api-key', 'api-key'];

/** What is asked of an endpoint. A body makes it a `POST` of JSON. */
export interface EndpointRequest {
	readonly body?: object;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
	readonly limits?: AnswerLimits;
}

/**
 * Asks an endpoint for what is at a path below its URL. The key and the configured headers are added here and nowhere else, so they reach nothing
 * else. Throws a {@link ModelError} for a redirect and for a failure status; a body that stalls, breaks off or grows without limit fails with one.
 * Throws the reason of the signal if that aborts.
 */
export async function endpointFetch(
	endpoint: Endpoint,
	path: string,
	{ body, headers = {}, signal, limits = limitsOf(endpoint) }: EndpointRequest = {},
): Promise<Response> {
	const baseUrl = URL.parse(endpoint.baseUrl);
	// It is not repeated, because it may contain a password.
	if (!baseUrl || !/^https?:$/.test(baseUrl.protocol) || baseUrl.username || baseUrl.password)
		throw errorAbout(endpoint, 'unreachable', {
			happened: `"base_url" of the client “${endpoint.name}” in the configuration file is not an http or https URL.`,
			advice: 'Correct it there.',
		});
	const key = (await endpoint.key())?.trim();
	const type = body && { 'content-type': 'application/json' };
	const sentHeaders = await withHeaders({ ...usualHeaders, ...type, ...headers }, endpoint);
	const init = {
		headers: withKey(sentHeaders, endpoint, key || undefined),
		...(body && { method: 'POST', body: JSON.stringify(body) }),
	};
	const watch = new AnswerWatch(endpoint, limits, signal);
	try {
		const response = await fetch(`${endpoint.baseUrl}${path}`, {
			...init,
			signal: watch.signal,
			redirect: 'manual',
		});
		if (response.ok) return watch.watch(response);
		// `redirect: 'error'` would not say that it was a redirect.
		if (response.status < 400) throw errorAbout(endpoint, 'redirected');
		throw failureOfResponse(endpoint, response, await watch.readBeginning(response), !key);
	} catch (error) {
		watch.abort();
		if (signal?.aborted) throw signal.reason;
		throw error instanceof ModelError ? error : connectionFailure(endpoint, error);
	}
}

/** Aborts a request that takes too long or returns too much, with a `ModelError`. */
class AnswerWatch {
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits;
	readonly #controller = new AbortController();
	/** Also aborts with the caller. */
	readonly #joinedSignal: JoinedSignal;
	readonly #startedMs = performance.now();
	#timer: NodeJS.Timeout | undefined;

	constructor(endpoint: Endpoint, limits: AnswerLimits, caller: AbortSignal | undefined) {
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#joinedSignal = new JoinedSignal(this.#controller.signal, ...(caller ? [caller] : []));
		this.signal.addEventListener('abort', () => this.#end(), { once: true });
		this.#restartTimer(limits.firstByteMs);
	}

	/** For the request. */
	get signal(): AbortSignal {
		return this.#joinedSignal.signal;
	}

	/** The same answer, watched to its end. */
	watch(response: Response): Response {
		const { gapMs, bytes: maxBytes } = this.#limits;
		let bytes = 0;
		const watching = {
			transform: (piece: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => {
				bytes += piece.length;
				this.#restartTimer(gapMs);
				if (bytes <= maxBytes) return controller.enqueue(piece);
				const did = `sent more than the limit of ${Math.max(1, Math.round(maxBytes / 1024 / 1024))} MB`;
				this.abort(errorAbout(this.#endpoint, 'oversized', { did }));
			},
			flush: () => this.#end(),
			// The compiler's types do not have this yet.
			cancel: () => this.#end(),
		};
		if (!response.body) this.#end();
		return new Response(response.body?.pipeThrough(new TransformStream(watching)), response);
	}

	/** The first bytes of a failing answer as text, as far as they come in time. */
	async readBeginning({ body }: Response): Promise<string> {
		this.#restartTimer(Math.min(this.#limits.gapMs, failureBodyMs));
		const decoder = new TextDecoder();
		let text = '';
		try {
			for await (const piece of body ?? []) {
				text += decoder.decode(piece, { stream: true });
				if (text.length >= failureBytes) break;
			}
		} catch {
			// The status alone is enough.
		}
		return text.slice(0, failureBytes);
	}

	/** Ends the request and frees its connection. */
	abort(reason?: ModelError): void {
		this.#controller.abort(reason);
		this.#end();
	}

	/** Gives the provider this long to send more. */
	#restartTimer(withinMs: number): void {
		const { totalMs = Number.POSITIVE_INFINITY } = this.#limits;
		const leftMs = totalMs - (performance.now() - this.#startedMs);
		const did =
			leftMs < withinMs
				? `did not end its answer within ${Math.round(totalMs / 60_000)} min`
				: `said nothing for ${Math.round(withinMs / 100) / 10} s`;
		const stall = () => this.abort(errorAbout(this.#endpoint, 'stalled', { did }));
		// What came while this process was busy could not be read yet.
		const afterGap = () => {
			this.#timer = setTimeout(stall, unreadMs);
		};
		clearTimeout(this.#timer);
		this.#timer = leftMs < withinMs ? setTimeout(stall, Math.max(0, leftMs)) : setTimeout(afterGap, withinMs);
	}

	#end(): void {
		clearTimeout(this.#timer);
		this.#joinedSignal.dispose();
	}
}

async function withHeaders(
	ownHeaders: Readonly<Record<string, string>>,
	endpoint: Endpoint,
): Promise<Headers> {
	const headers = new Headers(ownHeaders);
	for (const { name, value, isSecret } of (await endpoint.headers?.()) ?? []) {
		// An endpoint may repeat the token of `Bearer …` without the word before it.
		if (isSecret) for (const secret of [value, value.split(/\s/).at(-1) ?? '']) rememberKey(endpoint, secret);
		headers.set(name, value);
	}
	return headers;
}

/** Applied last, so that no other header can replace the key. */
function withKey(headers: Headers, endpoint: Endpoint, key: string | undefined): Headers {
	for (const name of keyHeaders) headers.delete(name);
	if (key === undefined) return headers;
	// For other characters, `Headers` throws an error that repeats the key.
	if (!/^[\x21-\x7e]+$/.test(key))
		throw errorAbout(endpoint, 'unauthorized', {
			happened: `The API key for ${endpointLabel(endpoint)} has characters that no key has.`,
		});
	rememberKey(endpoint, key);
	// Azure has its own header: https://learn.microsoft.com/azure/foundry/openai/latest, “Authentication”.
	const usual = isAzureUrl(endpoint.baseUrl) ? 'api-key' : 'authorization';
	const name = endpoint.keyHeader ?? (endpoint.provider === 'anthropic' ? 'x-api-key' : usual);
	headers.set(name, name === 'authorization' ? `Bearer ${key}` : key);
	return headers;
}
