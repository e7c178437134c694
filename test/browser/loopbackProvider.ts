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

/** Between two pieces of an answer that is watched as it comes. */
const SLOW_MS = 300;

/** What a provider is like. */
export interface LoopbackOptions {
	/** It refuses whoever does not send this. */
	readonly key?: string;
}

/**
 * A model's provider on this machine: aimock, which says what it was told to say, in order, and beside it the keys that it was sent,
 * which aimock does not keep.
 */
export class LoopbackProvider implements AsyncDisposable {
	/** The key of each request, in order, of those that were refused as well; `undefined`: it came without one. */
	readonly keys: (string | undefined)[] = [];
	/** Answers that the other side did not hear out. */
	abandoned = 0;
	readonly #answers: FixtureResponse[];
	readonly #instance: ServerInstance;

	private constructor(instance: ServerInstance, answers: FixtureResponse[]) {
		this.#instance = instance;
		this.#answers = answers;
		instance.server.on('request', ({ headers }, response) => {
			this.keys.push(keyIn(headers));
			response.on('close', () => {
				if (!response.writableFinished) this.abandoned++;
			});
		});
	}

	static async start({ key }: LoopbackOptions = {}): Promise<LoopbackProvider> {
		const answers: FixtureResponse[] = [];
		const next = () => {
			const answer = answers.shift();
			if (!answer) throw new Error('The provider was not told what to say');
			return answer;
		};
		const isSlow = () => answers[0] !== undefined && slowAnswers.has(answers[0]);
		const instance = await createServer(
			[
				{ match: { predicate: isSlow }, response: next, latency: SLOW_MS, chunkSize: 6 },
				{ match: { predicate: () => true }, response: next, chunkSize: 6 },
			],
			{ logLevel: 'silent', ...(key !== undefined && { auth: { apiKeys: [key] } }) },
		);
		return new LoopbackProvider(instance, answers);
	}

	/** Its address, without a slash at the end. */
	get url(): string {
		return this.#instance.url;
	}

	/** Host and port, as the chat names it. */
	get host(): string {
		return new URL(this.url).host;
	}

	/** What it was asked and did not refuse, in the form of Chat Completions whatever the protocol was. */
	get requests(): readonly ChatCompletionRequest[] {
		return this.#instance.journal
			.getAll()
			.map(({ body }) => body)
			.filter(isChatCompletionBody);
	}

	/** The system prompt of the last request. */
	get lastSystemPrompt(): string {
		const system = this.requests.at(-1)?.messages.find(({ role }) => role === 'system');
		return typeof system?.content === 'string' ? system.content : JSON.stringify(system?.content);
	}

	/** Says these next, one a request. */
	willSay(...answers: readonly FixtureResponse[]): void {
		this.#answers.push(...answers);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const { server } = this.#instance;
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	}
}

const slowAnswers = new WeakSet<FixtureResponse>();

/** An answer so slow that it is seen to come in pieces. */
export function slowly(content: string): FixtureResponse {
	const answer = { content };
	slowAnswers.add(answer);
	return answer;
}

/** A wish to call a tool, after some words. */
export function calling(
	content: string,
	name: string,
	input: object,
	more: ResponseOverrides = {},
): FixtureResponse {
	return { content, toolCalls: [{ name, arguments: JSON.stringify(input) }], ...more };
}

/** What the provider says that an answer has used. */
export function tokens(prompt: number, completion: number): ResponseOverrides {
	return { usage: { prompt_tokens: prompt, completion_tokens: completion } };
}

function keyIn({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): string | undefined {
	return authorization?.replace(/^Bearer /, '') ?? apiKey?.toString();
}
