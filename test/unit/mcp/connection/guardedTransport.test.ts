import { describe, expect, test } from 'vitest';
import {
	type Exchange,
	GuardedTransport,
	type Outgoing,
	type ServerTransport,
} from '../../../../src/mcp/connection/guardedTransport.ts';
import type { JsonRpcMessage } from '../../../../src/mcp/connection/jsonRpc.ts';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';

/** A guard around a transport that sends like this, what the server says, and the messages that reach the SDK. */
function guardOver(send: (outgoing: Outgoing) => Promise<void>, isHttp = false) {
	const heard: JsonRpcMessage[] = [];
	const inner: ServerTransport = {
		hasPerRequestStream: isHttp,
		onpiece: undefined,
		onclose: undefined,
		start: async () => {},
		close: async () => {},
		send,
		explain: () => new ServerError('server', 'protocol', 'It failed.'),
		output: { stderr: [] },
	};
	const listening = { limits: defaultLimits, onLog: () => {}, onListChanged: () => {} };
	const guard = new GuardedTransport(inner, listening);
	guard.onmessage = (message) => heard.push(message);
	const say = (message: JsonRpcMessage) => inner.onpiece?.(Buffer.from(JSON.stringify(message)));
	return { guard, inner, heard, say };
}

describe('a request that was sent', () => {
	const request: JsonRpcMessage = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

	/** A guard, and the requests that it has sent. */
	function guardWithExchanges() {
		const exchanges: (Exchange | undefined)[] = [];
		const made = guardOver(async ({ exchange }) => void exchanges.push(exchange));
		return { ...made, areOver: () => exchanges.map((exchange) => exchange?.isOver) };
	}

	test('is waited for until its answer comes', async () => {
		const { guard, say, areOver } = guardWithExchanges();
		await guard.send(request);
		await say({ jsonrpc: '2.0', id: 1, method: 'ping' });
		expect(areOver()).toEqual([false]);
		await say({ jsonrpc: '2.0', id: 1, result: {} });
		expect(areOver()).toEqual([true]);
	});

	test('is not waited for once it is cancelled: its answer reaches nobody', async () => {
		const { guard, heard, say, areOver } = guardWithExchanges();
		await guard.send(request);
		await guard.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
		expect(areOver()[0]).toBe(true);
		await say({ jsonrpc: '2.0', id: 1, result: {} });
		expect(heard).toEqual([]);
	});

	test('ends with its signal over HTTP, and with the connection, and does not fail then', async () => {
		const stop = new AbortController();
		const { guard, inner } = guardOver(
			({ exchange }) =>
				new Promise((_, reject) =>
					exchange?.signal.addEventListener('abort', () => reject(new Error('aborted'))),
				),
			true,
		);
		const stopped = guard.send(request, { requestSignal: stop.signal });
		const other = guard.send({ ...request, id: 2 });
		stop.abort();
		await stopped;
		inner.onclose?.();
		await other;
	});
});

describe('answers to a server that keeps asking', () => {
	test('are sent 32 at a time, which does not hold up our own requests', () => {
		const sent: JsonRpcMessage[] = [];
		const { guard } = guardOver(({ message }) => {
			sent.push(message);
			return new Promise(() => {});
		});
		for (let id = 0; id < 1_000; id += 1) void guard.send({ jsonrpc: '2.0', id });
		expect(sent).toHaveLength(32);
		void guard.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
		expect(sent).toHaveLength(33);
	});

	test('make room for the next when they are sent', async () => {
		let sent = 0;
		const { guard } = guardOver(async () => {
			sent += 1;
		});
		for (let id = 0; id < 100; id += 1) await guard.send({ jsonrpc: '2.0', id });
		expect(sent).toBe(100);
	});
});
