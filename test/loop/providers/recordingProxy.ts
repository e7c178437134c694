import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { listen } from '../../servers/loopback.ts';

/** A request as it came over the wire. */
export interface WireRequest {
	readonly path: string;
	readonly body: unknown;
}

/** Stands in front of a provider and keeps every request for an answer as the SDK wrote it. */
export class RecordingProxy implements AsyncDisposable {
	readonly requests: WireRequest[] = [];
	readonly #server = createServer();
	#url = '';

	static async start(target: string): Promise<RecordingProxy> {
		const proxy = new RecordingProxy();
		proxy.#server.on('request', async (request, response) => {
			const { method = 'GET', url: path = '/' } = request;
			const body = await text(request);
			if (path.endsWith('/show')) {
				// Ollama's description of a model, which aimock does not have.
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(
					JSON.stringify({
						capabilities: ['completion', 'tools'],
						model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 },
					}),
				);
				return;
			}
			proxy.requests.push({ path, body: JSON.parse(body) });
			const answer = await fetch(`${target}${path}`, {
				method,
				body,
				headers: { 'content-type': 'application/json', authorization: 'Bearer test', 'x-api-key': 'test' },
			});
			response.writeHead(answer.status, {
				'content-type': answer.headers.get('content-type') ?? 'text/plain',
			});
			if (answer.body) Readable.from(answer.body).pipe(response);
			else response.end();
		});
		proxy.#url = await listen(proxy.#server);
		return proxy;
	}

	get url(): string {
		return this.#url;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}
