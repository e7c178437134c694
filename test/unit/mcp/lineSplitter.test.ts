import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from '../../../src/mcp/stdio/lineSplitter.ts';

function split(
	chunks: readonly Buffer[],
	maxBytes: number,
): { lines: string[]; overlong: [string, string][] } {
	const lines: string[] = [];
	const overlong: [string, string][] = [];
	const splitter = new LineSplitter({
		maxBytes,
		onLine: (line) => lines.push(line),
		onOverlong: (head, tail) => overlong.push([head, tail]),
	});
	for (const chunk of chunks) splitter.push(chunk);
	splitter.end();
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

test('of a line that is not wanted nothing is made', () => {
	const lines: string[] = [];
	const splitter = new LineSplitter({
		maxBytes: 100,
		isWanted: (line) => !line.includes('spam'),
		onLine: (line) => lines.push(line),
		onOverlong: () => {},
	});
	for (const chunk of ['one\nsp', 'am\ntwo\n']) splitter.push(Buffer.from(chunk));
	expect(lines).toEqual(['one', 'two']);
});
