import { expect, test } from 'vitest';
import { FloodGate } from '../../../src/mcp/connection/floodGate.ts';

/** A gate for three messages a second, in a time of its own; the answer to request 7 is waited for. */
function newGate() {
	const time = { ms: 0 };
	let floods = 0;
	const gate = new FloodGate({
		limits: { unaskedPerSecond: 3 },
		isAwaited: (id) => id === 7,
		onFlood: () => {
			floods += 1;
		},
		now: () => time.ms,
	});
	const admitted = (text: string, times = 1) =>
		Array.from({ length: times }, () => gate.admits(Buffer.from(text))).filter(Boolean).length;
	return { admitted, time, floods: () => floods };
}

const notification = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}';

test('of a flood the first messages of each second are admitted, and it is told once a second', () => {
	const { admitted, time, floods } = newGate();
	expect(admitted(notification, 3)).toBe(3);
	expect(floods()).toBe(0);
	expect(admitted(notification, 100)).toBe(0);
	expect(floods()).toBe(1);
	time.ms = 1_000;
	expect(admitted(notification, 100)).toBe(3);
	expect(floods()).toBe(2);
});

test.each([
	['first', '{"jsonrpc":"2.0","id":7,"result":{}}'],
	['last', '{"result":{},"jsonrpc":"2.0","id":7}'],
	['before all', ' {"id":7,"jsonrpc":"2.0","error":{"code":1,"message":"no"}}'],
	['in an event', `event: message\ndata: {"jsonrpc":"2.0","id":7,"result":{"a":"${'x'.repeat(9_000)}"}}\n\n`],
])('an answer that we wait for is admitted in any flood, and counts for nothing: its id %s', (_, answer) => {
	const { admitted } = newGate();
	expect(admitted(answer, 100)).toBe(100);
	expect(admitted(notification, 100)).toBe(3);
	expect(admitted(answer, 100)).toBe(100);
});

test.each([
	['answers that nobody waits for', '{"jsonrpc":"2.0","id":8,"result":{}}'],
	['requests', '{"jsonrpc":"2.0","id":7,"method":"ping"}'],
	['what is no message', 'garbage'],
])('%s are a flood as any other', (_, text) => {
	expect(newGate().admitted(text, 100)).toBe(3);
});

test('large messages count for more, and one larger than all passes as the first', () => {
	const { admitted } = newGate();
	expect(admitted('x'.repeat(5_000), 10)).toBe(2);
	const other = newGate();
	expect(other.admitted('x'.repeat(1_000_000), 10)).toBe(1);
});
