import type { IncomingHttpHeaders } from 'node:http';
import type { Provider } from '../../../src/common/providers.ts';
import type { Endpoint } from '../../../src/models/provider.ts';
import { Loopback, whole } from '../loopback.ts';

/** What a scripted model says in one answer, whatever the protocol. */
export interface Said {
	readonly thought?: string;
	readonly text?: string;
	/** `id`: what the provider calls it, where it is not to make one up. */
	readonly calls?: readonly { readonly name: string; readonly input: object; readonly id?: string }[];
}

/** Something that a provider refuses, and the documentation or the report that says so. */
export interface Rule<Body, Issued> {
	readonly source: string;
	/** What the provider says of a request that breaks the rule; `undefined` where it holds. `issued`: what it has answered so far. */
	readonly broken: (
		body: Body,
		issued: readonly Issued[],
		headers: IncomingHttpHeaders,
	) => string | undefined;
}

/** A provider's protocol: how it answers, and what it refuses. */
export interface Protocol<Body, Issued> {
	readonly provider: Provider;
	/** What stands behind the address of the endpoint: `/v1`. */
	readonly path: string;
	readonly contentType: string;
	readonly rules: readonly Rule<Body, Issued>[];
	/** A message as this provider words an error with status 400. */
	readonly refusal: (message: string) => object;
	/** The n-th answer: what goes over the wire, and what the provider expects to be sent again. */
	readonly answer: (said: Said, n: number) => { readonly issued: Issued; readonly pieces: readonly string[] };
	/** What is answered to a request that asks for no answer of the model, such as Ollama's for a model's description. */
	readonly besides?: (path: string) => object | undefined;
}

/**
 * A provider on loopback that speaks the real wire format and refuses what the real one refuses. It says what a script says, one answer a
 * request; the rules stand beside each protocol, so that one more is one more entry.
 */
export class StrictEndpoint<Body, Issued> implements AsyncDisposable {
	/** What was sent, refused or not. */
	readonly requests: {
		readonly path: string;
		readonly body: Body;
		readonly headers: IncomingHttpHeaders;
	}[] = [];
	/** What requests were refused for. */
	readonly refused: string[] = [];
	#issued: Issued[] = [];
	readonly #protocol: Protocol<Body, Issued>;
	readonly #server: Loopback;

	private constructor(protocol: Protocol<Body, Issued>, server: Loopback) {
		this.#protocol = protocol;
		this.#server = server;
	}

	static async start<Body, Issued>(
		protocol: Protocol<Body, Issued>,
		script: readonly Said[],
	): Promise<StrictEndpoint<Body, Issued>> {
		let answered = 0;
		const server = await Loopback.start((response, { path, headers, body: sent }) => {
			const beside = protocol.besides?.(path);
			if (beside) return whole(200, beside)(response);
			const body = JSON.parse(sent) as Body;
			strict.requests.push({ path, body, headers });
			const said = script[answered];
			const refusal =
				brokenRule(protocol.rules, body, strict.#issued, headers) ??
				(said ? undefined : 'The script has ended.');
			if (refusal !== undefined || !said) {
				strict.refused.push(refusal ?? '');
				return whole(400, protocol.refusal(refusal ?? ''))(response);
			}
			const { issued, pieces } = protocol.answer(said, ++answered);
			strict.#issued.push(issued);
			response.writeHead(200, { 'content-type': protocol.contentType });
			for (const piece of pieces) response.write(piece);
			return response.end();
		});
		const strict = new StrictEndpoint(protocol, server);
		return strict;
	}

	/** As the configuration names it; one object for each test, as what is learned of an endpoint is kept with it. */
	get endpoint(): Endpoint {
		const { provider, path } = this.#protocol;
		return { name: provider, provider, baseUrl: `${this.#server.url}${path}`, key: async () => 'test' };
	}

	/** As after a change of key or account: nothing that was issued before is known any more. */
	forget(): void {
		this.#issued = [];
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#server[Symbol.asyncDispose]();
	}
}

/** What is said of the first rule that a request breaks. */
export function brokenRule<Body, Issued>(
	rules: readonly Rule<Body, Issued>[],
	body: Body,
	issued: readonly Issued[],
	headers: IncomingHttpHeaders = {},
): string | undefined {
	for (const { broken } of rules) {
		const message = broken(body, issued, headers);
		if (message !== undefined) return message;
	}
	return undefined;
}

/** Whether two values are the same JSON, whatever the order of their keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
	return sorted(a) === sorted(b);
}

function sorted(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
