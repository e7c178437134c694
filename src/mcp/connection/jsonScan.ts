import type { McpLimits } from '../limits.ts';

/**
 * Estimates what parsing a JSON text would cost, without parsing it. Time depends on values rather than bytes: 15 MB of one string parse in
 * 30 ms, 15 MB of `[],` in 1.4 s and 400 MB, a million keys in 2.4 s. Another thread would not help: handing the values over takes three
 * times as long as parsing them.
 */

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Bytes scanned between two pauses: a millisecond's worth. */
const bytesAtOnce = 131_072;
/** Keys of an object up to which each costs one value. Distinguishing many keys takes longer than everything else. */
const cheapKeys = 128;
const expensiveKeyCost = 8;
/** White space and digits are parsed too: so many bytes outside strings cost one value. */
const bytesPerValue = 64;

/** A clause. */
export type ScanFault = 'nested too deeply' | 'too many values' | 'not JSON';

/** Scans in steps, so that other work can run between them. Returns why the text should not be parsed. */
export function* scanJson(
	bytes: Buffer,
	{ messageDepth, messageValues }: Pick<McpLimits, 'messageDepth' | 'messageValues'>,
): Generator<void, ScanFault | undefined> {
	/** By depth: commas so far, and whether it is an object. */
	const commas = new Int32Array(messageDepth + 1);
	const isObject = new Uint8Array(messageDepth + 1);
	let [depth, cost, bare, stringStart] = [0, 0, 0, -1];
	for (let at = 0, pause = bytesAtOnce; at < bytes.length; at += 1) {
		if (at >= pause) {
			yield;
			pause = at + bytesAtOnce;
		}
		if (stringStart !== -1) {
			at = bytes.indexOf(quote, at);
			if (at === -1) return 'not JSON';
			if (!isEscaped(bytes, at, stringStart)) stringStart = -1;
			continue;
		}
		const byte = bytes[at];
		switch (byte) {
			case quote:
				stringStart = at;
				break;
			case openArray:
			case openObject:
				depth += 1;
				if (depth > messageDepth) return 'nested too deeply';
				commas[depth] = 0;
				isObject[depth] = byte === openObject ? 1 : 0;
				cost += 1;
				break;
			case closeArray:
			case closeObject:
				depth -= 1;
				if (depth < 0) return 'not JSON';
				break;
			case comma: {
				const count = (commas[depth] ?? 0) + 1;
				commas[depth] = count;
				cost += count > cheapKeys && isObject[depth] === 1 ? expensiveKeyCost : 1;
				break;
			}
			default:
				bare += 1;
		}
		if (cost + bare / bytesPerValue > messageValues) return 'too many values';
	}
	return depth > 0 || stringStart !== -1 ? 'not JSON' : undefined;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(bytes: Buffer, at: number, start: number): boolean {
	let before = at - 1;
	while (before > start && bytes[before] === backslash) before -= 1;
	return (at - 1 - before) % 2 === 1;
}
