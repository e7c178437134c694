import { expect, test } from 'vitest';
import { Unanswered } from '../../../src/mcp/connection/unanswered.ts';

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly params?: { readonly requestId: number };
}

function watched() {
	const unanswered = new Unanswered();
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
