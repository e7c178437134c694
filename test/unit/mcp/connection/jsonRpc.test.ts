import { describe, expect, test } from 'vitest';
import { answeredId } from '../../../../src/mcp/connection/jsonRpc.ts';

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
