import { LLMock } from '@copilotkit/aimock';
import type { ChatModel } from '../../../../src/models/chatModel.ts';
import { createModel } from '../../../../src/models/createModel.ts';
import type { Endpoint } from '../../../../src/models/provider.ts';
import { endpointAt, Loopback } from '../../../providers/loopback.ts';
import { answer, called, said, searched } from '../../../providers/openai/responses/endpoint.ts';
import type { WireRequest } from './wireTranscript.ts';

/** What a model says in one round. */
export type ScriptedRound =
	| { readonly calls: readonly { readonly name: string; readonly input: object }[] }
	| { readonly text: string };

/** A provider on loopback that says what a script says, and the model that reaches it. */
export interface ScriptedProvider {
	readonly model: ChatModel;
	/** The requests for an answer, as they arrived. */
	readonly requests: readonly WireRequest[];
}

/** Starts a provider; it ends with `cleanup`. */
export type StartProvider = (
	rounds: readonly ScriptedRound[],
	cleanup: (end: () => Promise<unknown>) => void,
) => Promise<ScriptedProvider>;

/** Every provider, as aimock speaks it. */
export const providers: Readonly<Record<string, StartProvider>> = {
	'openai-chat': aimock({ provider: 'openai', model: 'gpt-4.1', path: '/v1', api: 'chat' }),
	'openai-responses': aimock({ provider: 'openai', model: 'gpt-4.1', path: '/v1', api: 'responses' }),
	openrouter: aimock({ provider: 'openai', model: 'qwen/qwen3-32b', path: '/api/v1' }),
	anthropic: aimock({ provider: 'anthropic', model: 'claude-opus-4-6', path: '' }),
	ollama: aimock({ provider: 'ollama', model: 'qwen3:8b', path: '' }),
};

/** OpenAI's own deferral, which aimock does not speak yet. */
export const responsesWithToolSearch: StartProvider = async (rounds, cleanup) => {
	let id = 0;
	const answers = rounds.map((round) =>
		answer(
			'text' in round
				? [said(round.text)]
				: round.calls.map(({ name, input }) => {
						id++;
						return name === 'search_tools'
							? searched(`call_${id}`, input)
							: called(`call_${id}`, name, JSON.stringify(input));
					}),
		),
	);
	const server = await Loopback.routed(() => answers);
	cleanup(() => server[Symbol.asyncDispose]());
	const model = await createModel(
		{ ...settings, model: 'gpt-5.4', api: 'responses' },
		endpointAt(`${server.url}/v1`),
	);
	return scripted(model, server);
};

function scripted(model: ChatModel, server: Loopback): ScriptedProvider {
	return {
		model,
		get requests() {
			// Ollama is asked for a description of the model, too.
			const asked = server.received.filter(({ path }) => !path.endsWith('/show'));
			return asked.map(({ path, body }) => ({ path, body: JSON.parse(body) }));
		},
	};
}

const settings = { id: 'm', name: 'M', images: false, contextTokens: 32_768, maxOutputTokens: 1024 };

function aimock({
	provider,
	model,
	path,
	api,
}: {
	readonly provider: Endpoint['provider'];
	readonly model: string;
	readonly path: string;
	readonly api?: 'chat' | 'responses';
}): StartProvider {
	return async (rounds, cleanup) => {
		const mock = new LLMock({ port: 0, logLevel: 'silent' });
		let asked = 0;
		let id = 0;
		mock.on(
			{ predicate: () => true },
			() => {
				const round = rounds[asked++];
				if (!round) throw new Error('The script has ended');
				if ('text' in round) return { content: round.text };
				return {
					toolCalls: round.calls.map(({ name, input }) => {
						id++;
						return { id: `call_${id}`, name, arguments: JSON.stringify(input) };
					}),
				};
			},
			{ chunkSize: 7, openRouterProcessing: true },
		);
		await mock.start();
		cleanup(() => mock.stop());
		const server = await Loopback.start(async (response, { path: asked, body }) => {
			const headers = {
				'content-type': 'application/json',
				authorization: 'Bearer test',
				'x-api-key': 'test',
			};
			const answer = await fetch(`${mock.url}${asked}`, { method: 'POST', body, headers });
			response.writeHead(answer.status, {
				'content-type': answer.headers.get('content-type') ?? 'text/plain',
			});
			for await (const piece of answer.body ?? []) response.write(piece);
			response.end();
		});
		cleanup(() => server[Symbol.asyncDispose]());
		const endpoint = endpointAt(`${server.url}${path}`, provider);
		const chosen = { ...settings, model, ...(api && { api }) };
		return scripted(await createModel(chosen, endpoint), server);
	};
}
