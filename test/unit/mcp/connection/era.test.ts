import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type KnownEra, readKnownEra } from '../../../../src/mcp/connection/connectOptions.ts';
import {
	contradictsEra,
	failsLikeLegacy,
	modernEra,
	Passage,
	priorEra,
} from '../../../../src/mcp/connection/era.ts';
import {
	AnswerError,
	HttpStatusError,
	type SendOptions,
} from '../../../../src/mcp/connection/httpTransport.ts';
import { type JsonRpcMessage, MALFORMED_CODE } from '../../../../src/mcp/connection/jsonRpc.ts';

const day = 86_400_000;
const status = (code: number) => new HttpStatusError(new Response(null, { status: code }));

describe('what an earlier start has found out', () => {
	const discover = { supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 1_000 };

	test('of an old server is acted on for a week: it may have been brought up to date since', () => {
		const known: KnownEra = { kind: 'legacy', since: 0 };
		expect(priorEra(known, 6 * day)).toEqual({ kind: 'legacy' });
		expect(priorEra(known, 8 * day)).toBeUndefined();
	});

	test('of a modern one is acted on for as long as its answer is good, and a day at most', () => {
		expect(priorEra({ kind: 'modern', since: 0, discover }, 999)).toEqual({ kind: 'modern', discover });
		expect(priorEra({ kind: 'modern', since: 0, discover }, 1_001)).toBeUndefined();
		const endless = { ...discover, ttlMs: Number.MAX_SAFE_INTEGER };
		expect(priorEra({ kind: 'modern', since: 0, discover: endless }, day + 1)).toBeUndefined();
		expect(priorEra({ kind: 'modern', since: 0 }, 0)).toBeUndefined();
	});

	test('is read back as it was written, and else counts for nothing', () => {
		const known = { ...modernEra(discover), since: 7 };
		expect(readKnownEra(JSON.parse(JSON.stringify(known)))).toEqual(known);
		for (const other of [undefined, 'legacy', {}, { kind: 'legacy' }, { kind: 'ancient', since: 1 }])
			expect(readKnownEra(other)).toBeUndefined();
	});

	test('an answer that is too long is not kept', () => {
		expect(modernEra({ ...discover, instructions: 'x'.repeat(100_000) })).toEqual({ kind: 'modern' });
	});
});

test.each([
	[status(400), true],
	[status(404), true],
	[status(405), true],
	[status(500), true],
	[new AnswerError(MALFORMED_CODE, 'nothing in it'), true],
	// Missing credentials, too many requests and the network tell nothing about the protocol.
	[status(401), false],
	[status(403), false],
	[status(429), false],
	[status(307), false],
	[new TypeError('fetch failed'), false],
])('a probe that fails with %s is one of an old server: %s', (error, expected) => {
	expect(failsLikeLegacy(error)).toBe(expected);
});

test('a server that is down, or wants credentials, does not contradict what is known of it', () => {
	expect(contradictsEra(status(400), 'http-error')).toBe(true);
	expect(contradictsEra(new Error('no such method'), 'request-refused')).toBe(true);
	for (const code of [503, 401, 429]) expect(contradictsEra(status(code), 'http-error')).toBe(false);
	expect(contradictsEra(new TypeError('fetch failed'), 'unreachable')).toBe(false);
	expect(contradictsEra(new Error('gone'), 'died-while-starting')).toBe(false);
});

/** A transport with these answers to the probe, and the messages that reach the SDK. */
function passageOver(
	send: (message: JsonRpcMessage, options?: SendOptions) => Promise<void>,
	isHttp = false,
) {
	const heard: JsonRpcMessage[] = [];
	const inner = {
		hasPerRequestStream: isHttp,
		onmessage: undefined as ((message: JsonRpcMessage) => void) | undefined,
		onclose: undefined as (() => void) | undefined,
		start: async () => {},
		close: async () => {},
		send,
	};
	const passage = new Passage(inner, 20);
	passage.onmessage = (message) => heard.push(message);
	return { passage, inner, heard };
}

const probe: JsonRpcMessage = { jsonrpc: '2.0', id: 'probe-1', method: 'server/discover', params: {} };
const refusal = { id: 'probe-1', error: { code: -32_601 } };

describe('the probe', () => {
	test('that nobody answers is answered in their place, and what comes later is known for what it is', async () => {
		const { passage, inner, heard } = passageOver(async () => {});
		await passage.send(probe);
		await expect.poll(() => heard).toMatchObject([refusal]);
		expect(passage.isProbeUnanswered).toBe(true);
		inner.onmessage?.({ jsonrpc: '2.0', id: 'probe-1', result: { supportedVersions: ['2026-07-28'] } });
		expect(heard).toHaveLength(1);
		expect(passage.saidModernLate).toBe(true);
	});

	test('over HTTP ends its exchange when it is given up', async () => {
		let signal: AbortSignal | undefined;
		const { passage, heard } = passageOver(async (_, options) => {
			signal = options?.requestSignal;
			await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
		}, true);
		await passage.send(probe);
		expect(signal?.aborted).toBe(true);
		expect(heard).toMatchObject([refusal]);
	});

	test('that an old server refuses is answered; what says nothing of the protocol is passed on', async () => {
		const old = passageOver(() => Promise.reject(status(405)), true);
		await old.passage.send(probe);
		expect(old.heard).toMatchObject([refusal]);
		const locked = passageOver(() => Promise.reject(status(401)), true);
		await expect(locked.passage.send(probe)).rejects.toMatchObject({ code: 401 });
		expect(locked.heard).toEqual([]);
		expect(locked.passage.probeFailure).toMatchObject({ code: 401 });
	});

	test('that is answered is answered once', async () => {
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

test('a method that the SDK is not to check goes out under its own name', async () => {
	const sent: unknown[] = [];
	const { passage } = passageOver(async ({ method }) => {
		sent.push(method);
	});
	await passage.send({ jsonrpc: '2.0', id: 1, method: 'unchecked:tools/list' });
	expect(sent).toEqual(['tools/list']);
});

test('a result that does not say whether it is complete is', () => {
	const { inner, heard } = passageOver(async () => {});
	const asks = { resultType: 'input_required' };
	inner.onmessage?.({ jsonrpc: '2.0', id: 1, result: { content: [] } });
	inner.onmessage?.({ jsonrpc: '2.0', id: 2, result: asks });
	expect(heard.map(({ result }) => result)).toEqual([{ content: [], resultType: 'complete' }, asks]);
});
