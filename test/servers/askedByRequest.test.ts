import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { AskUser } from '../../src/mcp/connection/questions.ts';
import { handshake, loopbackServer, send } from '../world/loopbackServer.ts';
import { eventually, startedPool } from './poolFixture.ts';

const question = {
	jsonrpc: '2.0',
	id: 'why',
	method: 'elicitation/create',
	params: { message: 'Why?', requestedSchema: { type: 'object', properties: {} } },
};

/** A pool with a server of the older protocol, whose calls do not end; what it may say at any time, and what it is answered. */
async function askingServer(ask: AskUser) {
	const answers: unknown[] = [];
	const streams: ServerResponse[] = [];
	const launch = await loopbackServer(({ method, id, result, request, response }) => {
		if (id === question.id) {
			answers.push(result);
			response.writeHead(202).end();
			return true;
		}
		if (method === 'initialize')
			return send(response, 200, { jsonrpc: '2.0', id, result: handshake }, { 'mcp-session-id': 'one' });
		if (method !== 'tools/call' && request.method !== 'GET') return false;
		response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
		streams.push(response);
		return true;
	});
	const pool = await startedPool({ s: launch }, { ask });
	await eventually(() => streams.length === 1);
	const asks = () => streams.at(-1)?.write(`data: ${JSON.stringify(question)}\n\n`);
	return { pool, answers, streams, asks };
}

test('a question is cancelled if the user stops the call, and the chat is told', async () => {
	const stop = new AbortController();
	const { pool, answers, streams, asks } = await askingServer((_question, signal) => {
		setTimeout(() => stop.abort(new Error('stopped')));
		return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
	});
	const told: string[] = [];
	const options = { signal: stop.signal, onQuestion: (what: string) => told.push(what) };
	const call = expect(pool.callTool('s', 'work', {}, options)).rejects.toThrow('stopped');
	await eventually(() => streams.length === 2);
	asks();
	await call;
	await eventually(() => answers.length > 0);
	expect([answers, told]).toEqual([[{ action: 'cancel' }], ['asked', 'cancel']]);
});

test('a question is cancelled if no call is running, and nobody is asked', async () => {
	const asked: unknown[] = [];
	const { answers, asks } = await askingServer(async (question) => {
		asked.push(question);
		return { action: 'accept' };
	});
	asks();
	await eventually(() => answers.length > 0);
	expect([answers, asked]).toEqual([[{ action: 'cancel' }], []]);
});
