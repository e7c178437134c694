import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { movingPicture } from '../../../scripts/movingPicture.ts';

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}

/** A PNG of grey pixels, or of another kind. */
function png(width: number, height: number, grey: number, kind = 0): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width);
	header.writeUInt32BE(height, 4);
	header.set([8, kind, 0, 0, 0], 8);
	const rows = Array.from({ length: height }, () => [0, ...Array<number>(width).fill(grey)]).flat();
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(Buffer.from(rows))),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function readChunks(file: Buffer): { type: string; data: Buffer }[] {
	const read = [];
	for (let at = 8; at < file.length; ) {
		const end = at + 8 + file.readUInt32BE(at);
		const body = file.subarray(at + 4, end);
		expect(file.readUInt32BE(end)).toBe(crc32(body));
		read.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
		at = end + 4;
	}
	return read;
}

test('frames are written in order, each with its position, duration and pixels', () => {
	const chunks = readChunks(
		movingPicture([
			{ png: png(4, 3, 10), x: 0, y: 0, ms: 300 },
			{ png: png(2, 2, 20), x: 1, y: 1, ms: 2_000 },
		]),
	);
	expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND']);
	const [, count, , first, control, second] = chunks.map(({ data }) => data);
	expect(count?.readUInt32BE()).toBe(2);
	expect(inflateSync(first ?? '')[1]).toBe(10);
	expect([0, 4, 8, 12, 16].map((at) => control?.readUInt32BE(at))).toEqual([1, 2, 2, 1, 1]);
	expect([20, 22].map((at) => control?.readUInt16BE(at))).toEqual([2_000, 1_000]);
	expect(second?.readUInt32BE()).toBe(2);
	expect(inflateSync(second?.subarray(4) ?? '')[1]).toBe(20);
});

test('a frame with a different pixel format is rejected', () => {
	const frame = { x: 0, y: 0, ms: 300 };
	expect(() =>
		movingPicture([
			{ ...frame, png: png(4, 3, 10) },
			{ ...frame, png: png(4, 3, 10, 2) },
		]),
	).toThrow('Frame 1 has other pixels than the first.');
});
