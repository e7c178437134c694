import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import { createModel } from '../../../src/models/createModel.ts';
import { BodyEnd } from '../../../src/models/http/answerWatch.ts';
import { endpointFetch } from '../../../src/models/http/endpointFetch.ts';
import type { AnswerLimits } from '../../../src/models/http/limits.ts';
import type { Endpoint } from '../../../src/models/provider.ts';
import { asGiven } from '../asGiven.ts';
import { endpointAt, failureIn, limits, provider } from './provider.ts';

const impatient: AnswerLimits = { ...limits, firstByteMs: 40, gapMs: 40 };

test('a provider that takes the request and says nothing is left', async () => {
	const { ask, connections } = await provider(() => {});
	const failure = await failureIn(ask(impatient));
	expect(failure.reason).toBe('stalled');
	expect(failure.message).toMatch(
		/^127\.0\.0\.1:\d+ said nothing for 0 s\. Try again, or pick another model\.$/,
	);
	await expect.poll(connections).toBe(0);
});

test('so is one that sends the head of an answer and no more', async () => {
	const { ask, connections } = await provider(
		(_request, response) => void response.writeHead(200).flushHeaders(),
	);
	const response = await ask({ ...limits, firstByteMs: 2_000 });
	expect((await failureIn(response.text())).reason).toBe('stalled');
	await expect.poll(connections).toBe(0);
});

test('so is one that stops in the middle', async () => {
	const { ask, connections } = await provider((_request, response) => void response.write('data: 1\n\n'));
	const response = await ask({ ...limits, gapMs: 40 });
	expect((await failureIn(response.text())).reason).toBe('stalled');
	await expect.poll(connections).toBe(0);
});

test('comments that keep the connection alive are signs of life', async () => {
	const { ask } = await provider(async (_request, response) => {
		for (let time = 0; time < 8; time++) {
			response.write(': OPENROUTER PROCESSING\n\n');
			await pause(200);
		}
		response.end('data: [DONE]\n\n');
	});
	const response = await ask({ ...limits, firstByteMs: 1_500, gapMs: 1_500 });
	expect(await response.text()).toMatch(/DONE/);
});

test('but not for ever', async () => {
	let timer: NodeJS.Timeout | undefined;
	const { ask } = await provider((request, response) => {
		timer = setInterval(() => response.write(': alive\n\n'), 5);
		request.once('close', () => clearInterval(timer));
	});
	const failure = await failureIn(ask({ ...limits, totalMs: 80 }).then((response) => response.text()));
	expect(failure.reason).toBe('stalled');
	expect(failure.message).toContain('did not end within');
	clearInterval(timer);
});

test('a reader that takes its time is no provider that stalls', async () => {
	const { ask } = await provider(async (_request, response) => {
		response.write('first');
		await pause(10);
		response.end('second');
	});
	const response = await ask({ ...limits, gapMs: 1_000 });
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	const first = await reader?.read();
	await pause(1_200);
	// On a busy machine both pieces may have come at once.
	const second = await reader?.read();
	expect([first?.value, second?.value].join('')).toBe('firstsecond');
});

test('a failing answer whose body never ends is known by its status', async () => {
	const { ask, connections } = await provider((_request, response) => {
		response.writeHead(500, { 'content-type': 'text/plain' });
		response.write('out of');
	});
	const failure = await failureIn(ask({ ...limits, gapMs: 40 }));
	expect(failure).toMatchObject({ reason: 'server', status: 500 });
	expect(failure.message).toContain('(500): out of.');
	await expect.poll(connections).toBe(0);
});

test('where nobody listens, the address and what to do are told', async () => {
	const { endpoint, stop } = await provider(() => {});
	await stop();
	const { host } = new URL(endpoint.baseUrl);
	const failure = await failureIn(endpointFetch(endpoint, limits)(endpoint.baseUrl));
	expect(failure.reason).toBe('unreachable');
	expect(failure.message).toBe(
		`${host} cannot be reached. Check the connection and "base_url", then try again.`,
	);
	const ollama = { ...endpoint, provider: 'ollama' as const };
	const advice = (await failureIn(endpointFetch(ollama, limits)(endpoint.baseUrl))).message;
	expect(advice).toMatch(/Is Ollama running\?$/);
});

test('a host that does not exist is told by the name that Node has for that', async () => {
	const ask = endpointFetch(endpointAt('http://provider.invalid/v1'), limits);
	const failure = await failureIn(ask('http://provider.invalid/v1/chat'));
	expect(failure.reason).toBe('unreachable');
	expect(failure.message).toMatch(/^provider\.invalid cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)\. Check/);
});

