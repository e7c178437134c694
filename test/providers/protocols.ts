import { AnthropicModel } from '../../src/models/anthropic/anthropicModel.ts';
import { OllamaModel } from '../../src/models/ollama/ollamaModel.ts';
import { ChatCompletionsModel } from '../../src/models/openai/chatCompletions/chatCompletionsModel.ts';
import { ResponsesModel } from '../../src/models/openai/responses/responsesModel.ts';
import type { AnswerLimits, ProviderModelSettings } from '../../src/models/provider.ts';
import { endpointAt, sse } from './loopback.ts';
import { chunk } from './openai/chatCompletions/server.ts';

/** A protocol as its adapter and its endpoints have it. */
export interface Protocol {
	readonly model: (url: string, settings: Partial<ProviderModelSettings>, limits: AnswerLimits) => Adapter;
	/** Pieces of an answer as they come over the wire; a comment keeps a connection alive. */
	readonly begin?: string;
	readonly text: (text: string) => string;
	readonly call: (id: string, name: string, json: string, index: number) => string;
	/** A thought that is still arriving. */
	readonly thinking: (text: string) => string;
	/** The end of that thought, if the protocol has one, with its signature. */
	readonly thought?: (signature: string) => string;
	readonly failure: string;
	readonly end: string;
	/** The end of the first event is missing. */
	readonly half: string;
	/** Text that comes as late as the protocol allows, and the end. */
	readonly late: (text: string) => string;
	/** The end of an answer at its limit. */
	readonly atLimit: string;
	/** The path of requests to the model. */
	readonly path: string;
}

export type Adapter = ChatCompletionsModel | ResponsesModel | AnthropicModel | OllamaModel;

const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');

const settings = { id: 'm', name: 'M', model: 'm' };

export const protocols: Readonly<Record<string, Protocol>> = {
	'Chat Completions': {
		model: (url, more, limits) =>
			new ChatCompletionsModel({ ...settings, ...more }, endpointAt(`${url}/v1`, 'openai', limits)),
		begin: ': OPENROUTER PROCESSING\n\n',
		text: (content) => sse(chunk({ content })),
		call: (id, name, json, index) =>
			sse(chunk({ tool_calls: [{ index, id, function: { name, arguments: json } }] })),
		thinking: (reasoning_content) => sse(chunk({ reasoning_content })),
		failure: sse({ error: { message: 'Sorry', type: 'server_error' } }),
		end: `${sse(
			chunk({}, 'stop'),
			chunk({}, null, { choices: [], usage: { prompt_tokens: 12, completion_tokens: 5 } }),
		)}data: [DONE]\n\n`,
		half: 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Go',
		late: (content) =>
			sse(
				chunk({ role: 'assistant' }),
				chunk({}, null, { choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] }),
			),
		atLimit: sse(chunk({}, 'length')),
		path: '/v1/chat/completions',
	},
	Responses: {
		model: (url, more, limits) =>
			new ResponsesModel({ ...settings, ...more }, endpointAt(`${url}/v1`, 'openai', limits)),
		text: (delta) => sse({ type: 'response.output_text.delta', item_id: 'msg', delta }),
		call: (id, name, json) =>
			sse({
				type: 'response.output_item.done',
				item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: json },
			}),
		thinking: (delta) => sse({ type: 'response.reasoning_summary_text.delta', item_id: 'rs', delta }),
		thought: (encrypted_content) =>
			sse({
				type: 'response.output_item.done',
				item: { type: 'reasoning', id: 'rs', summary: [], encrypted_content },
			}),
		failure: sse({ type: 'error', message: 'Sorry', code: 'server_error' }),
		end: sse({
			type: 'response.completed',
			response: { status: 'completed', usage: { input_tokens: 12, output_tokens: 5 } },
		}),
		half: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","del',
		late: (text) => {
			const content = [{ type: 'output_text', text, annotations: [] }];
			const output = [{ type: 'message', id: 'msg', role: 'assistant', status: 'completed', content }];
			return sse({ type: 'response.completed', response: { status: 'completed', output } });
		},
		atLimit: sse({
			type: 'response.incomplete',
			response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
		}),
		path: '/v1/responses',
	},
	Anthropic: {
		model: (url, more, limits) =>
			new AnthropicModel({ ...settings, ...more }, endpointAt(url, 'anthropic', limits)),
		begin: sse({ type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 1 } } }),
		text: (text) => sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
		call: (id, name, partial_json, index) =>
			sse(
				{
					type: 'content_block_start',
					index: index + 1,
					content_block: { type: 'tool_use', id, name, input: {} },
				},
				{
					type: 'content_block_delta',
					index: index + 1,
					delta: { type: 'input_json_delta', partial_json },
				},
				{ type: 'content_block_stop', index: index + 1 },
			),
		thinking: (thinking) =>
			sse(
				{ type: 'content_block_start', index: 9, content_block: { type: 'thinking', thinking: '' } },
				{ type: 'content_block_delta', index: 9, delta: { type: 'thinking_delta', thinking } },
			),
		thought: (signature) =>
			sse(
				{ type: 'content_block_delta', index: 9, delta: { type: 'signature_delta', signature } },
				{ type: 'content_block_stop', index: 9 },
			),
		failure: sse({ type: 'error', error: { type: 'api_error', message: 'Sorry' } }),
		end: sse(
			{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
			{ type: 'message_stop' },
		),
		half: 'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1"',
		late: (text) =>
			sse(
				{ type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
				{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
				{ type: 'message_stop' },
			),
		atLimit: sse({ type: 'message_delta', delta: { stop_reason: 'max_tokens' } }, { type: 'message_stop' }),
		path: '/v1/messages',
	},
	Ollama: {
		model: (url, more, limits) =>
			new OllamaModel({ ...settings, ...more }, endpointAt(url, 'ollama', limits)),
		text: (content) => lines({ message: { content } }),
		call: (id, name, json) =>
			lines({ message: { content: '', tool_calls: [{ id, function: { name, arguments: json } }] } }),
		thinking: (thinking) => lines({ message: { content: '', thinking } }),
		failure: lines({ error: 'Sorry' }),
		end: lines({ message: { content: '' }, done: true, prompt_eval_count: 12, eval_count: 5 }),
		half: '{"model":"m","message":{"role":"assistant","content":"Go',
		late: (content) => lines({ message: { content }, done: true }),
		atLimit: lines({ done: true, done_reason: 'length' }),
		path: '/api/chat',
	},
};
