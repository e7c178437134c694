import { crc32 } from 'node:zlib';

/** A picture that is shown for a time, over what was shown before. */
export interface Frame {
	/** A PNG file. All frames of a moving picture have the same kind of pixels. */
	readonly png: Buffer;
	/** Place of its upper left corner in the first frame, in pixels. */
	readonly x: number;
	readonly y: number;
	readonly ms: number;
}

const SIGNATURE_BYTES = 8;
const WORD_BYTES = 4;
/** Width and height, before the kind of pixels. */
const SIZE_BYTES = 2 * WORD_BYTES;

interface Chunk {
	readonly type: string;
	readonly data: Buffer;
}

function chunksOf(png: Buffer): readonly Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = SIGNATURE_BYTES; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const start = at + 2 * WORD_BYTES;
		chunks.push({
			type: png.toString('latin1', at + WORD_BYTES, start),
			data: png.subarray(start, start + length),
		});
		at = start + length + WORD_BYTES;
	}
	return chunks;
}

/** The header of a picture, and its pixels. */
function partsOf(png: Buffer): { readonly header: Buffer; readonly pixels: readonly Buffer[] } {
	const chunks = chunksOf(png);
	const header = chunks.find(({ type }) => type === 'IHDR')?.data;
	if (!header) throw new Error('This is not a PNG file.');
	return { header, pixels: chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data) };
}

function written(type: string, ...parts: readonly Buffer[]): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
	return Buffer.concat([words(body.length - WORD_BYTES), body, words(crc32(body))]);
}

function words(...numbers: readonly number[]): Buffer {
	const buffer = Buffer.alloc(numbers.length * WORD_BYTES);
	numbers.forEach((number, i) => {
		buffer.writeUInt32BE(number, i * WORD_BYTES);
	});
	return buffer;
}

/**
 * Joins frames to an animated PNG that repeats for ever: https://wiki.mozilla.org/APNG_Specification. The first frame has the size of the
 * whole. Throws if a frame has other pixels than the first.
 */
export function movingPicture(frames: readonly Frame[]): Buffer {
	const [first] = frames;
	if (!first) throw new Error('A moving picture needs a frame.');
	const { header } = partsOf(first.png);
	let sequence = 0;
	const parts = frames.flatMap(({ png, x, y, ms }, i) => {
		const { header: frameHeader, pixels } = partsOf(png);
		if (!frameHeader.subarray(SIZE_BYTES).equals(header.subarray(SIZE_BYTES)))
			throw new Error(`Frame ${i} has other pixels than the first.`);
		const control = Buffer.concat([
			words(sequence++),
			frameHeader.subarray(0, SIZE_BYTES),
			words(x, y),
			// The time as a fraction of a second; the frame stays, and the next one is drawn over it.
			Buffer.from([ms >> 8, ms & 0xff, 1_000 >> 8, 1_000 & 0xff, 0, 0]),
		]);
		return [
			written('fcTL', control),
			...pixels.map((data) => (i === 0 ? written('IDAT', data) : written('fdAT', words(sequence++), data))),
		];
	});
	return Buffer.concat([
		first.png.subarray(0, SIGNATURE_BYTES),
		written('IHDR', header),
		written('acTL', words(frames.length, 0)),
		...parts,
		written('IEND'),
	]);
}
