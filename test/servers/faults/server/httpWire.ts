import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, encode, type Mode, oneAtATime, type Wire } from './exchange.ts';
import type { Json } from './messages.ts';

// An import would read everything that the module exports, and so load WebSocket and fetch, which takes as long as the rest of the server.
const { createServer } = process.getBuiltinModule('node:http');

/** Serves SSE, streamable HTTP, or streamable HTTP with plain bodies on a free port of loopback, and writes the port to stdout. */
export async function serveHttp(
	kind: Exclude<Wire['kind'], 'stdio'>,
	mode: Mode,
	handle: (exchange: Exchange) => Promise<void>,
): Promise<void> {
	/** Event streams that clients have opened for our messages. */
	const streams = new Set<ServerResponse>();
	const exclusively = oneAtATime();
	const wire: Wire = {
		kind,
		send: (message) =>
			exclusively(async () => {
				await Promise.all([...streams].map((stream) => write(stream, event(encode(message)))));
			}),
	};
	const server = createServer(async (request, response) => {
		const body = await textOf(request);
		const message = body === '' ? undefined : (JSON.parse(body) as Json);
		const seen = {
			method: request.method ?? '',
			url: request.url ?? '',
			rpc: message?.method as string | undefined,
		};
		if (mode.http?.(seen, response)) return;
		if (request.method === 'GET') openStream(response);
		else if (!message) response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
		else await takePost(message, response);
	});

	function openStream(response: ServerResponse): void {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		if (kind === 'sse') {
			const endpoint = mode.endpoint ? mode.endpoint() : '/message';
			if (endpoint !== undefined) response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
		} else response.write(': here\n\n');
		streams.add(response);
		response.on('close', () => streams.delete(response));
	}

	async function takePost(message: Json, response: ServerResponse): Promise<void> {
		const { id, method, params = {} } = message as { id?: number; method: string; params?: Json };
		const about = { id, method, params, wire, response };
		// An answer to a request of ours, or a notification.
		if (id === undefined || method === undefined || kind === 'sse') response.writeHead(202).end();
		if (method === undefined) return;
		// A stream that is opened later does not get the rest of an answer.
		const target = kind === 'sse' ? [...streams] : [response];
		const pieces = async function* (all: Iterable<string | Buffer>) {
			const framed = kind !== 'json';
			if (framed) yield 'data: ';
			yield* all;
			if (framed) yield '\n\n';
		};
		const sendPieces = async (all: Iterable<string | Buffer>) => {
			if (kind !== 'sse' && !response.headersSent)
				response.writeHead(200, {
					'content-type': kind === 'json' ? 'application/json' : 'text/event-stream',
				});
			const writeAll = async () => {
				for await (const piece of pieces(all)) for (const stream of target) await write(stream, piece);
			};
			await (kind === 'sse' ? exclusively(writeAll) : writeAll());
		};
		await handle({
			...about,
			send: (sent) => sendPieces([encode(sent)]),
			sendPieces,
			breakOff: () => {
				for (const stream of target) stream.destroy();
			},
		});
		// The stream of an answer ends with the answer.
		if (id !== undefined && kind !== 'sse' && response.headersSent) response.end();
	}

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	console.log(typeof address === 'object' && address ? address.port : 0);
}

function event(data: string): string {
	return `data: ${data}\n\n`;
}

async function write(stream: ServerResponse, piece: string | Buffer): Promise<void> {
	if (stream.destroyed || stream.write(piece)) return;
	await new Promise<void>((resolve) => {
		const goOn = () => {
			stream.off('drain', goOn).off('close', goOn);
			resolve();
		};
		stream.on('drain', goOn).on('close', goOn);
	});
}

async function textOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += chunk;
	return text;
}
