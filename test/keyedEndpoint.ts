import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const chunk = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hello.' } }] };
const end = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

/** An OpenAI-compatible endpoint that keeps the keys it is sent, which aimock strikes out, and says hello. */
export class KeyedEndpoint {
	/** Whether a request without a key is refused; `chats`: only one that is no list of models. */
	wantsKey: boolean | 'chats' = false;
	/** What it lists at `/models`. */
	models: readonly object[] = [];
	/** How often it was asked for its models. */
	lists = 0;
	/** The body of each chat request so far. */
	readonly bodies: string[] = [];
	/** The authorization of each chat request so far. */
	readonly authorizations: (string | undefined)[] = [];
	readonly #server = createServer((request, response) => {
		const { authorization } = request.headers;
		const isList = request.method === 'GET' && request.url?.endsWith('/models');
		if (isList) this.lists++;
		else {
			this.authorizations.push(authorization);
			const pieces: Buffer[] = [];
			request.on('data', (piece: Buffer) => pieces.push(piece));
			request.on('end', () => this.bodies.push(Buffer.concat(pieces).toString()));
		}
		const needsKey = this.wantsKey === 'chats' ? !isList : this.wantsKey;
		if (needsKey && authorization === undefined) {
			response.writeHead(401, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: { message: 'no key' } }));
			return;
		}
		if (isList) {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ data: this.models }));
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
	});

	async start(): Promise<void> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
	}

	get origin(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	stop(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}
