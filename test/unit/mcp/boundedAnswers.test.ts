import { expect, test } from 'vitest';
import { boundAnswers } from '../../../src/mcp/connection/boundedAnswers.ts';

interface Message {
	readonly method?: string;
	readonly id: number;
}

/** A transport that never gets done with anything. */
function stuckTransport() {
	const sent: Message[] = [];
	const transport = {
		send(message: Message): Promise<void> {
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
	const sent: Message[] = [];
	const transport = {
		async send(message: Message): Promise<void> {
			sent.push(message);
		},
	};
	boundAnswers(transport);
	for (let id = 0; id < 100; id += 1) await transport.send({ id });
	expect(sent).toHaveLength(100);
});
