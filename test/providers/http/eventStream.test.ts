import { describe, expect, test } from 'vitest';
import { callsOf } from '../../../src/models/answerParts.ts';
import { createModel } from '../../../src/models/createModel.ts';
import { readEvents } from '../../../src/models/http/eventStream.ts';
import { eventsOf, sse, succeedingAnswer } from '../loopback.ts';
import { provider } from './provider.ts';

const choice = (more: object) => ({ id: 'c', choices: [{ index: 0, ...more }] });
const message = (text: string) => ({
	type: 'message',
	id: 'msg_1',
	role: 'assistant',
	status: 'completed',
	content: [{ type: 'output_text', text, annotations: [] }],
});
const response = (status: string, more: object) => ({
	type: `response.${status}`,
	response: { id: 'resp_1', status, ...more },
});
/** What comes of an answer of OpenAI's. */
async function eventsOfModel(api: 'chat' | 'responses', body: string) {
	const { endpoint } = await provider((_, response) => response.end(body));
	const model = await createModel({ id: 'm', name: 'M', model: 'm', api }, endpoint);
	const request = { system: '', messages: [{ role: 'user', text: 'Hello' }], tools: [] } as const;
	return eventsOf(model, request);
}

test('text that came in pieces is not told again with the end of the answer', async () => {
	const item = message('Good day.');
	const delta = { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Good day.' };
	const done = { type: 'response.output_item.done', item };
	const whole = sse(delta, done, response('completed', { output: [item] }));
	const again = choice({ message: { content: 'Good day.' }, finish_reason: 'stop' });
	const once = [{ type: 'text', text: 'Good day.' }];
	expect(await eventsOfModel('responses', whole)).toEqual(once);
	expect(await eventsOfModel('chat', sse(choice({ delta: { content: 'Good day.' } }), again))).toEqual(once);
});

const noText = { toString: 1, valueOf: 1 };

describe.each([5, -7, 1e308, null, {}, [], noText])('where a text or a count should be, %j', (odd) => {
	test.each([
		[
			'anthropic',
			undefined,
			sse(
				{ type: 'message_start', message: { usage: { input_tokens: odd } } },
				{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: odd } },
				{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: odd } },
				{ type: 'content_block_start', index: 1, content_block: { type: 'thinking', signature: odd } },
				{ type: 'content_block_delta', index: 1, delta: { type: 'thinking_delta', thinking: odd } },
				{ type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: odd, name: odd } },
				{ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: odd } },
				{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: odd } },
				{ type: 'message_stop' },
			),
		],
		[
			'openai',
			'responses',
			sse(
				{ type: 'response.output_text.delta', item_id: 'm', delta: odd },
				{ type: 'response.reasoning_text.delta', item_id: 'r', delta: odd },
				{
					type: 'response.output_item.done',
					item: { type: 'function_call', id: 'f', call_id: 'a', name: odd, arguments: '{}' },
				},
				{ type: 'response.completed', response: { status: 'completed', usage: { input_tokens: odd } } },
			),
		],
	] as const)('is nothing to %s %s, and never breaks the answer', async (asked, api, body) => {
		const { endpoint } = await provider(
			(_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body),
			{ provider: asked },
		);
		const model = await createModel({ id: 'm', name: 'm', model: 'm', ...(api && { api }) }, endpoint);
		const request = { system: '', messages: [{ role: 'user', text: 'Hi.' }], tools: [] } as const;
		const { events, parts } = await succeedingAnswer(model, request);
		for (const call of callsOf(parts))
			expect(call).toMatchObject({ name: 'unnamed', fault: expect.any(String) });
		for (const event of events) {
			if (event.type === 'text' || event.type === 'thinking') expect(event.text).toBe('');
			const counts = event.type === 'usage' ? Object.values(event.usage) : [];
			for (const count of counts) expect(count === 5 || count === 0).toBe(true);
		}
	});
});

/** A reader of a protocol without an event. */
const nothing = {
	readsLines: false,
	isOver: false,
	isLast: () => false,
	isWhole: () => false,
	read: () => undefined,
};

test.each([
	[false, 'data:\n'.repeat(100_000)],
	// Each line could end the object, and none does.
	[true, `{"a":[\n${'}\n'.repeat(100_000)}`],
])(
	'a hundred thousand lines that never make an event are a broken connection (lines: %s)',
	async (readsLines, text) => {
		const { endpoint, ask } = await provider((_, response) => response.end(text));
		const failure = await readEvents(endpoint, ask(), { ...nothing, readsLines });
		expect(failure).toMatchObject({ reason: 'cut' });
	},
);

test('an error of a list, with Google’s wait, is read in place of a stream', async () => {
	const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' };
	const quota = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota.', details: [info] } };
	const { endpoint, ask } = await provider((_, response) => response.end(JSON.stringify([quota], null, 2)));
	const failure = await readEvents(endpoint, ask(), nothing);
	expect(failure).toMatchObject({ reason: 'rateLimited', status: 429, retryAfterMs: 34_000 });
});
