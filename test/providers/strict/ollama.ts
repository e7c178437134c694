import { halves } from '../loopback.ts';
import type { Protocol, Rule } from './strictEndpoint.ts';

export interface OllamaMessage {
	readonly role: string;
	readonly content?: unknown;
	readonly thinking?: unknown;
	readonly tool_calls?: readonly {
		readonly id?: string;
		readonly function: { readonly name: string; readonly arguments: unknown };
	}[];
	readonly tool_call_id?: string;
}

export interface OllamaBody {
	readonly model: string;
	readonly messages: readonly OllamaMessage[];
	readonly think?: unknown;
}

const types = 'https://github.com/ollama/ollama/blob/main/api/types.go';

const rules: readonly Rule<OllamaBody, OllamaMessage>[] = [
	{
		source: `${types}, "Message"`,
		broken: ({ messages }) => {
			const texts = messages.flatMap(({ content, thinking }) => [content ?? '', thinking ?? '']);
			return texts.every((text) => typeof text === 'string')
				? undefined
				: 'json: cannot unmarshal array into Go struct field ChatRequest.messages of type string';
		},
	},
	{
		source: `${types}, "ToolCallFunctionArguments"`,
		broken: ({ messages }) => {
			const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
			const isObject = (value: unknown) =>
				typeof value === 'object' && value !== null && !Array.isArray(value);
			return calls.every((call) => isObject(call.function.arguments))
				? undefined
				: 'json: cannot unmarshal string into Go struct field ToolCallFunction.arguments of type map[string]interface {}';
		},
	},
];

/** Ollama's own API with a model that thinks. */
export const ollama: Protocol<OllamaBody, OllamaMessage> = {
	provider: 'ollama',
	path: '',
	contentType: 'application/x-ndjson',
	rules,
	refusal: (error) => ({ error }),
	answer: ({ thought = '', text = '', calls = [] }, n) => {
		const tool_calls = calls.map(({ name, input, id }, i) => ({
			id: id ?? `call_${n}${i}`,
			function: { name, arguments: input },
		}));
		const messages = [
			...halves(thought).map((thinking) => ({ content: '', thinking })),
			...halves(text).map((content) => ({ content })),
			...tool_calls.map((call) => ({ content: '', tool_calls: [call] })),
		];
		const lines = [
			...messages.map((message) => ({ message: { role: 'assistant', ...message }, done: false })),
			{
				message: { role: 'assistant', content: '' },
				done: true,
				done_reason: 'stop',
				prompt_eval_count: 100,
				eval_count: 10,
			},
		];
		return {
			issued: { role: 'assistant', content: text, thinking: thought, tool_calls },
			pieces: lines.map((line) => `${JSON.stringify({ model: 'qwen3:8b', ...line })}\n`),
		};
	},
	besides: (path) =>
		path.endsWith('/show')
			? {
					capabilities: ['completion', 'tools', 'thinking'],
					model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 },
				}
			: undefined,
};
