import { describe, expect, test } from 'vitest';
import {
	GuardedTransport,
	type Outgoing,
	type ServerTransport,
} from '../../../../src/mcp/connection/guardedTransport.ts';
import type { JsonRpcMessage } from '../../../../src/mcp/connection/jsonRpc.ts';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';

/** A guard around a transport that sends like this. */
function guardOver(send: (outgoing: Outgoing) => Promise<void>): GuardedTransport {
	const inner: ServerTransport = {
		onpiece: undefined,
		onclose: undefined,
		start: async () => {},
		close: async () => {},
		send,
		explain: () => new ServerError('server', 'protocol', 'It failed.'),
		output: { stderr: [] },
	};
	return new GuardedTransport(inner, { limits: defaultLimits, onLog: () => {}, onListChanged: () => {} });
}

describe('answers to a server that keeps asking', () => {
	test('are sent 32 at a time, which does not hold up our own requests', () => {
		const sent: JsonRpcMessage[] = [];
		const guard = guardOver(({ message }) => {
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
		const guard = guardOver(async () => {
			sent += 1;
		});
		for (let id = 0; id < 100; id += 1) await guard.send({ jsonrpc: '2.0', id });
		expect(sent).toBe(100);
	});
});
