import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import { createModel } from '../../../src/models/createModel.ts';
import { eventsOf } from '../../../src/models/http/eventStream.ts';
import type { Endpoint } from '../../../src/models/provider.ts';
import { asGiven } from '../asGiven.ts';
import { failureIn, provider } from './provider.ts';

/** A protocol, and how it says some things. */
interface Protocol {
	readonly provider: Endpoint['provider'];
	readonly api?: 'chat' | 'responses';
	readonly type: string;
	/** The end of the first event is missing. */
	readonly halfAnEvent: string;
	/** Text, and no end. */
	readonly begun: string;
	/** Nothing has come before the text, which is there all at once, as late as the protocol allows. */
	readonly lateText: (text: string) => string;
	/** An answer that ends at the limit of output, of which no usage is told. */
	readonly atLimit: string;
	/** A call with these arguments. */
	readonly call: (json: string) => string;
}

const sse = (...events: readonly object[]) =>
	events.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`).join('');
const named = (event: object) => ('type' in event ? `event: ${event.type}\n` : '');
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
const claudeEnd = (stop_reason: string) => [
	{ type: 'message_delta', delta: { stop_reason } },
	{ type: 'message_stop' },
];

const protocols: Readonly<Record<string, Protocol>> = {
	'Chat Completions': {
		provider: 'openai',
		api: 'chat',
		type: 'text/event-stream',
		halfAnEvent: 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Go',
		begun: sse(choice({ delta: { content: 'Once ' } })),
		lateText: (text) =>
			sse(
				choice({ delta: { role: 'assistant' } }),
				choice({ message: { content: text }, finish_reason: 'stop' }),
			),
		atLimit: sse(choice({ delta: {}, finish_reason: 'length' })),
		call: (json) =>
			sse(
				choice({
					delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'draw', arguments: json } }] },
					finish_reason: 'tool_calls',
				}),
			),
	},
	Responses: {
		provider: 'openai',
		api: 'responses',
		type: 'text/event-stream',
		halfAnEvent: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","del',
		begun: sse({ type: 'response.output_text.delta', item_id: 'm', delta: 'Once ' }),
		lateText: (text) => sse(response('completed', { output: [message(text)] })),
		atLimit: sse(response('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })),
		call: (json) =>
			sse(
				{
					type: 'response.output_item.done',
					item: { type: 'function_call', call_id: 'c1', name: 'draw', arguments: json },
				},
				response('completed', {}),
			),
	},
	Messages: {
		provider: 'anthropic',
		type: 'text/event-stream',
		halfAnEvent: 'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1"',
		begun: sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Once ' } }),
		lateText: (text) =>
			sse(
				{ type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
				...claudeEnd('end_turn'),
			),
		atLimit: sse(...claudeEnd('max_tokens')),
		call: (json) =>
			`event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"draw","input":${json}}}\n\n${sse(...claudeEnd('tool_use'))}`,
	},
	Ollama: {
		provider: 'ollama',
		type: 'application/x-ndjson',
		halfAnEvent: '{"model":"m","message":{"role":"assistant","content":"Go',
		begun: '{"message":{"content":"Once "}}\n',
		lateText: (text) => `${JSON.stringify({ message: { content: text }, done: true })}\n`,
		atLimit: `${JSON.stringify({ done: true, done_reason: 'length' })}\n`,
		call: (json) =>
			`{"message":{"tool_calls":[{"function":{"name":"draw","arguments":${json}}}]},"done":true}\n`,
	},
};

const hello: ChatRequest = { system: '', messages: [{ role: 'user', text: 'Hello' }], tools: [] };

type Respond = (response: ServerResponse, times: number) => void;

/** A model at a provider that answers so; questions about the model itself are not counted. */
async function modelThat({ provider: spoken, api }: Protocol, respond: Respond) {
	let asked = 0;
	const answer = (request: IncomingMessage, response: ServerResponse) => {
		request.resume();
		if (request.url?.endsWith('/show')) response.writeHead(404).end();
		else respond(response, ++asked);
	};
	const { endpoint, connections, stop } = await provider(answer, { provider: spoken });
	const settings = { id: 'm', name: 'M', model: 'm', ...(api && { api }) };
	return {
		model: await createModel(settings, endpoint),
		connections,
		stop,
		url: endpoint.baseUrl,
		asked: () => asked,
	};
}

/** The events of an answer, up to the first that is not to be followed by others, and the error that it ends with. */
async function eventsOfModel(
	model: ChatModel,
	isLast: (event: ChatModelEvent) => boolean = () => false,
	stop = new AbortController(),
) {
	const events: ChatModelEvent[] = [];
	let error: unknown;
	try {
		for await (const event of model.stream(hello, stop.signal)) {
			events.push(event);
			if (isLast(event)) stop.abort();
		}
	} catch (thrown) {
		error = thrown;
	}
	return { events, error };
}

/** What comes of an answer, up to the first wait, and how often it was asked for. */
async function outcomeOf(protocol: Protocol, body: string, as: object = {}) {
	const { model, asked } = await modelThat(protocol, (response) =>
		response.writeHead(200, { 'content-type': protocol.type, ...as }).end(body),
	);
	const outcome = await eventsOfModel(model, ({ type }) => type === 'retrying');
	return { ...outcome, asked: asked() };
}

describe.each(Object.entries(protocols))('%s', (_, protocol) => {
	const begin: Respond = (response) => {
		response.writeHead(200, { 'content-type': protocol.type });
		response.write(protocol.begun);
	};
	const busy = (seconds: string): Respond => {
		return (response) => response.writeHead(429, { 'retry-after': seconds }).end('Slow down.');
	};

	test('a provider that asks for patience is asked again, and the user is told', async () => {
		const { model, asked } = await modelThat(protocol, (response, times) => {
			if (times === 1) busy('0')(response, times);
			else response.writeHead(200, { 'content-type': protocol.type }).end(protocol.lateText('Good day.'));
		});
		const { events, error } = await eventsOfModel(model);
		expect(error).toBeUndefined();
		expect(events[0]).toMatchObject({ type: 'retrying', afterMs: 500 });
		expect(asGiven(events.slice(1))).toEqual([{ type: 'text', text: 'Good day.' }]);
		expect(asked()).toBe(2);
	});

	test('an answer that breaks off after its first words is told so, and not asked for again', async () => {
		const { events, error, asked } = await outcomeOf(protocol, protocol.begun);
		expect(events).toEqual([{ type: 'text', text: 'Once ' }]);
		expect(error).toMatchObject({ reason: 'cut' });
		expect(asked).toBe(1);
	});

	test('no request goes where a redirect leads', async () => {
		const elsewhere = await modelThat(protocol, begin);
		const { model } = await modelThat(protocol, (response) =>
			response.writeHead(307, { location: elsewhere.url }).end(),
		);
		expect((await eventsOfModel(model)).error).toMatchObject({ reason: 'redirected' });
		expect(elsewhere.asked()).toBe(0);
	});

	test('an address where nobody listens is unreachable', async () => {
		const { model, stop } = await modelThat(protocol, begin);
		await stop();
		expect((await eventsOfModel(model)).error).toMatchObject({ reason: 'unreachable' });
	});

	test('Stop in the middle of an answer ends it quietly, and closes the connection', async () => {
		const { model, connections } = await modelThat(protocol, begin);
		const { events, error } = await eventsOfModel(model, () => true);
		expect([events, error]).toEqual([[{ type: 'text', text: 'Once ' }], undefined]);
		await expect.poll(connections).toBe(0);
	});

	test('so does Stop before it begins, and while the next attempt is waited for', async () => {
		const stop = new AbortController();
		const silent = await modelThat(protocol, () => stop.abort());
		expect(await eventsOfModel(silent.model, undefined, stop)).toEqual({ events: [], error: undefined });
		const { model, asked } = await modelThat(protocol, busy('30'));
		expect((await eventsOfModel(model, () => true)).events).toMatchObject([{ type: 'retrying' }]);
		expect(asked()).toBe(1);
	});

	test('what is stopped beforehand is never asked for', async () => {
		const { model, asked } = await modelThat(protocol, begin);
		const stop = new AbortController();
		stop.abort();
		expect(await eventsOfModel(model, undefined, stop)).toEqual({ events: [], error: undefined });
		expect(asked()).toBe(0);
	});

	test('a reader that leaves closes the connection', async () => {
		const { model, connections } = await modelThat(protocol, begin);
		for await (const _ of model.stream(hello, new AbortController().signal)) break;
		await expect.poll(connections).toBe(0);
	});

	test('a stream that ends inside its first event is a cut connection, and is asked for again', async () => {
		const { events } = await outcomeOf(protocol, protocol.halfAnEvent);
		expect(events).toEqual([
			{ type: 'retrying', afterMs: expect.any(Number), reason: expect.stringMatching(/in the middle/) },
		]);
	});

	test.each([
		['as JSON', { 'content-type': 'application/json' }],
		['as if it were the answer', {}],
	])('an error with status 200 keeps the words of the provider: %s', async (_name, as) => {
		const body = JSON.stringify({ error: { message: 'The model is being moved.', code: 503 } }, null, 2);
		// Ollama's own is one line and a text.
		const said = protocol.provider === 'ollama' ? '{"error":"The model is being moved."}' : body;
		const { events, asked } = await outcomeOf(protocol, said, as);
		expect(events).toMatchObject([
			{ type: 'retrying', reason: expect.stringContaining('The model is being moved.') },
		]);
		expect(asked).toBe(1);
	});

	test('text that comes only with the end of the answer is shown, once', async () => {
		const { events, error } = await outcomeOf(protocol, protocol.lateText('Good day.'));
		expect(error).toBeUndefined();
		expect(asGiven(events)).toEqual([{ type: 'text', text: 'Good day.' }]);
	});

	test('a page that is labelled as a stream of events is no answer, and not asked for again', async () => {
		const page = '<!DOCTYPE html>\n<html>\n\n<body>\n\n<p>Sign in first.</p>\n\n</body></html>';
		const { error, asked } = await outcomeOf(protocol, page);
		expect(error).toMatchObject({ reason: 'malformed' });
		expect(asked).toBe(1);
	});

	test('an answer that ends at its limit is told, and not asked for again', async () => {
		const { events, error, asked } = await outcomeOf(protocol, protocol.atLimit);
		expect(events).toEqual([]);
		expect(error).toMatchObject({ reason: 'outputLimit', message: expect.stringMatching(/limit|context/) });
		expect(asked).toBe(1);
	});

	test.each([
		['200 levels are taken', 200, undefined],
		['more are refused as such', 203, /nested deeper than 200 levels/],
		['so are more than the stack has room for', 50_000, /nested deeper than 200 levels/],
	])('of arguments, %s', async (_name, levels, fault) => {
		const json = `${'{"in":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
		const { events, error } = await outcomeOf(protocol, protocol.call(json));
		expect(error).toBeUndefined();
		const [event] = events;
		expect(event?.type).toBe('toolCall');
		if (event?.type !== 'toolCall') return;
		expect(event.call.name).toBe('draw');
		if (fault) expect(event.call).toMatchObject({ input: {}, fault: expect.stringMatching(fault) });
		else expect(event.call).toMatchObject({ input: { in: {} } });
	});
});

