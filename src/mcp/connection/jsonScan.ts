/**
 * Estimates what parsing a JSON text would cost, without parsing it. Time depends on values rather than bytes: 15 MB of one string parse in
 * 30 ms, 15 MB of `[],` in 1.4 s and 400 MB, a million keys in 2.4 s. Another thread would not help: handing the values over takes three
 * times as long as parsing them.
 *
 * In a list of tools, entries that are too complex or too many are left out, so that one bad tool does not cost the others.
 */

import { leftOutMember } from './connection.ts';

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
const expensiveKeyCost = 16;
/** White space and digits are parsed too: so many bytes outside strings cost one value. */
const bytesPerValue = 64;
/** Depth of the entries of `{"result":{"tools":[entry,…]}}`. */
const listDepth = 3;
/** The name of a left-out entry, if it comes first and is short: it is only for the log. */
const leadingName = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/;
const longestLead = 4096;

export interface ScanLimits {
	readonly depth: number;
	/** In values: each array, object, member and item is one. */
	readonly cost: number;
	/** Limits of one entry in a list of tools. */
	readonly entryCost: number;
	readonly entryDepth: number;
	readonly entries: number;
}

export type ScanFault = 'too-deep' | 'too-many-values' | 'not-json';

/** Scans in steps, so that other work can run between them. Returns the text to parse, without entries that were left out. */
export function* scanJson(bytes: Buffer, limits: ScanLimits): Generator<void, Buffer | ScanFault> {
	const levels = limits.depth + limits.entryDepth + listDepth + 2;
	/** By depth: commas so far, and whether it is an object. */
	const commas = new Int32Array(levels);
	const isObject = new Uint8Array(levels);
	const parts: Buffer[] = [];
	let [depth, cost, bare, stringStart] = [0, 0, 0, -1];
	let lastString = '';
	/** `full`: what follows in the list is left out. */
	let list: 'before' | 'open' | 'full' | 'after' = 'before';
	/** The current entry of the list; in a full one, what is left out. */
	let entry = { start: 0, cost: 0, deepest: 0 };
	let entries = 0;
	/** Where the part of the text begins that is not in `parts` yet. */
	let copied = 0;

	/** Replaces the current entry by another text; what is not parsed costs nothing. */
	const replaceEntry = (end: number, stub?: Buffer) => {
		cost = entry.cost;
		parts.push(bytes.subarray(copied, entry.start), ...(stub ? [stub] : []));
		copied = end;
	};
	const endEntry = (end: number) => {
		entries += 1;
		const isTooComplex =
			cost - entry.cost > limits.entryCost || entry.deepest - listDepth > limits.entryDepth;
		if (isTooComplex) replaceEntry(end, stubOf(bytes.subarray(entry.start, end)));
	};

	for (let at = 0, pause = bytesAtOnce; at < bytes.length; at += 1) {
		if (at >= pause) {
			yield;
			pause = at + bytesAtOnce;
		}
		if (stringStart !== -1) {
			at = bytes.indexOf(quote, at);
			if (at === -1) return 'not-json';
			if (isEscaped(bytes, at, stringStart)) continue;
			if (depth < listDepth)
				lastString = bytes.toString('latin1', stringStart + 1, Math.min(at, stringStart + 16));
			stringStart = -1;
			continue;
		}
		const byte = bytes[at];
		switch (byte) {
			case quote:
				stringStart = at;
				continue;
			case openArray:
			case openObject: {
				const isTools = list === 'before' && depth === listDepth - 1 && isObject[depth] === 1;
				depth += 1;
				cost += 1;
				if (depth < levels) {
					commas[depth] = 0;
					isObject[depth] = byte === openObject ? 1 : 0;
				}
				if (list === 'open' && depth > entry.deepest) entry.deepest = depth;
				else if (list !== 'open' && list !== 'full' && depth > limits.depth) return 'too-deep';
				if (isTools && byte === openArray && lastString === 'tools') {
					list = 'open';
					entry = { start: at + 1, cost, deepest: depth };
				}
				break;
			}
			case closeArray:
			case closeObject:
				if (depth === listDepth && list === 'full') replaceEntry(at);
				if (depth === listDepth && list === 'open' && (entries > 0 || !isBlank(bytes, entry.start, at)))
					endEntry(at);
				if (depth === listDepth && list !== 'before') list = 'after';
				depth -= 1;
				if (depth < 0) return 'not-json';
				break;
			case comma: {
				if (list === 'full') continue;
				const isBetweenEntries = list === 'open' && depth === listDepth;
				if (isBetweenEntries) endEntry(at);
				const count = depth < levels ? (commas[depth] ?? 0) + 1 : 0;
				if (depth < levels) commas[depth] = count;
				cost += count > cheapKeys && isObject[depth] === 1 ? expensiveKeyCost : 1;
				if (isBetweenEntries && entries === limits.entries) list = 'full';
				// The comma before what is left out goes with it.
				if (isBetweenEntries) entry = { start: list === 'full' ? at : at + 1, cost, deepest: depth };
				break;
			}
			default:
				bare += 1;
				continue;
		}
		if (cost > limits.cost && list !== 'open' && list !== 'full') return 'too-many-values';
	}
	if (depth > 0 || stringStart !== -1) return 'not-json';
	if (cost + bare / bytesPerValue > limits.cost) return 'too-many-values';
	return copied === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(copied)]);
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
	return end - start < longestLead && bytes.toString('latin1', start, end).trim() === '';
}

function stubOf(entry: Buffer): Buffer {
	const name = leadingName.exec(entry.toString('utf8', 0, longestLead))?.[1];
	return Buffer.from(`{${name === undefined ? '' : `"name":${name},`}"${leftOutMember}":"complex"}`);
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(bytes: Buffer, at: number, start: number): boolean {
	let before = at - 1;
	while (before > start && bytes[before] === backslash) before -= 1;
	return (at - 1 - before) % 2 === 1;
}
