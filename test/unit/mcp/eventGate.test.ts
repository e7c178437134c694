import { expect, test } from 'vitest';
import { EventGate } from '../../../src/mcp/connection/eventGate.ts';

const encoder = new TextEncoder();

/** What a gate lets pass of these chunks, one text for each chunk and one for the end. */
function passed(chunks: readonly string[], maxBytes = 100, requestId?: number): string[] {
	const gate = new EventGate(maxBytes, requestId);
	const text = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString('utf8');
	return [...chunks.map((chunk) => text(gate.pass(encoder.encode(chunk)))), text(gate.end())];
}

/** A result of 200 characters, which is over the limit. */
const large = `"result":{"text":"${'x'.repeat(200)}"}`;

test('an event passes when it is whole, and not before', () => {
	expect(passed(['data: a', '\n', '\ndata: b\n\nda', 'ta: c'])).toEqual([
		'',
		'',
		'data: a\n\ndata: b\n\n',
		'',
		'data: c',
	]);
});

test.each([
	['CRLF', 'data: a\r\n\r\n', ['data: a\r\n\r\n', '']],
	['CR', 'data: a\r\rdata: b', ['data: a\r\r', 'data: b']],
	['CRLF after CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['data: a\r\n\r\ndata: b\r\n\r\n', '']],
])('lines may end with %s', (_name, stream, expected) => {
	expect(passed([stream])).toEqual(expected);
});

test('an event over the limit does not pass; those around it do', () => {
	expect(passed([`data: a\n\ndata: ${'x'.repeat(200)}\n\ndata: b\n\n`])).toEqual([
		'data: a\n\ndata: b\n\n',
		'',
	]);
});

test.each([
	['first', `{"jsonrpc":"2.0","id":7,${large}}`],
	['last', `{${large},"jsonrpc":"2.0","id":7}`],
])('the request that it answers is answered in its place, with the id %s', (_name, answer) => {
	const [text = ''] = passed([`event: message\ndata: ${answer}\n\n`]);
	expect(JSON.parse(text.replace('data: ', ''))).toMatchObject({ id: 7, error: { code: -32_090 } });
	expect(text.endsWith('\n\n')).toBe(true);
});

test('in a stream for one request that one is answered as soon as the limit is passed', () => {
	const [text = '', rest] = passed([`data: ${'x'.repeat(200)}`, 'more\n\n'], 100, 3);
	expect(JSON.parse(text.replace('data: ', ''))).toMatchObject({ id: 3, error: {} });
	expect(rest).toBe('');
});

test('many events that are larger together than one may be all pass', () => {
	const event = `data: ${'x'.repeat(60)}\n\n`;
	expect(passed([event.repeat(5)])).toEqual([event.repeat(5), '']);
});

test.each([
	['id: 1\ndata: a\n\n', true],
	['data: id: 1\n\n', false],
])('%j numbers its events: %s', (stream, expected) => {
	const gate = new EventGate(100, undefined);
	gate.pass(encoder.encode(stream));
	expect(gate.sawEventId).toBe(expected);
});

test('an event that is not admitted does not pass, whole as it is; those around it do', () => {
	const gate = new EventGate(100, undefined, (event) => !event.includes('spam'));
	const parts = ['data: a\n\ndata: sp', 'am\n\ndata: b\n\n'].flatMap((chunk) =>
		gate.pass(encoder.encode(chunk)),
	);
	expect(Buffer.concat(parts).toString()).toBe('data: a\n\ndata: b\n\n');
});
