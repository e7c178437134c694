import { describe, expect, test } from 'vitest';
import { answeredId, MALFORMED_CODE, parseMessage } from '../../../src/mcp/stdio/jsonRpc.ts';

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

test.each(['', 'Server running', '{"jsonrpc":"1.0"}', '["2.0"]', 'null', '{'])('%j is no message', (line) => {
	expect(parseMessage(line)).toBeUndefined();
});

test('a message is an object that says so, a carriage return after it or not', () => {
	expect(parseMessage('{"jsonrpc":"2.0","id":1,"result":{}}\r')).toEqual({
		jsonrpc: '2.0',
		id: 1,
		result: {},
	});
});

test.each([
	'{"jsonrpc":"2.0","id":1,"result":42}',
	'{"jsonrpc":"2.0","id":1}',
	'{"jsonrpc":"2.0","id":1,"error":"no"}',
])('%s answers its request with an error: it would wait for ever', (line) => {
	expect(parseMessage(line)).toMatchObject({ id: 1, error: { code: MALFORMED_CODE } });
});

test('a request of the server is no malformed answer', () => {
	expect(parseMessage('{"jsonrpc":"2.0","id":1,"method":"ping"}')).not.toHaveProperty('error');
});

test('a byte order mark before a message is none of it', () => {
	expect(parseMessage('\uFEFF{"jsonrpc":"2.0","method":"x"}')).toEqual({ jsonrpc: '2.0', method: 'x' });
});