test('a connection that breaks before an answer began may be tried again', async () => {
	const { ask } = await provider((request) => request.socket.destroy());
	const failure = await failureIn(ask());
	expect(failure.reason).toBe('cut');
	expect(failure.message).toMatch(/broke before an answer began\. Try again\.$/);
});

test('an answer that breaks off says so', async () => {
	const { ask } = await provider((request, response) => {
		response.write('data: {"half', () => request.socket.resetAndDestroy());
	});
	const failure = await failureIn(ask().then((response) => response.text()));
	expect(failure.reason).toBe('cut');
	expect(failure.message).toMatch(
		/^The connection to 127\.0\.0\.1:\d+ broke in the middle of the answer\. Say “continue”, or ask again\.$/,
	);
});

test('so does one that is shorter than it said', async () => {
	const { ask } = await provider((request, response) => {
		response.writeHead(200, { 'content-length': '100' });
		response.write('half', () => request.socket.end());
	});
	expect((await failureIn(ask().then((response) => response.text()))).reason).toBe('cut');
});

test('an answer over the limit is left, and its connection closed', async () => {
	const { ask, connections } = await provider((_request, response) => {
		const more = () => {
			if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more));
		};
		more();
	});
	const failure = await failureIn(ask({ ...limits, bytes: 300_000 }).then((response) => response.text()));
	expect(failure.reason).toBe('oversized');
	expect(failure.message).toMatch(
		/^The answer of 127\.0\.0\.1:\d+ is over the limit of 1 MB\. Ask for less\.$/,
	);
	await expect.poll(connections).toBe(0);
});

test('an answer of the very limit is read', async () => {
	const { ask } = await provider((_request, response) => response.end('x'.repeat(1000)));
	expect(await (await ask({ ...limits, bytes: 1000 })).text()).toHaveLength(1000);
});

test('what is not the protocol is not read as an answer', async () => {
	const { endpoint } = await provider((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
	expect((await failureIn(endpointFetch(endpoint, limits)(endpoint.baseUrl))).reason).toBe('unreachable');
});

/** A protocol, and how it says some things. */
interface Protocol {
	readonly provider: Endpoint['provider'];
	readonly api?: 'chat' | 'responses';
	readonly type: string;
	/** The end of the first event is missing. */
	readonly halfAnEvent: string;
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
		lateText: (text) => `${JSON.stringify({ message: { content: text }, done: true })}\n`,
		atLimit: `${JSON.stringify({ done: true, done_reason: 'length' })}\n`,
		call: (json) =>
			`{"message":{"tool_calls":[{"function":{"name":"draw","arguments":${json}}}]},"done":true}\n`,
	},
};

const hello: ChatRequest = { system: '', messages: [{ role: 'user', text: 'Hello' }], tools: [] };

/** What comes of an answer, up to the first wait, and how often it was asked for. */
async function outcomeOf({ provider: spoken, api, type }: Protocol, body: string, as: object = {}) {
	const answer = (request: IncomingMessage, response: ServerResponse) => {
		request.resume();
		if (request.url?.endsWith('/show')) return void response.writeHead(404).end();
		response.writeHead(200, { 'content-type': type, ...as }).end(body);
	};
	const { endpoint, requests } = await provider(answer, { provider: spoken });
	const settings = { id: 'm', name: 'M', model: 'm', ...(api && { api }) };
	const model = await createModel(settings, endpoint);
	const stop = new AbortController();
	const events: ChatModelEvent[] = [];
	let error: unknown;
	try {
		for await (const event of model.stream(hello, stop.signal)) {
			events.push(event);
			if (event.type === 'retrying') stop.abort();
		}
	} catch (thrown) {
		error = thrown;
	}
	const asked = requests.filter(({ url }) => !url?.endsWith('/show')).length;
	return { events, error, asked };
}

describe.each(Object.entries(protocols))('%s', (_, protocol) => {
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

test('millions of lines that never make an event are a broken connection, found out in little memory', () => {
	const end = new BodyEnd();
	end.add(Buffer.from('data:\n'.repeat(1_000_000)));
	let looked = 0;
	const parse = JSON.parse;
	JSON.parse = (text: string) => {
		looked += text.length;
		return parse(text);
	};
	try {
		expect(end.verdict()).toEqual({ kind: 'cut' });
	} finally {
		JSON.parse = parse;
	}
	expect(looked).toBe(0);
});
