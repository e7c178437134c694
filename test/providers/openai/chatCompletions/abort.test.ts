import { expect, test } from 'vitest';
import { type Answer, answerOf, ask, ChatServer, chunk, event, events, modelAt, whole } from './server.ts';

/** Begins an answer, and never ends it. */
const endless: Answer = (response) => {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.write(event(chunk({ content: 'Once ' })));
};

test('a stopped answer ends without an error, and the provider is told', async () => {
	await using server = await ChatServer.start(endless);
	const stop = new AbortController();
	const came: unknown[] = [];

	for await (const said of modelAt(server.url).stream(ask(), stop.signal)) {
		came.push(said);
		stop.abort();
	}

	expect(came).toEqual([{ type: 'text', text: 'Once ' }]);
	await server.hungUp.promise;
});

test('a call that came along with the last word is not made any more', async () => {
	const call = { index: 0, id: 'c1', function: { name: 'files__list', arguments: '{}' } };
	await using server = await ChatServer.start(
		events([chunk({ content: 'Listing.', tool_calls: [call] }, 'tool_calls')]),
	);
	const stop = new AbortController();
	const types: string[] = [];

	for await (const { type } of modelAt(server.url).stream(ask(), stop.signal)) {
		types.push(type);
		stop.abort();
	}

	expect(types).toEqual(['text']);
});

test('a model that has not begun can be stopped', async () => {
	const stop = new AbortController();
	await using server = await ChatServer.start(() => stop.abort());

	const { events: came, error } = await answerOf(modelAt(server.url), ask(), stop.signal);

	expect([came, error]).toEqual([[], undefined]);
	await server.hungUp.promise;
});

test('a wait for the next attempt can be stopped', async () => {
	await using server = await ChatServer.start(
		whole(429, { error: { message: 'Slow down.' } }, { 'retry-after': '30' }),
	);
	const stop = new AbortController();
	const types: string[] = [];

	for await (const { type } of modelAt(server.url).stream(ask(), stop.signal)) {
		types.push(type);
		setTimeout(() => stop.abort(), 10);
	}

	expect(types).toEqual(['retrying']);
	expect(server.received).toHaveLength(1);
});

test('what is stopped beforehand is never asked', async () => {
	await using server = await ChatServer.start(endless);

	const { events: came, error } = await answerOf(modelAt(server.url), ask(), AbortSignal.abort());

	expect([came, error]).toEqual([[], undefined]);
	expect(server.received).toEqual([]);
});

test('an answer that nobody reads on is not received any longer', async () => {
	await using server = await ChatServer.start(endless);

	for await (const said of modelAt(server.url).stream(ask(), new AbortController().signal)) {
		expect(said.type).toBe('text');
		break;
	}

	await server.hungUp.promise;
});
