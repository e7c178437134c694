import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ChatMessage } from '../../src/discovery/catalog/message.ts';
import { textResult } from '../../src/discovery/catalog/tool.ts';
import { callsOf } from '../../src/models/answerParts.ts';
import type { ChatModel, ChatModelEvent } from '../../src/models/chatModel.ts';
import { createModel, type ModelSettings } from '../../src/models/createModel.ts';
import { messageOf } from './asGiven.ts';
import { provider } from './http/provider.ts';
import { sse } from './loopback.ts';

/** How a provider seals a thought before a call, what it says where it can no longer open it, and what it answers without. */
const protocols = {
	responses: {
		provider: 'openai' as const,
		settings: { model: 'gpt-5', api: 'responses' as const },
		refusal: {
			error: {
				message:
					'The encrypted content gAAA… could not be verified. Reason: Encrypted content could not be decrypted.',
				type: 'invalid_request_error',
				code: 'invalid_encrypted_content',
			},
		},
		call: (seal: string) =>
			sse(
				{
					type: 'response.output_item.done',
					item: { type: 'reasoning', id: 'rs', summary: [], encrypted_content: seal },
				},
				{
					type: 'response.output_item.done',
					item: { type: 'function_call', id: 'fc', call_id: 'c', name: 'a__b', arguments: '{}' },
				},
				{ type: 'response.completed', response: { status: 'completed' } },
			),
		answer: sse(
			{ type: 'response.output_text.delta', item_id: 'm', delta: 'ok' },
			{ type: 'response.completed', response: { status: 'completed' } },
		),
	},
	anthropic: {
		provider: 'anthropic' as const,
		settings: { model: 'claude-opus-4-6' },
		refusal: {
			type: 'error',
			error: {
				type: 'invalid_request_error',
				message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
			},
		},
		call: (seal: string) =>
			sse(
				{ type: 'message_start', message: {} },
				{
					type: 'content_block_start',
					index: 0,
					content_block: { type: 'thinking', thinking: '', signature: '' },
				},
				{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
				{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: seal } },
				{ type: 'content_block_stop', index: 0 },
				{
					type: 'content_block_start',
					index: 1,
					content_block: { type: 'tool_use', id: 'c', name: 'a__b', input: {} },
				},
				{ type: 'content_block_stop', index: 1 },
				{ type: 'message_delta', delta: { stop_reason: 'tool_use' } },
				{ type: 'message_stop' },
			),
		answer: sse(
			{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'ok' } },
			{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
			{ type: 'message_stop' },
		),
	},
	gemini: {
		provider: 'openai' as const,
		settings: { model: 'gemini-3-pro', api: 'chat' as const },
		refusal: [
			{ error: { code: 400, message: 'Thought signature is not valid', status: 'INVALID_ARGUMENT' } },
		],
		call: (seal: string) => {
			const call = {
				index: 0,
				id: 'c',
				function: { name: 'a__b', arguments: '{}' },
				extra_content: { google: { thought_signature: seal } },
			};
			return `${sse({ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] })}data: [DONE]\n\n`;
		},
		answer: `${sse({ choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
	},
};

/** A provider on loopback that seals the n-th thought as `seal-n`, and refuses requests with an expired seal. Calls and answers take turns. */
async function accountOf(protocol: (typeof protocols)[keyof typeof protocols]) {
	const { refusal, call, answer, settings } = protocol;
	const bodies: string[] = [];
	const expired = new Set<string>();
	let seals = 0;
	let answered = 0;
	const { endpoint } = await provider(
		async (request, response) => {
			const body = await text(request);
			bodies.push(body);
			if ([...expired].some((seal) => body.includes(seal))) {
				return response.writeHead(400).end(JSON.stringify(refusal));
			}
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			return response.end(answered++ % 2 === 0 ? call(`seal-${++seals}`) : answer);
		},
		{ provider: protocol.provider },
	);
	const model = await createModel({ id: 'm', name: 'M', ...settings } as ModelSettings, endpoint);
	return { model, bodies, expire: (seal: string) => expired.add(seal) };
}

const tools = [{ name: 'a__b', description: 'Does it.', inputSchema: { type: 'object' } }];

async function asked(model: ChatModel, messages: readonly ChatMessage[]): Promise<ChatModelEvent[]> {
	const request = { system: '', messages, tools };
	return Array.fromAsync(model.stream(request, new AbortController().signal));
}

const noticesIn = (events: readonly ChatModelEvent[]) => events.filter(({ type }) => type === 'notice');

test.each(Object.keys(protocols) as (keyof typeof protocols)[])(
	'%s: thoughts of another account are left out, the user is told once, and new ones come back',
	async (name) => {
		const { model, bodies, expire } = await accountOf(protocols[name]);
		const messages: ChatMessage[] = [{ role: 'user', text: 'go' }];
		const turn = async () => {
			const called = messageOf(await asked(model, messages));
			const results = callsOf(called.parts).map(({ id }) => ({ callId: id, result: textResult('done') }));
			expect(results).toHaveLength(1);
			messages.push(called, { role: 'tool', results });
		};
		await turn();
		const before = await asked(model, messages);
		expect(noticesIn(before)).toEqual([]);
		expect(bodies.at(-1)).toContain('seal-1');
		messages.push(messageOf(before), { role: 'user', text: 'go' });

		expire('seal-1');
		await turn();
		const [refused, resent] = bodies.slice(-2);
		expect(refused).toContain('seal-1');
		expect(resent).not.toContain('seal-1');
		const after = await asked(model, messages);

		expect(noticesIn(after)).toEqual([]);
		expect(bodies.at(-1)).not.toContain('seal-1');
		expect(bodies.at(-1)).toContain('seal-2');
		if (name === 'responses') expect(bodies.at(-1)).toContain('reasoning.encrypted_content');
	},
);

test('the user learns why thoughts were left out', async () => {
	const { model, expire } = await accountOf(protocols.anthropic);
	const called = messageOf(await asked(model, [{ role: 'user', text: 'go' }]));
	const results = callsOf(called.parts).map(({ id }) => ({ callId: id, result: textResult('done') }));
	expire('seal-1');

	const events = await asked(model, [{ role: 'user', text: 'go' }, called, { role: 'tool', results }]);

	expect(noticesIn(events)).toHaveLength(1);
	expect(events.at(-1)).toEqual({ type: 'text', text: 'ok' });
});
