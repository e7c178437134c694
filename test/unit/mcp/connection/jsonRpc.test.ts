import { describe, expect, test } from 'vitest';
import { answeredId, boundAnswers, PendingRequests } from '../../../../src/mcp/connection/jsonRpc.ts';

describe('the request that an answer too long to keep belongs to', () => {
	const ends = (message: string) => answeredId(message.slice(0, 60), message.slice(-60));
	const filler = 'x'.repeat(500);

	test.each([
		['id after the result', `{"result":{"content":[{"text":"${filler}"}]},"jsonrpc":"2.0","id":7}`, 7],
		['id before the result', `{"jsonrpc":"2.0","id":7,"result":{"content":[{"text":"${filler}"}]}}`, 7],
		['with spaces', `{ "jsonrpc": "2.0", "id": 7, "result": {"text": "${filler}"} }`, 7],
		['id first of all', `{"id":7,"jsonrpc":"2.0","result":{"text":"${filler}"}}`, 7],
		[
			'a request of the server',
			`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{"text":"${filler}"}}`,
			undefined,
		],
		[
			'a notification',
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${filler}"}}`,
			undefined,
		],
		[
			'a text that looks like the end',
			`{"jsonrpc":"2.0","method":"x","params":{"data":"${filler},\\"id\\":7}"}}`,
			undefined,
		],
	])('%s', (_, message, id) => {
		expect(ends(message)).toBe(id);
	});
});

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly params?: { readonly requestId: number };
}

function watched() {
	const unanswered = new PendingRequests();
	const transport = {
		send: async (_: Message) => {},
		onmessage: undefined as ((message: Message) => void) | undefined,
	};
	unanswered.watch(transport);
	return { unanswered, transport };
}

test('a request is waited for until its answer comes', async () => {
	const { unanswered, transport } = watched();
	await transport.send({ id: 1, method: 'tools/call' });
	expect(unanswered.has(1)).toBe(true);
	transport.onmessage?.({ id: 1, method: 'ping' });
	expect(unanswered.has(1)).toBe(true);
	transport.onmessage?.({ id: 1 });
	expect(unanswered.has(1)).toBe(false);
});

test('a request that is cancelled is not waited for any more', async () => {
	const { unanswered, transport } = watched();
	await transport.send({ id: 1, method: 'tools/call' });
	await transport.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
	expect(unanswered.has(1)).toBe(false);
});

test('answers of our own are not waited for', async () => {
	const { unanswered, transport } = watched();
	await transport.send({ id: 1 });
	expect(unanswered.has(1)).toBe(false);
});

interface SentMessage {
	readonly method?: string;
	readonly id: number;
}

/** A transport whose operations never complete. */
function stuckTransport() {
	const sent: SentMessage[] = [];
	const transport = {
		send(message: SentMessage): Promise<void> {
			sent.push(message);
			return new Promise(() => {});
		},
	};
	boundAnswers(transport);
	return { transport, sent };
}

test('of answers that nobody takes 32 are under way, and no more', () => {
	const { transport, sent } = stuckTransport();
	for (let id = 0; id < 1_000; id += 1) void transport.send({ id });
	expect(sent).toHaveLength(32);
});

test('what we ask ourselves is sent all the same', () => {
	const { transport, sent } = stuckTransport();
	for (let id = 0; id < 100; id += 1) void transport.send({ id, method: 'tools/call' });
	expect(sent).toHaveLength(100);
});

test('an answer that is done makes room for another', async () => {
	const sent: SentMessage[] = [];
	const transport = {
		async send(message: SentMessage): Promise<void> {
			sent.push(message);
		},
	};
	boundAnswers(transport);
	for (let id = 0; id < 100; id += 1) await transport.send({ id });
	expect(sent).toHaveLength(100);
});
