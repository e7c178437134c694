import { expect, test } from 'vitest';
import { ModelError } from '../../../../src/models/modelError.ts';
import {
	type Answer,
	answerOf,
	ask,
	ChatServer,
	chunk,
	event,
	events,
	modelAt,
	roomy,
	textOf,
	whole,
} from './server.ts';

const hello = events([chunk({ content: 'hello' }, 'stop')]);
const soon = { 'retry-after-ms': '1' };
const error = (message: string, code: string | number = 'some_code') => ({ error: { message, code } });
const begin: Answer = (response) => {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.write(event(chunk({ content: 'Once ' })));
};
/** Sends the beginning, and then breaks the connection. */
const breakOff =
	(...chunks: object[]): Answer =>
	async (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write(chunks.map(event).join(''));
		// Unlike destroy(), this lets the client read what was written.
		response.socket?.end();
	};

/** The first wait that a model announces; it is not waited for. */
async function firstWait(url: string) {
	const stop = new AbortController();
	for await (const came of modelAt(url).stream(ask(), stop.signal)) {
		if (came.type !== 'retrying') continue;
		stop.abort();
		return came;
	}
	return undefined;
}

test.each([
	[401, 'unauthorized', 'Set API Key'],
	[402, 'payment', 'credit'],
	[403, 'forbidden', 'allow'],
	[404, 'notFound', 'base_url'],
])('%i is %s, said with what to do and not tried again', async (status, reason, words) => {
	await using server = await ChatServer.start(whole(status, error('No way, sk-real-key!')), hello);

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came).toEqual([]);
	expect(failure).toBeInstanceOf(ModelError);
	expect(failure).toMatchObject({ reason, status, message: expect.stringContaining(words) });
	expect(server.received).toHaveLength(1);
});

test('429 is waited for as long as the provider asks, and then tried again', async () => {
	await using server = await ChatServer.start(whole(429, error('Slow down.'), { 'retry-after': '0' }), hello);

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(failure).toBeUndefined();
	expect(came).toEqual([
		{ type: 'retrying', afterMs: 500, reason: expect.stringContaining('Slow down.') },
		{ type: 'text', text: 'hello' },
	]);
	expect(server.received[1]?.body).toBe(server.received[0]?.body);
});

test.each([
	[429, error('Slow down.')],
	[500, '<!doctype html><html><body>Internal</body></html>'],
	[503, error('Loading model')],
	[529, error('Overloaded', 'overloaded_error')],
])('%i without a word on when is tried again after about a second', async (status, body) => {
	await using server = await ChatServer.start(whole(status, body), hello);

	const wait = await firstWait(server.url);

	expect(wait?.afterMs).toBeGreaterThanOrEqual(800);
	expect(wait?.afterMs).toBeLessThanOrEqual(1200);
	expect(wait?.reason).not.toContain('<');
});

test('a provider that wants more patience than a minute is not waited for', async () => {
	await using server = await ChatServer.start(whole(429, error('Slow down.'), { 'retry-after': '3600' }));

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came).toEqual([]);
	expect(failure).toMatchObject({ reason: 'rateLimited', retryAfterMs: 3_600_000 });
});

test('a provider that fails five times has failed', async () => {
	await using server = await ChatServer.start(whole(500, '<html>Internal</html>', soon));

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came.map(({ type }) => type)).toEqual(Array(4).fill('retrying'));
	expect(failure).toMatchObject({ reason: 'server', status: 500 });
	expect(server.received).toHaveLength(5);
});

test('what a provider says of time does not pass for a timeout of the SDK', async () => {
	await using server = await ChatServer.start(whole(401, error('Your session timed out.')));

	const { error: failure } = await answerOf(modelAt(server.url));

	expect(failure).toMatchObject({ reason: 'unauthorized' });
});

test('no key and no request goes where a redirect leads', async () => {
	await using other = await ChatServer.start(hello);
	await using server = await ChatServer.start((response) => {
		response.writeHead(307, { location: `${other.url}/v1/chat/completions` });
		response.end();
	});

	const { error: failure } = await answerOf(modelAt(server.url));

	expect(failure).toMatchObject({ reason: 'redirected' });
	expect(other.received).toEqual([]);
});

test('an address where nobody listens cannot be reached', async () => {
	const server = await ChatServer.start(hello);
	await server[Symbol.asyncDispose]();

	const { error: failure } = await answerOf(modelAt(server.url));

	expect(failure).toMatchObject({ reason: 'unreachable' });
});

test('a provider that says nothing has stalled', async () => {
	await using server = await ChatServer.start(() => {});

	const { error: failure } = await answerOf(modelAt(server.url, {}, { ...roomy, firstByteMs: 50 }));

	expect(failure).toMatchObject({ reason: 'stalled' });
	// A busy machine may not have read the one request by then.
	expect(server.received.length).toBeLessThanOrEqual(1);
});

