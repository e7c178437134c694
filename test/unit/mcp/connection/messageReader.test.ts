import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MALFORMED_CODE, OVERSIZED_CODE } from '../../../../src/mcp/connection/jsonRpc.ts';
import { MessageReader } from '../../../../src/mcp/connection/messageReader.ts';
import { defaultLimits } from '../../../../src/mcp/limits.ts';

/** A reader of three unasked messages per second with its own clock. It waits for the answer to request 7. */
function newGate() {
	vi.useFakeTimers({ toFake: ['performance'] });
	onTestFinished(() => void vi.useRealTimers());
	let floods = 0;
	const listening = {
		limits: { ...defaultLimits, unsolicitedPerSecond: 3 },
		onLog: () => {},
		onListChanged: () => {
			floods += 1;
		},
	};
	const reader = new MessageReader(listening, new Set([7]));
	const admitted = async (text: string, times = 1) => {
		let count = 0;
		for (let i = 0; i < times; i += 1) if ((await reader.read(Buffer.from(text))) !== 'dropped') count += 1;
		return count;
	};
	return { admitted, pass: (ms: number) => vi.advanceTimersByTime(ms), floods: () => floods };
}

const notification = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}';

test('the first messages of each second pass, and a flood is reported once a second', async () => {
	const { admitted, pass, floods } = newGate();
	expect(await admitted(notification, 3)).toBe(3);
	expect(floods()).toBe(0);
	expect(await admitted(notification, 100)).toBe(0);
	expect(floods()).toBe(1);
	pass(1_000);
	expect(await admitted(notification, 100)).toBe(3);
	expect(floods()).toBe(2);
});

test.each([
	['first', '{"jsonrpc":"2.0","id":7,"result":{}}'],
	['last', '{"result":{},"jsonrpc":"2.0","id":7}'],
	['before all', ' {"id":7,"jsonrpc":"2.0","error":{"code":1,"message":"no"}}'],
	['last, and before the version', '{"result":{"a":[]},"id":7,"jsonrpc":"2.0"}'],
])('an expected answer passes in any flood and does not count: its id %s', async (_, answer) => {
	const { admitted } = newGate();
	expect(await admitted(answer, 100)).toBe(100);
	expect(await admitted(notification, 100)).toBe(3);
	expect(await admitted(answer, 100)).toBe(100);
});

test.each([
	['answers that nobody waits for', '{"jsonrpc":"2.0","id":8,"result":{}}'],
	['requests', '{"jsonrpc":"2.0","id":7,"method":"ping"}'],
	[
		'texts that look like the end of an answer',
		'{"jsonrpc":"2.0","method":"x","params":{"data":",\\"id\\":7}"}}',
	],
	['what is no message', 'garbage'],
])('%s count like other messages', async (_, text) => {
	expect(await newGate().admitted(text, 100)).toBe(3);
});

test('large messages count more than once, and one of any size passes if it comes first', async () => {
	const { admitted } = newGate();
	expect(await admitted('x'.repeat(5_000), 10)).toBe(2);
	const other = newGate();
	expect(await other.admitted('x'.repeat(1_000_000), 10)).toBe(1);
});

/** A reader that waits for the answers to requests 1 and 7. */
function newReader(limits: Partial<typeof defaultLimits> = {}) {
	const listening = { limits: { ...defaultLimits, ...limits }, onLog: () => {}, onListChanged: () => {} };
	return new MessageReader(listening, new Set([1, 7]));
}

const read = (text: string | Buffer, requestId?: number, limits = {}) =>
	newReader(limits).read(Buffer.from(text), requestId);

test.each([
	'Server running',
	'{"jsonrpc":"1.0"}',
	'["2.0"]',
	'null',
	'{',
	'{"a":1}}',
	'{"jsonrpc":"2.0","id":null}',
	'{"method":7}',
])('%j is not a message', async (line) => {
	expect(await read(line)).toBe('garbage');
});

test('a blank line is ignored', async () => {
	expect(await read(' \r')).toEqual([]);
});

test.each([
	['a carriage return after it', '{"jsonrpc":"2.0","id":1,"result":{}}\r'],
	['a byte order mark before it', '\uFEFF{"jsonrpc":"2.0","id":1,"result":{}}'],
	['its id as a text', '{"jsonrpc":"2.0","id":"1","result":{}}'],
	['a member too many', '{"jsonrpc":"2.0","id":1,"result":{},"time":3}'],
	['no error, said so', '{"jsonrpc":"2.0","id":1,"result":{},"error":null}'],
	['alone in a batch', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
	['no version of JSON-RPC', '{"id":1,"result":{}}'],
])('an answer is read with %s', async (_, line) => {
	expect(await read(line)).toEqual([{ jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } }]);
});

test('an answer is read with a tab within a text, and numbers that JSON does not have', async () => {
	expect(await read('{"jsonrpc":"2.0","id":1,"result":{"says":"a\tb","mean":NaN}}')).toEqual([
		{ jsonrpc: '2.0', id: 1, result: { says: 'a\tb', mean: null, resultType: 'complete' } },
	]);
});

