import { expect, test } from 'vitest';
import { ModelError } from '../../../../src/models/modelError.ts';
import { answerOf, type HttpAnswer, Loopback, whole } from '../../loopback.ts';
import { chunk, events, modelAt } from './server.ts';

test.each<[string, HttpAnswer]>([
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
