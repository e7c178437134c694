import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
	createMcpHandler,
	isLegacyRequest,
	type McpHttpHandler,
	type McpServerFactory,
	WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isSameSecret } from '../common/digest.ts';
import { errorCode } from '../common/errors.ts';
import type { Disposable } from '../common/event.ts';
import { exactJson } from '../common/exactJson.ts';
import type { GatewayTools } from './gatewayTools.ts';
import { gatewayServer } from './mcpServer.ts';
import { mcpPath } from './windows.ts';

export interface GatewayLimits {
	/** Bytes of a request's body. */
	readonly bodyBytes: number;
	/** Requests that are answered at the same time. */
	readonly requests: number;
	/** Sessions of the older protocol. Beyond it, the least recently used one is closed. */
	readonly sessions: number;
	/** A client that reads nothing for so long is cut off, in milliseconds. */
	readonly silentMs: number;
}

export const defaultGatewayLimits: GatewayLimits = {
	bodyBytes: 4 * 1024 * 1024,
	requests: 128,
	sessions: 100,
	silentMs: 120_000,
};

/** How a request is refused: a status, and a sentence for the client's log. */
interface HttpRefusal {
	readonly status: number;
	readonly message: string;
}

interface GatewayParts {
	readonly tools: GatewayTools;
	/** Of the extension. */
	readonly version: string;
	/** The secret that every request must carry. */
	readonly token: string;
	/** The name of a client that has the four tools already: the editor itself. It gets no tools. */
	readonly editor?: string;
	readonly limits?: GatewayLimits;
}

/**
 * The MCP server on this machine that other agents connect to: streamable HTTP on 127.0.0.1, in both generations of the protocol. Every request
 * needs the token, and must come from a program: web pages are refused, whatever they know.
 */
export class Gateway implements Disposable {
	readonly #server: Server;
	readonly #parts: GatewayParts;
	readonly #limits: GatewayLimits;
	readonly #factory: McpServerFactory;
	readonly #modern: McpHttpHandler;
	/** Sessions of the older protocol by id, the most recently used one last. */
	readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
	#requests = 0;

	private constructor(parts: GatewayParts) {
		this.#parts = parts;
		this.#limits = parts.limits ?? defaultGatewayLimits;
		this.#factory = gatewayServer(parts);
		this.#modern = createMcpHandler(this.#factory, { legacy: 'reject' });
		this.#server = createServer((request, response) => void this.#serve(request, response));
		this.#server.on('clientError', (_error, socket) => socket.destroy());
	}

