import { expect, test } from 'vitest';
import { EventReader } from '../../../../src/mcp/connection/eventReader.ts';

/** The events of these chunks: data by type, with `<` and `>` around the ends of data that is too long. */
function read(chunks: readonly string[], maxBytes = 100) {
	const reader = new EventReader(maxBytes);
	const events = chunks.flatMap((chunk) =>
		[...reader.read(Buffer.from(chunk))].map(({ type, data }) => {
			const text = Buffer.isBuffer(data) ? data.toString() : `<${data.head} ${data.tail}>`;
			return type === 'message' ? text : `${type}: ${text}`;
		}),
	);
	return { events, reader };
}

test('an event is read when it is whole, wherever the chunks are cut', () => {
	const stream = 'data: a\n\nevent: endpoint\ndata:/post\n\n: comment\ndata: b\ndata:  c\n\n';
	const expected = ['a', 'endpoint: /post', 'b\n c'];
	for (let cut = 0; cut <= stream.length; cut += 1)
		expect(read([stream.slice(0, cut), stream.slice(cut)]).events).toEqual(expected);
	expect(read([...stream]).events).toEqual(expected);
});

test.each([
	['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
	['CR', 'data: a\r\rdata: b\r\r'],
])('lines may end with %s', (_, stream) => {
	expect(read([stream]).events).toEqual(['a', 'b']);
});

test('what the stream ends with, and is not whole, is no event', () => {
	const { events, reader } = read(['data: a\n\ndata: b']);
	reader.restart();
	expect([
		...events,
		...[...reader.read(Buffer.from('data: c\n\n'))].map(({ data }) => String(data)),
	]).toEqual(['a', 'c']);
});

test.each([
	['in one line', `data: {"id":7,${'x'.repeat(200)}}\n\n`],
	['in many lines', `data: {"id":7\n${'data: x\n'.repeat(100)}data: }\n\n`],
	['in many lines after a long one', `data: {"id":7${'x'.repeat(200)}}\ndata: x\n\n`],
])('of an event over the limit the ends are left, %s, and those around it are read', (_, large) => {
	const { events } = read([`data: a\n\n${large}data: b\n\n`]);
	expect(events).toHaveLength(3);
	expect([events[0], events[2]]).toEqual(['a', 'b']);
	expect(events[1]).toMatch(/^<(data: )?\{"id":7/);
	expect(events[1]?.slice(0, -1).trimEnd()).toMatch(/[}x]$/);
});

test('many events that are larger together than one may be are all read', () => {
	expect(read([`data: ${'x'.repeat(60)}\n\n`.repeat(5)]).events).toHaveLength(5);
});

test('a byte order mark before the first line of a stream means nothing', () => {
	const { events, reader } = read(['\uFEFFdata: a\n\n\uFEFFdata: b\n\n']);
	reader.restart();
	const more = [...reader.read(Buffer.from('\uFEFFdata: c\n\n'))].map(({ data }) => String(data));
	expect([...events, ...more]).toEqual(['a', 'c']);
});

test('an event with nothing in it is none', () => {
	expect(read(['id: 1\ndata:\n\ndata\n\ndata: a\n\n']).events).toEqual(['a']);
});

test.each([
	['id: 1\ndata: a\n\n', '1', undefined],
	['data: id: 1\n\n', undefined, undefined],
	['id: 1\nid\n\n', undefined, undefined],
	['id: a\u0000b\n\n', undefined, undefined],
	['id: a\u0001b\n\n', undefined, undefined],
	['id: 日\n\n', '日', undefined],
	['retry: 250\n\n', undefined, 250],
	['retry: soon\nretry: -1\nretry: 99999999999\n\n', undefined, undefined],
])('%j numbers its events and says when to come again', (stream, id, retryMs) => {
	const { reader } = read([stream]);
	expect([reader.lastEventId, reader.retryMs]).toEqual([id, retryMs]);
});