test('text that came in pieces is not told again with the end of the answer', async () => {
	const { Responses, 'Chat Completions': chat } = protocols;
	if (!Responses || !chat) return expect.unreachable();
	const item = message('Good day.');
	const delta = { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Good day.' };
	const done = { type: 'response.output_item.done', item };
	const whole = sse(delta, done, response('completed', { output: [item] }));
	expect(asGiven((await outcomeOf(Responses, whole)).events)).toEqual([{ type: 'text', text: 'Good day.' }]);
	const again = choice({ message: { content: 'Good day.' }, finish_reason: 'stop' });
	const { events } = await outcomeOf(chat, sse(choice({ delta: { content: 'Good day.' } }), again));
	expect(events).toEqual([{ type: 'text', text: 'Good day.' }]);
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
		for await (const event of model.stream(request, new AbortController().signal)) {
			if (event.type === 'text' || event.type === 'thinking') expect(event.text).toBe('');
			if (event.type === 'toolCall') expect(event.call.name).toBe('');
			const counts = event.type === 'usage' ? Object.values(event.usage) : [];
			for (const count of counts) expect(count === 5 || count === 0).toBe(true);
		}
	});
});

test('a hundred thousand lines that never make an event are a broken connection', async () => {
	const { endpoint, ask } = await provider((_, response) => response.end('data:\n'.repeat(100_000)));
	const failure = await failureIn(Array.fromAsync(eventsOf(endpoint, ask(), {})));
	expect(failure.reason).toBe('cut');
});

test('an error of a list, with Google’s wait, is read in place of a stream', async () => {
	const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' };
	const quota = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota.', details: [info] } };
	const { endpoint, ask } = await provider((_, response) => response.end(JSON.stringify([quota], null, 2)));
	const failure = await failureIn(Array.fromAsync(eventsOf(endpoint, ask(), {})));
	expect(failure).toMatchObject({ reason: 'rateLimited', status: 429, retryAfterMs: 34_000 });
});
