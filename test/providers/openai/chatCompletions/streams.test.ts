import { expect, test } from 'vitest';
import { ModelError } from '../../../../src/models/modelError.ts';
import { type Answer, answerOf, Loopback, whole } from '../../loopback.ts';
import { chunk, event, events, modelAt } from './server.ts';

const error = (message: string, code: string | number = 'some_code') => ({ error: { message, code } });
/** Sends the beginning, and then breaks the connection. */
const breakOff =
	(...chunks: object[]): Answer =>
	async (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write(chunks.map(event).join(''));
		// Unlike destroy(), this lets the client read what was written.
		response.socket?.end();
	};

test('what a provider says of time does not pass for a timeout of the SDK', async () => {
	await using server = await Loopback.start(whole(401, error('Your session timed out.')));

	const { error: failure } = await answerOf(modelAt(server.url));

	expect(failure).toMatchObject({ reason: 'unauthorized' });
});

test.each<[string, (...chunks: object[]) => Answer]>([
	['breaks', breakOff],
	['ends', (...chunks) => events(chunks, '')],
])('a call whose stream %s in its arguments is not made', async (_, answer) => {
	const call = { index: 0, id: 'c1', function: { name: 'files__write', arguments: '{"text":"Once' } };
	await using server = await Loopback.start(
		answer(chunk({ content: 'Writing.' }), chunk({ tool_calls: [call] })),
	);

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came).toEqual([{ type: 'text', text: 'Writing.' }]);
	expect(failure).toMatchObject({ reason: 'cut' });
});

test.each<[string, Answer]>([
	['a page', whole(200, '<!doctype html><title>Sign in</title>')],
	['JSON of something else', whole(200, { status: 'ok' })],
	['JSON that is none', whole(200, '{"choices":', { 'content-type': 'application/json' })],
	['events that hold no JSON', events(['data: <html>\n\n'])],
	['nothing', (response) => void response.end()],
])('%s is no answer', async (_, answer) => {
	await using server = await Loopback.start(answer);

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
	await using server = await Loopback.start(
		events([chunk({ content: 'Once ' }), said, chunk({ content: 'x' })]),
	);

	const { events: came, error: failure } = await answerOf(modelAt(server.url));

	expect(came[0]).toEqual({ type: 'text', text: 'Once ' });
	expect(failure).toBeInstanceOf(ModelError);
	expect(failure).toMatchObject({ reason });
	expect(server.received).toHaveLength(1);
});

test('an error instead of an answer is what it says, though the status is 200', async () => {
	await using server = await Loopback.start(whole(200, error('No credit.', 402)));

	const { error: failure } = await answerOf(modelAt(server.url));

	expect(failure).toMatchObject({
		reason: 'payment',
		status: 402,
		message: expect.stringContaining('No credit.'),
	});
});
