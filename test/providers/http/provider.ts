import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { type EndpointRequest, endpointFetch } from '../../../src/models/http/endpointFetch.ts';
import { ModelError } from '../../../src/models/modelError.ts';
import type { AnswerLimits, Endpoint } from '../../../src/models/provider.ts';
import { endpointAt } from '../loopback.ts';

/** Short enough that no test waits, long enough for a busy machine to answer within. */
export const limits: AnswerLimits = { firstByteMs: 5_000, gapMs: 5_000, bytes: 1024 * 1024 };

/** A provider on loopback. */
export interface Provider {
	readonly endpoint: Endpoint;
	/** What was asked of it. */
	readonly requests: readonly IncomingMessage[];
	/** Connections that are open at the moment. */
	connections(): Promise<number>;
	/** Ends it; done by itself when the test ends. */
	stop(): Promise<void>;
	/** Asks it something. */
	ask(limits?: AnswerLimits, asked?: EndpointRequest): Promise<Response>;
}

/** Starts a provider that answers so; it ends with the test. */
export async function provider(
	answer: (request: IncomingMessage, response: ServerResponse) => void,
	about: Partial<Endpoint> = {},
): Promise<Provider> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		answer(request, response);
	});
	const stop = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	onTestFinished(stop);
	const endpoint = { ...endpointAt(await addressOf(server)), ...about };
	return {
		stop,
		endpoint,
		requests,
		connections: () =>
			new Promise((resolve, reject) =>
				server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
			),
		ask: (within = limits, asked = {}) => endpointFetch(endpoint, '/chat', { limits: within, ...asked }),
	};
}

/** Until the test ends, requests to an address go to this server on loopback. */
export function standsAt(address: string, url: string): void {
	const real = globalThis.fetch;
	const [from, to] = [new URL(address).origin, new URL(url).origin];
	vi.stubGlobal('fetch', (asked: string, init: RequestInit) => real(String(asked).replace(from, to), init));
	onTestFinished(() => void vi.unstubAllGlobals());
}

/** The error that something ends with. */
export async function failureIn(work: Promise<unknown>): Promise<ModelError> {
	const error = await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (error instanceof ModelError) return error;
	throw new Error('It did not fail as a provider does.', { cause: error });
}

async function addressOf(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
