import type { Endpoint } from '../endpoint.ts';
import { ModelError } from '../modelError.ts';
import { failureOfResponse, hostOf } from './failure.ts';
import { type AnswerLimits, failureBytes } from './limits.ts';

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` for one endpoint, under every SDK alike. The key is added here and nowhere else, so it goes to the endpoint's origin only
 * and no SDK ever holds it. Redirects are refused, a failing status is thrown as a {@link ModelError}, a stream that stalls or
 * grows without bound ends with one.
 */
export function endpointFetch(endpoint: Endpoint, limits: AnswerLimits): Fetch {
	const { origin } = new URL(endpoint.baseUrl);
	return async (url, init = {}) => {
		const address = new URL(url instanceof Request ? url.url : url);
		if (address.origin !== origin) throw redirected(endpoint);
		const watch = new StallWatch(endpoint, limits);
		const signal = init.signal ? AbortSignal.any([init.signal, watch.signal]) : watch.signal;
		try {
			const headers = withKey(init.headers, endpoint, await endpoint.key());
			const response = await fetch(url, { ...init, headers, signal, redirect: 'manual' });
			// What `redirect: 'error'` would end as well, but without saying that it was a redirect.
			if (response.status >= 300 && response.status < 400) throw redirected(endpoint);
			if (!response.ok)
				throw failureOfResponse(endpoint, response.status, response.headers, await beginningOf(response));
			return watch.guard(response);
		} catch (error) {
			watch.stop();
			if (watch.signal.aborted) throw watch.signal.reason;
			throw init.signal?.aborted || error instanceof ModelError ? error : unreachable(endpoint, error);
		}
	};
}

/** Ends a request that says nothing for too long. */
class StallWatch {
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits;
	readonly #controller = new AbortController();
	#timer: NodeJS.Timeout | undefined;

	constructor(endpoint: Endpoint, limits: AnswerLimits) {
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#expect(limits.firstByteMs);
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	stop(): void {
		clearTimeout(this.#timer);
	}

	/** The same answer, whose body is watched. */
	guard(response: Response): Response {
		if (!response.body) {
			this.stop();
			return response;
		}
		const reader = response.body.getReader();
		let bytes = 0;
		const body = new ReadableStream<Uint8Array>({
			pull: async (controller) => {
				try {
					const { done, value } = await reader.read();
					if (done) {
						this.stop();
						controller.close();
						return;
					}
					bytes += value.length;
					if (bytes > this.#limits.bytes) throw oversized(this.#endpoint, this.#limits.bytes);
					this.#expect(this.#limits.gapMs);
					controller.enqueue(value);
				} catch (error) {
					this.stop();
					controller.error(this.signal.aborted ? this.signal.reason : error);
				}
			},
			cancel: (reason) => {
				this.stop();
				return reader.cancel(reason);
			},
		});
		return new Response(body, response);
	}

	#expect(withinMs: number): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#controller.abort(stalled(this.#endpoint, withinMs)), withinMs);
	}
}

function withKey(given: RequestInit['headers'], { provider }: Endpoint, key: string | undefined): Headers {
	const headers = new Headers(given);
	headers.delete('authorization');
	headers.delete('x-api-key');
	if (key === undefined) return headers;
	if (provider === 'anthropic') headers.set('x-api-key', key);
	else headers.set('authorization', `Bearer ${key}`);
	return headers;
}

/** The first bytes of a failing answer as text. */
async function beginningOf(response: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	try {
		for await (const chunk of response.body ?? []) {
			text += decoder.decode(chunk, { stream: true });
			if (text.length >= failureBytes) break;
		}
	} catch {
		// The status alone says enough.
	}
	return text.slice(0, failureBytes);
}

function redirected(endpoint: Endpoint): ModelError {
	return new ModelError(
		'redirected',
		`${hostOf(endpoint)} leads to another address, and a key is not carried along. Write the final address into "base_url".`,
	);
}

function unreachable(endpoint: Endpoint, cause: unknown): ModelError {
	const advice =
		endpoint.provider === 'ollama'
			? 'Is Ollama running?'
			: 'Check the connection and "base_url", then try again.';
	return new ModelError('unreachable', `${hostOf(endpoint)} cannot be reached. ${advice}`, { cause });
}

function stalled(endpoint: Endpoint, withinMs: number): ModelError {
	const seconds = Math.round(withinMs / 1000);
	return new ModelError(
		'stalled',
		`${hostOf(endpoint)} said nothing for ${seconds} s. Try again, or pick another model.`,
	);
}

function oversized(endpoint: Endpoint, bytes: number): ModelError {
	const megabytes = Math.round(bytes / 1024 / 1024);
	return new ModelError(
		'oversized',
		`The answer of ${hostOf(endpoint)} is over the limit of ${megabytes} MB. Ask for less.`,
	);
}
