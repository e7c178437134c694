import type { OllamaBody } from '../../../src/models/ollama/chatBody.ts';
import { OllamaModel } from '../../../src/models/ollama/ollamaModel.ts';
import type { AnswerLimits, ProviderModelSettings } from '../../../src/models/provider.ts';
import { endpointAt, type HttpAnswer, Loopback, whole } from '../loopback.ts';

/** An Ollama on loopback. The first of `chat` answers the first request for an answer, the last one all that follow. */
export function ollamaServer(chat: readonly HttpAnswer[], show = shown({})): Promise<Loopback> {
	return Loopback.routed((path) => (path === '/api/show' ? [show] : chat));
}

/** The requests for an answer. */
export function chatsOf(ollama: Loopback): OllamaBody[] {
	return ollama.at('/api/chat').map(({ body }) => JSON.parse(body));
}

/** The lengths of context that were asked for, in order. */
export function contextsOf(ollama: Loopback): number[] {
	return chatsOf(ollama).map(({ options }) => options.num_ctx);
}

/** Lines of an answer; a string is sent as it is. */
export function lines(...said: readonly (object | string)[]): HttpAnswer {
	return (response) => {
		response.writeHead(200, { 'content-type': 'application/x-ndjson' });
		response.end(
			said.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''),
		);
	};
}

/** A piece of an answer. */
export function piece(message: object): object {
	return { model: 'qwen3:8b', message: { role: 'assistant', content: '', ...message }, done: false };
}

/** The last line of an answer. */
export function done(more: object = {}): object {
	const counts = { prompt_eval_count: 100, eval_count: 10 };
	return { ...piece({}), done: true, done_reason: 'stop', ...counts, ...more };
}

/** An answer of one text. */
export function says(content: string, more: object = {}): HttpAnswer {
	return lines(piece({ content }), done(more));
}

/** A failing answer, as Ollama words it. */
export function fails(status: number, error: string): HttpAnswer {
	return whole(status, { error });
}

/** What Ollama knows of a model. */
export function shown(known: {
	contextTokens?: number;
	capabilities?: readonly string[];
	parameters?: string;
}): HttpAnswer {
	const { contextTokens = 131_072, capabilities = ['completion', 'tools'], parameters } = known;
	const model_info = { 'general.architecture': 'qwen3', 'qwen3.context_length': contextTokens };
	return whole(200, { parameters, model_info, capabilities });
}

/** A model of an Ollama. */
export function modelAt(
	{ url }: Pick<Loopback, 'url'>,
	settings: Partial<ProviderModelSettings> = {},
	limits?: AnswerLimits,
): OllamaModel {
	return new OllamaModel(
		{ id: 'qwen', name: 'Qwen', model: 'qwen3:8b', ...settings },
		endpointAt(url, 'ollama', limits),
	);
}