test.each([[[{ type: 'text', text: 'two rows' }]], ['two rows'], [42], [[]]])(
	'a result that is no object is the content of one: %j',
	async (content) => {
		const answer = { jsonrpc: '2.0', id: 1, result: content };
		expect(await read(JSON.stringify(answer))).toMatchObject([{ id: 1, result: { content } }]);
	},
);

test.each([
	'{"jsonrpc":"2.0","id":1}',
	'{"jsonrpc":"2.0","id":1,"reslt":{}}',
	'{"jsonrpc":"1.0","id":1,"result":{}}',
	'{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
	'{"jsonrpc":"2.0","id":1,"result":null}',
])('%s becomes an error for its request, which would wait forever', async (line) => {
	expect(await read(line)).toMatchObject([{ id: 1, error: { code: MALFORMED_CODE } }]);
});

test('an error without a message tells its other members', async () => {
	const line = (error: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, error });
	expect(await read(line({ code: 1, detail: 'no' }))).toMatchObject([
		{ error: { code: 1, message: '', data: { detail: 'no' } } },
	]);
	expect(await read(line({ code: 1, data: { reason: 'no' } }))).toMatchObject([
		{ error: { message: '', data: { reason: 'no' } } },
	]);
});

test.each(['"no"', '{"code":"E1","message":"no"}', '{"message":"no"}'])(
	'an error of the form %s is read',
	async (error) => {
		expect(await read(`{"jsonrpc":"2.0","id":1,"error":${error}}`)).toMatchObject([
			{ id: 1, error: { code: -32_000, message: 'no' } },
		]);
	},
);

test('an answer without an id belongs to the request of its exchange, or to the latest until a result had an id', async () => {
	const reader = newReader();
	const nameless = Buffer.from('{"jsonrpc":"2.0","id":null,"result":{}}');
	expect(await reader.read(nameless, 1)).toMatchObject([{ id: 1 }]);
	expect(await reader.read(nameless)).toMatchObject([{ id: 7 }]);
	await reader.read(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}'));
	expect(await reader.read(nameless)).toBe('garbage');
});

test('a truncated answer becomes an error if it still names its request', async () => {
	expect(await read('{"jsonrpc":"2.0","id":7,"result":{"content":[')).toMatchObject([
		{ id: 7, error: { code: MALFORMED_CODE } },
	]);
});

test.each(['{"jsonrpc":"2.0","id":2,"result":{}}', '{"jsonrpc":"2.0","id":2,"result":42}'])(
	'%s is ignored: nobody waits for it',
	async (line) => {
		expect(await read(line)).toEqual([]);
	},
);

test('a request of the server is not taken for an answer', async () => {
	const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
	expect(await read(JSON.stringify(ping))).toEqual([ping]);
});

test('an oversized answer becomes an error for its request, which its ends identify', async () => {
	const ends = (head: string) => ({ head: Buffer.from(head), tail: Buffer.from('xxx') });
	expect(await newReader().read(ends('{"jsonrpc":"2.0","id":7,"result":{'))).toMatchObject([
		{ id: 7, error: { code: OVERSIZED_CODE } },
	]);
	expect(await newReader().read(ends('xxx'))).toEqual([]);
});

describe('a message that would take long to parse', () => {
	const answer = (result: string) => `{"jsonrpc":"2.0","id":7,"result":${result}}`;
	const limits = { messageValues: 2_500 };
	const many = 3_000;

	test.each([
		['arrays', answer(`{"a":[${'[],'.repeat(many)}[]]}`)],
		['numbers', answer(`{"a":[${'1,'.repeat(many)}1]}`)],
		['keys', answer(`{${Array.from({ length: 600 }, (_, i) => `"k${i}":0`).join()}}`)],
		['depth', answer(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`)],
		['depth of objects', answer(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)],
		['white space', answer(`{"a":1${' '.repeat(64 * many)}}`)],
		['digits', answer(`{"a":${'1'.repeat(64 * many)}}`)],
		['objects', answer(`{"content":[${'{},'.repeat(many)}{}]}`)],
		['a batch of messages', `[${'{"jsonrpc":"2.0","method":"x"},'.repeat(3_000)}{}]`],
	])('is refused, and its call fails: %s', async (_, text) => {
		expect(await read(text, 7, limits)).toMatchObject([{ id: 7, error: { code: OVERSIZED_CODE } }]);
	});

	test.each([
		['a long text', answer(`{"a":"${'x'.repeat(2_000_000)}"}`)],
		['a text of brackets and quotes', answer(JSON.stringify({ a: '[{"\\'.repeat(200_000) }))],
		['a table of 20,000 rows', answer(`{"a":[${'{"x":1,"y":"z"},'.repeat(20_000)}{}]}`)],
	])('is read if it is large but cheap: %s', async (_, text) => {
		expect(await read(text)).toMatchObject([JSON.parse(text)]);
	});

	test('invalid UTF-8 is repaired in small messages and refused in large ones', async () => {
		const bytes = (count: number) =>
			Buffer.concat([
				Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"a":"'),
				Buffer.alloc(count, 0xff),
				Buffer.from('"}}'),
			]);
		expect(await read(bytes(1))).toMatchObject([{ result: { a: '\ufffd' } }]);
		expect(await read(bytes(2_000_000))).toMatchObject([{ error: { code: MALFORMED_CODE } }]);
	});
});
