import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteJoiner, LineSplitter, type Piece } from '../../../../src/mcp/stdio/lineSplitter.ts';

function split(
	chunks: readonly Buffer[],
	maxBytes: number,
): { lines: string[]; overlong: [string, string][] } {
	const lines: string[] = [];
	const overlong: [string, string][] = [];
	const take = (piece: Piece) =>
		Buffer.isBuffer(piece)
			? lines.push(piece.toString('utf8'))
			: overlong.push([piece.head.toString('utf8'), piece.tail.toString('utf8')]);
	const splitter = new LineSplitter(maxBytes);
	for (const chunk of chunks) for (const line of splitter.push(chunk)) take(line);
	for (const line of splitter.end()) take(line);
	return { lines, overlong };
}

test('wherever the chunks are cut, in the middle of a character too, the lines are the same', () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat()), (texts, cuts) => {
			const bytes = Buffer.from(`${texts.join('\n')}\n`);
			const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort(
				(a, b) => a - b,
			);
			const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
			expect(split(chunks, 10_000).lines).toEqual(texts.join('\n').split('\n'));
		}),
	);
});

test('a line over the limit is told by its ends, and the next line is whole again', () => {
	const long = `head ${'x'.repeat(5_000)} tail`;
	const bytes = Buffer.from(`before\n${long}\nafter\n`);
	const chunks = Array.from({ length: Math.ceil(bytes.length / 100) }, (_, i) =>
		bytes.subarray(i * 100, i * 100 + 100),
	);

	const { lines, overlong } = split(chunks, 1_000);

	expect(lines).toEqual(['before', 'after']);
	expect(overlong).toHaveLength(1);
	expect(overlong[0]?.[0]).toMatch(/^head x+$/);
	expect(overlong[0]?.[1]).toMatch(/^x+ tail$/);
});

test('a line at the limit is still whole', () => {
	expect(split([Buffer.from('12345\n123456\n')], 5)).toEqual({
		lines: ['12345'],
		overlong: [['123456', '123456']],
	});
});

test('the last line needs no end', () => {
	expect(split([Buffer.from('one\ntwo')], 100).lines).toEqual(['one', 'two']);
});

test('bytes that come one by one take little more memory than their number', () => {
	const blocks = Array.from({ length: 64 }, () => Buffer.alloc(65_536, 'x'));
	const joiner = new ByteJoiner(2_000_000);
	let largest = 0;
	const [before, bytes] = [process.memoryUsage().arrayBuffers, 300_000];
	for (let i = 0; i < bytes; i += 1) {
		const block = blocks[i % 64] ?? Buffer.alloc(1);
		joiner.append(block.subarray(i % 65_536, (i % 65_536) + 1));
		if (i % 10_000 === 0) largest = Math.max(largest, process.memoryUsage().arrayBuffers - before);
	}
	expect(joiner.take()).toHaveLength(bytes);
	// While doubling, the old and the new buffer exist, and garbage that is not collected yet may take as much again.
	expect(largest).toBeLessThan(6 * bytes);
});
