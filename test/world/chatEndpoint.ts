import type { ServerResponse } from 'node:http';
import type { LoopEvent } from '../../src/chat/loopEvent.ts';
import type { ChatModel } from '../../src/models/chatModel.ts';
import { createModel, type ModelSettings } from '../../src/models/createModel.ts';
import { endpointAt, Loopback, sse, whole } from '../providers/loopback.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A request of Chat Completions, as far as tests look at it. */
export interface ChatBody {
	readonly messages: readonly (Json & { readonly role: string })[];
	readonly tools?: readonly {
		readonly function: { readonly name: string; readonly parameters: { readonly properties: Json } };
	}[];
	readonly reasoning_effort?: string;
}

/** What an endpoint answers: chunks of a stream, or a refusal. */
export type ChatAnswer =
	| { readonly chunks: readonly Json[] }
	| { readonly status: number; readonly body: object };

/** An endpoint of Chat Completions on loopback that answers each request by its body and its number. */
export class ChatEndpoint implements AsyncDisposable {
	readonly bodies: ChatBody[] = [];
	readonly model: ChatModel;
	readonly #server: Loopback;

	private constructor(server: Loopback, model: ChatModel) {
		this.#server = server;
		this.model = model;
	}

	static async start(
		answers: (body: ChatBody, n: number) => ChatAnswer,
		settings: Partial<ModelSettings> = {},
	): Promise<ChatEndpoint> {
		const server = await Loopback.start((response, { body: sent }) => {
			const body = JSON.parse(sent) as ChatBody;
			const answer = answers(body, endpoint.bodies.push(body) - 1);
			return 'status' in answer
				? whole(answer.status, answer.body)(response)
				: stream(response, answer.chunks);
		});
		const model = await createModel(
			{ id: 'm', name: 'M', model: 'some-model', ...settings },
			endpointAt(`${server.url}/v1`),
		);
		const endpoint = new ChatEndpoint(server, model);
		return endpoint;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#server[Symbol.asyncDispose]();
	}
}

function stream(response: ServerResponse, chunks: readonly Json[]): void {
	response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${sse(...chunks)}data: [DONE]\n\n`);
}

/** A chunk of an answer. */
export function delta(piece: Json, finish?: string): Json {
	return { choices: [{ index: 0, delta: piece, ...(finish && { finish_reason: finish }) }] };
}

/** An answer of one text. */
export function saying(text: string): ChatAnswer {
	return { chunks: [delta({ content: text }, 'stop')] };
}

/** An answer with one call. */
export function calling(name: string, input: Json = {}, id = 'c1'): ChatAnswer {
	const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
	return { chunks: [delta({ tool_calls: [call] }), delta({}, 'tool_calls')] };
}

/** The texts that a turn showed. */
export function shownText(events: readonly LoopEvent[]): string {
	return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