test('a provider that falls silent has stalled, and what it said has been shown', async () => {
	await using server = await ChatServer.start(begin);

	const { events: came, error: failure } = await answerOf(modelAt(server.url, {}, { ...roomy, gapMs: 50 }));

	expect(came).toEqual([{ type: 'text', text: 'Once ' }]);
	expect(failure).toMatchObject({ reason: 'stalled' });
	await server.hungUp.promise;
});

test('comments that keep the line open are no silence', async () => {
	await using server = await ChatServer.start(async (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (let sent = 0; sent < 8; sent++) {
			response.write(': OPENROUTER PROCESSING\n\n');
			await new Promise((later) => setTimeout(later, 200));
		}
		response.end(event(chunk({ content: 'hello' }, 'stop')));
	});

	const { events: came } = await answerOf(modelAt(server.url, {}, { ...roomy, gapMs: 1_500 }));

	expect(textOf(came)).toBe('hello');
});

test.each<[string, Answer]>([
	['breaks', breakOff(chunk({ content: 'Once ' }))],
	['ends', events([chunk({ content: 'Once ' })], '')],
	['ends within a chunk', events([chunk({ content: 'Once ' })], 'data: ')],
])(
	'an answer whose stream %s is cut, what it said is kept, and it is not asked for again',
	async (_, answer) => {
		await using server = await ChatServer.start(answer, hello);

		const { events: came, error: failure } = await answerOf(modelAt(server.url));

		expect(came).toEqual([{ type: 'text', text: 'Once ' }]);
		expect(failure).toMatchObject({ reason: 'cut', message: expect.stringContaining('continue') });
		expect(server.received).toHaveLength(1);
	},
);

test.each<[string, (...chunks: object[]) => Answer]>([
	['breaks', breakOff],
	['ends', (...chunks) => events(chunks, '')],
])('a call whose stream %s in its arguments is not made', async (_, answer) => {
	const call = { index: 0, id: 'c1', function: { name: 'files__write', arguments: '{"text":"Once' } };
	await using server = await ChatServer.start(
		answer(chunk({ content: 'Writing.' }), chunk({ tool_calls: [call] })),
	);

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came).toEqual([{ type: 'text', text: 'Writing.' }]);
	expect(failure).toMatchObject({ reason: 'cut' });
});

test('a call that was cut is asked for again where nothing was said before', async () => {
	const call = { index: 0, id: 'c1', function: { name: 'files__write', arguments: '{"text":"Once' } };
	await using server = await ChatServer.start(breakOff(chunk({ tool_calls: [call] })), hello);

	expect(await firstWait(server.url)).toMatchObject({ type: 'retrying' });
});

test('an answer beyond all bounds is not read on', async () => {
	await using server = await ChatServer.start(
		events([chunk({ content: 'a' }), chunk({ content: 'b'.repeat(2000) })]),
	);

	const { events: came, error: failure } = await answerOf(modelAt(server.url, {}, { ...roomy, bytes: 1000 }));

	expect(textOf(came)).not.toContain('b');
	expect(failure).toMatchObject({ reason: 'oversized' });
});

test.each<[string, Answer]>([
	['a page', whole(200, '<!doctype html><title>Sign in</title>')],
	['JSON of something else', whole(200, { status: 'ok' })],
	['JSON that is none', whole(200, '{"choices":', { 'content-type': 'application/json' })],
	['events that hold no JSON', events(['data: <html>\n\n'])],
	['nothing', (response) => void response.end()],
])('%s is no answer', async (_, answer) => {
	await using server = await ChatServer.start(answer);

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came).toEqual([]);
	expect(failure).toMatchObject({ reason: 'malformed', message: expect.stringContaining('base_url') });
	expect((failure as Error).message).not.toContain('<');
});

test.each<[string, object | string, string]>([
	[
		'as OpenRouter does',
		{ ...chunk({ content: '' }, 'error'), error: { code: 502, message: 'Provider disconnected' } },
		'server',
	],
	['with a status as text', { error: { code: '429', message: 'Slow down' } }, 'rateLimited'],
	['as OpenAI does', { error: { type: 'server_error', code: null, message: 'Sorry' } }, 'server'],
	['in one word', { error: 'overheated' }, 'server'],
	['as an event', 'event: error\ndata: {"message":"Sorry"}\n\n', 'server'],
	['as older vLLM does', { object: 'error', message: 'Sorry', code: 400 }, 'invalidRequest'],
	['with a reason only', chunk({}, 'error'), 'server'],
])('an error in the middle ends the answer: %s', async (_, said, reason) => {
	await using server = await ChatServer.start(
		events([chunk({ content: 'Once ' }), said, chunk({ content: 'x' })]),
	);

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came[0]).toEqual({ type: 'text', text: 'Once ' });
	expect(failure).toBeInstanceOf(ModelError);
	expect(failure).toMatchObject({ reason });
	expect(server.received).toHaveLength(1);
});

test('an error instead of an answer is what it says, though the status is 200', async () => {
	await using server = await ChatServer.start(whole(200, error('No credit.', 402)));

	const { error: failure } = await answerOf(modelAt(server.url));

	expect(failure).toMatchObject({
		reason: 'payment',
		status: 402,
		message: expect.stringContaining('No credit.'),
	});
});
