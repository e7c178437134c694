import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Has a server listen on a free port of loopback. Resolves to its address for HTTP. */
export async function listen(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port that nobody uses at the moment. */
export async function freePort(): Promise<number> {
	const server = createServer();
	const { port } = new URL(await listen(server));
	server.close();
	return Number(port);
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
	let body = '';
	for await (const chunk of request) body += chunk;
	return body;
}