	/**
	 * Starts to listen. Rejects if no port can be used.
	 *
	 * @param port the last one, so that clients find it again; if it is not free, another is used
	 */
	static async open(parts: GatewayParts, port = 0): Promise<Gateway> {
		const gateway = new Gateway(parts);
		try {
			await gateway.#listen(port);
		} catch (error) {
			if (port === 0 || !['EADDRINUSE', 'EACCES'].includes(errorCode(error))) throw error;
			await gateway.#listen(0);
		}
		return gateway;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	dispose(): void {
		this.#server.close();
		for (const transport of this.#sessions.values()) void transport.close();
		this.#sessions.clear();
		void this.#modern.close();
		this.#server.closeAllConnections();
	}

	async #listen(port: number): Promise<void> {
		this.#server.listen({ port, host: '127.0.0.1', exclusive: true });
		await once(this.#server, 'listening');
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const refusal = this.#refusal(request);
		if (refusal) return refuse(response, refusal);
		this.#requests++;
		const closed = new AbortController();
		response.on('close', () => closed.abort());
		try {
			closeIfUnread(response, this.#limits.silentMs);
			const text = await bodyOf(request, this.#limits.bodyBytes);
			if (text === undefined) return refuse(response, { status: 413, message: 'The request is too large.' });
			await answer(response, await this.#answer(webRequest(request, text, closed.signal), exactJson(text)));
		} catch {
			// Most often the client has closed the connection.
			if (response.headersSent) response.destroy();
			else refuse(response, { status: 500, message: 'The request could not be answered.' });
		} finally {
			this.#requests--;
		}
	}

	#refusal({ url, headers: { host, origin, authorization } }: IncomingMessage): HttpRefusal | undefined {
		// A web page that resolved its own name to this machine sends that name.
		const isOwnHost = host === `127.0.0.1:${this.port}` || host === `localhost:${this.port}`;
		if (!isOwnHost) return { status: 403, message: 'This server is reached as 127.0.0.1 only.' };
		// Pages always send an origin, programs none or the server's own, from which there are no pages.
		if (origin !== undefined && origin !== `http://${host}`)
			return { status: 403, message: 'Web pages may not use this server.' };
		if (!isSameSecret(authorization ?? '', `Bearer ${this.#parts.token}`)) {
			return {
				// A client would answer 401 with a sign-in by OAuth, and never show the sentence.
				status: 403,
				message:
					'The token is missing or no longer valid. Run “Discovery: Connect Other Agents…” in VS Code.',
			};
		}
		if (url !== mcpPath) return { status: 404, message: `The MCP server is at ${mcpPath}.` };
		if (this.#requests >= this.#limits.requests)
			return { status: 503, message: 'Too many requests at once. Try again later.' };
		return undefined;
	}

	/** `parsedBody`: `undefined` if the body is no JSON, which the transport then says. */
	async #answer(request: Request, parsedBody: unknown): Promise<Response> {
		if (!(await isLegacyRequest(request, parsedBody))) return this.#modern.fetch(request, { parsedBody });
		const id = request.headers.get('mcp-session-id');
		if (id === null) return this.#begin(request, parsedBody);
		const session = this.#sessions.get(id);
		if (!session) return Response.json({ error: 'This session has ended.' }, { status: 404 });
		this.#sessions.delete(id);
		this.#sessions.set(id, session);
		return session.handleRequest(request, { parsedBody });
	}

	/** Only a request to initialize opens a session; the transport refuses others. */
	async #begin(request: Request, parsedBody: unknown): Promise<Response> {
		const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: (id) => this.#add(id, transport),
			onsessionclosed: (id) => void this.#sessions.delete(id),
		});
		const server = await this.#factory({ era: 'legacy', requestInfo: request });
		await server.connect(transport);
		const response = await transport.handleRequest(request, { parsedBody });
		if (transport.sessionId === undefined) void transport.close();
		return response;
	}

	#add(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
		this.#sessions.set(id, transport);
		const [oldest] = this.#sessions;
		if (oldest && this.#sessions.size > this.#limits.sessions) {
			this.#sessions.delete(oldest[0]);
			void oldest[1].close();
		}
	}
}

/** The text of a request's body; `undefined`: it has more bytes. */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
	const parts: Buffer[] = [];
	let bytes = 0;
	for await (const part of request as AsyncIterable<Buffer>) {
		bytes += part.length;
		if (bytes <= maxBytes) parts.push(part);
	}
	return bytes <= maxBytes ? Buffer.concat(parts).toString() : undefined;
}

function webRequest(request: IncomingMessage, text: string, signal: AbortSignal): Request {
	const { method = 'GET', headers } = request;
	const hasBody = method !== 'GET' && method !== 'HEAD';
	return new Request(`http://127.0.0.1${mcpPath}`, {
		method,
		headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
			value === undefined ? [] : [[name, String(value)]],
		),
		signal,
		...(hasBody && { body: text }),
	});
}

async function answer(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
	response.writeHead(status, Object.fromEntries(headers));
	response.flushHeaders();
	if (body) await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response);
	else response.end();
}

/** A call may take as long as it wants; only an answer that nobody reads is given up. */
function closeIfUnread(response: ServerResponse, silentMs: number): void {
	response.setTimeout(silentMs, () => {
		if (response.writableLength > 0) response.destroy();
		else response.setTimeout(silentMs);
	});
}

function refuse(response: ServerResponse, { status, message }: HttpRefusal): void {
	response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
	response.end(JSON.stringify({ error: message }));
}
