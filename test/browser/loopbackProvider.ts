import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import {
	type ChatCompletionRequest,
	createServer,
	type FixtureResponse,
	isChatCompletionBody,
	type ResponseOverrides,
	type ServerInstance,
} from '@copilotkit/aimock';

/** Characters of a piece of an answer. */
const PIECE = 6;
/** Between two pieces of an answer that is watched as it comes. */
const SLOW_MS = 300;

interface ScriptedAnswer {
	readonly response: FixtureResponse;
	readonly isSlow: boolean;
}

/**
 * A model provider on this machine: aimock, which gives scripted answers in order, over every protocol. Also records the keys of requests,
 * which aimock does not.
 */
export class LoopbackProvider implements AsyncDisposable {
	/** The key of each chat request in order, refused ones included; undefined without a key. */
	readonly keys: (string | undefined)[] = [];
	/** Answers that the client ended early. */
	abandoned = 0;
	readonly #script: ScriptedAnswer[];
	readonly #instance: ServerInstance;

	private constructor(instance: ServerInstance, script: ScriptedAnswer[]) {
		this.#instance = instance;
		this.#script = script;
		instance.server.on('request', ({ method, headers }, response) => {
			// Asks for the list of models.
			if (method === 'GET') return;
			this.keys.push(keyIn(headers));
			response.on('close', () => {
				if (!response.writableEnded) this.abandoned++;
			});
		});
	}

	/** With `key`, it refuses requests with any other key. */
	static async start({ key }: { readonly key?: string } = {}): Promise<LoopbackProvider> {
		const script: ScriptedAnswer[] = [];
		const response = () => {
			const next = script.shift();
			if (!next) throw new Error('The provider was not told what to say');
			return next.response;
		};
		const slow = { predicate: () => script[0]?.isSlow === true };
		const instance = await createServer(
			[
				{ match: slow, response, chunkSize: PIECE, latency: SLOW_MS },
				{ match: { predicate: () => true }, response, chunkSize: PIECE },
			],
			{ logLevel: 'silent', ...(key !== undefined && { auth: { apiKeys: [key] } }) },
		);
		return new LoopbackProvider(instance, script);
	}

	/** Its address, without a slash at the end. */
	get url(): string {
		return this.#instance.url;
	}

	/** Host and port. */
	get host(): string {
		return new URL(this.url).host;
	}

	/** The requests that it did not refuse, in the form of Chat Completions whatever their protocol. */
	get requests(): readonly ChatCompletionRequest[] {
		const bodies = this.#instance.journal.getAll().map(({ body }) => body);
		return bodies.filter(isChatCompletionBody);
	}

	/** Adds answers, one for each request. */
	willSay(...responses: readonly FixtureResponse[]): void {
		this.#script.push(...responses.map((response) => ({ response, isSlow: false })));
	}

	/** Adds an answer that comes a few characters at a time. */
	willSaySlowly(content: string): void {
		this.#script.push({ response: { content }, isSlow: true });
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const { server } = this.#instance;
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	}
}

/** An answer with some words and a tool call. */
export function calling(
	content: string,
	name: string,
	input: object,
	more: ResponseOverrides = {},
): FixtureResponse {
	return { content, toolCalls: [{ name, arguments: JSON.stringify(input) }], ...more };
}

/** The usage that the provider reports for an answer. */
export function tokens(prompt: number, completion: number): ResponseOverrides {
	return { usage: { prompt_tokens: prompt, completion_tokens: completion } };
}

function keyIn({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): string | undefined {
	return authorization?.replace(/^Bearer /, '') ?? apiKey?.toString();
}
