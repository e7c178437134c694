import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameSecret } from '../../common/digest.ts';
import type { Disposable } from '../../common/event.ts';
import { SignInError } from './signInError.ts';

/** Path of the redirect URL of a client that the user has registered. */
export const callbackPath = '/callback';
/** How long the browser has to load its last page. */
const farewellMs = 2_000;
/** Longest address that is read, in characters. */
const maxAddressCharacters = 16_384;

/** What the browser shows, in the user's language. */
export interface RedirectPages {
	/** The answer has arrived; the editor shows the outcome. */
	readonly received: string;
	/** The answer says that nobody was signed in. */
	readonly denied: string;
	/** An unexpected answer, or a second one. */
	readonly refused: string;
}

/**
 * Waits on 127.0.0.1 for the browser to return. It accepts one answer, identified by its `state`. Anything else is refused, and the wait
 * goes on: any web page can send a browser here.
 */
export class RedirectListener implements Disposable {
	readonly #answer = Promise.withResolvers<URLSearchParams>();
	/** Resolves to the parameters of the redirect. Never rejects. */
	readonly answer = this.#answer.promise;
	readonly #server: Server;
	readonly #state: string;
	readonly #path: string;
	#isAnswered = false;

	private constructor(server: Server, state: string, path: string, pages: RedirectPages) {
		this.#server = server;
		this.#state = state;
		this.#path = path;
		server.on('request', ({ method, url = '' }, response) => {
			const target = url.length <= maxAddressCharacters ? URL.parse(url, 'http://127.0.0.1') : null;
			if (method !== 'GET' || target?.pathname !== path) return page(response, 404, pages.refused);
			const { searchParams: answer } = target;
			if (!this.#take(answer)) return page(response, 400, pages.refused);
			return page(response, 200, answer.has('error') ? pages.denied : pages.received);
		});
	}

	/**
	 * Starts to listen. Rejects with `port-taken` if another program has the port.
	 *
	 * @param port 0: any free port
	 * @param path of the redirect URL
	 */
	static async open(
		port: number,
		state: string,
		pages: RedirectPages,
		path = callbackPath,
	): Promise<RedirectListener> {
		const server = createServer({ maxHeaderSize: 2 * maxAddressCharacters });
		const listener = new RedirectListener(server, state, path, pages);
		server.listen({ port, host: '127.0.0.1', exclusive: true });
		try {
			await once(server, 'listening');
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			const why = code === 'EADDRINUSE' ? 'another program uses it' : 'this machine does not allow it';
			throw new SignInError(
				'port-taken',
				`Signing in needs port ${port} on this machine, but ${why}. End that program, or change "redirect_port" in the server's "oauth".`,
			);
		}
		return listener;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	/** The redirect URL on this machine. */
	get address(): string {
		return `http://127.0.0.1:${this.port}${this.#path}`;
	}

	/**
	 * Takes a redirect URL that the user pasted; returns whether it is the expected one.
	 *
	 * @param redirectUri under which a browser elsewhere reaches this machine
	 */
	paste(text: string, redirectUri = this.address): boolean {
		const address = text.length <= maxAddressCharacters ? URL.parse(text.trim()) : null;
		if (address?.pathname !== new URL(redirectUri).pathname) return false;
		return this.#take(address.searchParams);
	}

	dispose(): void {
		this.#server.close();
		// The browser may still be loading its last page.
		setTimeout(() => this.#server.closeAllConnections(), farewellMs).unref();
	}

	#take(answer: URLSearchParams): boolean {
		if (this.#isAnswered || !isSameSecret(answer.get('state') ?? '', this.#state)) return false;
		this.#isAnswered = true;
		this.#answer.resolve(answer);
		return true;
	}
}

/** A page of plain text that repeats nothing of the request. The address in the browser's bar is not sent anywhere. */
function page(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, {
		'content-type': 'text/plain; charset=utf-8',
		'cache-control': 'no-store',
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		'content-security-policy': "default-src 'none'",
		connection: 'close',
	});
	response.end(`${text}\n`);
}
