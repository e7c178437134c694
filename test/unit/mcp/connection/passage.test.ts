import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonRpcMessage, RequestId } from '../../../../src/mcp/connection/jsonRpc.ts';
import { Passage, type SendOptions } from '../../../../src/mcp/connection/passage.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';

/** A passage over a transport that sends like this, and the messages that reach the SDK. */
function passageOver(
	send: (message: JsonRpcMessage, options?: SendOptions) => Promise<void>,
	isHttp = false,
) {
	const heard: JsonRpcMessage[] = [];
	const inner = {
		hasPerRequestStream: isHttp,
		onmessage: undefined as ((message: JsonRpcMessage) => void) | undefined,
		onclose: undefined,
		onerror: undefined,
		start: async () => {},
		close: async () => {},
		send,
		explain: () => new ServerError('server', 'protocol', 'It failed.'),
		isLost: () => false,
		output: { stderr: [] },
	};
	const unanswered = new Set<RequestId>();
	const passage = new Passage(inner, unanswered, 20);
	passage.onmessage = (message) => heard.push(message);
	return { passage, inner, heard, unanswered };
}

const probe: JsonRpcMessage = { jsonrpc: '2.0', id: 'probe-1', method: 'server/discover', params: {} };
const refusal = { id: 'probe-1', error: { code: -32_601 } };

describe('the probe', () => {
	test('is answered by us if the server is silent, and a late answer is recognized', async () => {
		const { passage, inner, heard } = passageOver(async () => {});
		await passage.send(probe);
		await expect.poll(() => heard).toMatchObject([refusal]);
		expect(passage.isProbeUnanswered).toBe(true);
		inner.onmessage?.({ jsonrpc: '2.0', id: 'probe-1', result: { supportedVersions: ['2026-07-28'] } });
		expect(heard).toHaveLength(1);
		expect(passage.saidModernLate).toBe(true);
	});

	test('ends its HTTP exchange when it is given up', async () => {
		let signal: AbortSignal | undefined;
		const { passage, heard } = passageOver(async (_, options) => {
			signal = options?.requestSignal;
			await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
		}, true);
		await passage.send(probe);
		expect(signal?.aborted).toBe(true);
		expect(heard).toMatchObject([refusal]);
	});

	test('gets only the answer of the server if there is one', async () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const { passage, inner, heard } = passageOver(async () => {});
		await passage.send(probe);
		const result = { supportedVersions: [], resultType: 'complete' };
		const answer: JsonRpcMessage = { jsonrpc: '2.0', id: 'probe-1', result };
		inner.onmessage?.(answer);
		vi.runAllTimers();
		expect(heard).toEqual([answer]);
		expect(passage.isProbeUnanswered).toBe(false);
	});
});

describe('a request that was sent', () => {
	const request: JsonRpcMessage = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

	test('is unanswered until its answer comes', async () => {
		const { passage, inner, unanswered } = passageOver(async () => {});
		await passage.send(request);
		inner.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'ping' });
		expect([...unanswered]).toEqual([1]);
		inner.onmessage?.({ jsonrpc: '2.0', id: 1 });
		expect(unanswered.size).toBe(0);
	});

	test('is not waited for once it is cancelled, by a message or by ending its exchange', async () => {
		const { passage, unanswered } = passageOver(async () => {});
		const exchange = new AbortController();
		await passage.send(request);
		await passage.send({ ...request, id: 2 }, { requestSignal: exchange.signal });
		await passage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
		exchange.abort();
		expect(unanswered.size).toBe(0);
	});
});

describe('answers to a server that keeps asking', () => {
	test('are sent 32 at a time, which does not hold up our own requests', () => {
		const sent: JsonRpcMessage[] = [];
		const { passage, unanswered } = passageOver((message) => {
			sent.push(message);
			return new Promise(() => {});
		});
		for (let id = 0; id < 1_000; id += 1) void passage.send({ jsonrpc: '2.0', id });
		expect(sent).toHaveLength(32);
		expect(unanswered.size).toBe(0);
		void passage.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
		expect(sent).toHaveLength(33);
	});

	test('make room for the next when they are sent', async () => {
		let sent = 0;
		const { passage } = passageOver(async () => {
			sent += 1;
		});
		for (let id = 0; id < 100; id += 1) await passage.send({ jsonrpc: '2.0', id });
		expect(sent).toBe(100);
	});
});

describe('a refused handshake', () => {
	const initialize: JsonRpcMessage = {
		jsonrpc: '2.0',
		id: 0,
		method: 'initialize',
		params: { protocolVersion: '2025-11-25', capabilities: {} },
	};
	const refused = (id: RequestId | undefined, message: string): JsonRpcMessage => ({
		jsonrpc: '2.0',
		id: id ?? 0,
		error: { code: -32_602, message },
	});

	test('is repeated with each version that the refusal names, once', async () => {
		const sent: JsonRpcMessage[] = [];
		const { passage, inner, heard, unanswered } = passageOver(async (message) => {
			sent.push(message);
			inner.onmessage?.(refused(message.id, 'Supported: 2024-11-05, 2025-06-18'));
		});
		await passage.send(initialize);
		expect(sent.map(({ params }) => params)).toMatchObject([
			{ protocolVersion: '2025-11-25' },
			{ protocolVersion: '2025-06-18' },
			{ protocolVersion: '2024-11-05' },
		]);
		expect(heard).toEqual([refused(0, 'Supported: 2024-11-05, 2025-06-18')]);
		expect(unanswered.size).toBe(0);
	});

	test('stays a refusal if it names no other version', async () => {
		const { passage, inner, heard } = passageOver(async ({ id }) =>
			inner.onmessage?.(refused(id, 'Unsupported protocol version: 2025-11-25')),
		);
		await passage.send(initialize);
		expect(heard).toEqual([refused(0, 'Unsupported protocol version: 2025-11-25')]);
	});
});
