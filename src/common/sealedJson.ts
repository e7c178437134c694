import { setImmediate as pause } from 'node:timers/promises';
import { sha256 } from './digest.ts';
import { exactJson } from './exactJson.ts';

/** Reads a stored value: drops the entries that it cannot read and keeps the others. Throws if nothing can be kept. Zod's schemas fit. */
export interface Shape<T> {
	parse(stored: unknown): T;
}

/** How the extension stores a value: as JSON with a version and a checksum. */
export interface StoredFormat<T> {
	/** Incremented when the shape changes. A file with a higher version comes from a newer extension: it is neither read nor replaced. */
	readonly version: number;
	/** A larger file is not read, and none is written. */
	readonly maxBytes: number;
	readonly shape: Shape<T>;
	/** The value for `JSON.stringify`; absent: the value itself. */
	readonly plain?: (value: T) => unknown;
	/** For large lists: joins what the shape has made of their parts, so that reading them does not block the editor. */
	readonly join?: (parts: readonly T[]) => T;
}

export function joinedMaps<K, V>(parts: readonly ReadonlyMap<K, V>[]): ReadonlyMap<K, V> {
	return new Map(parts.flatMap((part) => [...part]));
}

/** A file's text, and the checksum in it. */
export interface SealedText {
	readonly text: string;
	readonly sum: string;
}

export function sealed<T>(value: T, { version, plain }: StoredFormat<T>): SealedText {
	const json = jsonOf(plain ? plain(value) : value);
	const sum = sha256(json);
	return { text: `{"format":${version},"sum":"${sum}","value":${json}}`, sum };
}

/** Bytes at the beginning of a file that contain its version and its checksum. */
export const headBytes = 200;

/** The version that any file of ours begins with, damaged or not. */
const claimedVersion = /^\s*\{\s*"format"\s*:\s*(\d+)/;
const sealedHead = /^\{"format":(\d+),"sum":"([\w-]{43})","value":/;
const closingBrace = '}'.charCodeAt(0);

/** The JSON in a file, if it is unchanged since it was written. */
export type Unsealed =
	| { readonly kind: 'whole'; readonly json: Buffer; readonly sum: string }
	| { readonly kind: 'newer' }
	| { readonly kind: 'damaged' };

export function unsealed(content: Buffer, { version }: { readonly version: number }): Unsealed {
	const head = content.toString('latin1', 0, headBytes);
	if (Number(claimedVersion.exec(head)?.[1]) > version) return { kind: 'newer' };
	const [start = '', format, sum = ''] = sealedHead.exec(head) ?? [];
	const json = content.subarray(start.length, -1);
	// One changed bit in the name of a tool would make it another tool.
	const isWhole = Number(format) === version && content.at(-1) === closingBrace && sum === sha256(json);
	return isWhole ? { kind: 'whole', json, sum } : { kind: 'damaged' };
}

/** The value in the JSON of a file. Throws if it has another shape. */
export function storedValue<T>(json: Buffer, { shape }: StoredFormat<T>): T {
	return shape.parse(exactJson(json.toString()));
}

/** Bytes of a list that are parsed at once, in a few milliseconds. */
const partBytes = 256 * 1024;

/** {@link storedValue} with pauses. */
export async function storedValueInParts<T>(json: Buffer, format: StoredFormat<T>): Promise<T> {
	const { shape, join } = format;
	const isInLines = json.subarray(0, listStart.length).equals(listStart);
	if (!join || !isInLines || json.length <= partBytes) return storedValue(json, format);
	const parts: T[] = [];
	for (const text of partsOfList(json)) {
		parts.push(shape.parse(exactJson(text)));
		await pause();
	}
	return join(parts);
}

const listStart = Buffer.from('[\n');
const listEnd = '\n]';
/** Between two entries of a list. Texts in JSON have no line breaks. */
const separator = ',\n';

/** A list has one entry a line, so that it can be read in parts. */
function jsonOf(value: unknown): string {
	if (!Array.isArray(value)) return JSON.stringify(value);
	return `${listStart}${value.map((entry) => JSON.stringify(entry)).join(separator)}${listEnd}`;
}

function* partsOfList(json: Buffer): Generator<string> {
	const entries = json.subarray(listStart.length, -listEnd.length);
	for (let at = 0; at < entries.length; ) {
		const end = entries.indexOf(separator, at + partBytes);
		const part = entries.subarray(at, end < 0 ? entries.length : end);
		yield `[${part}]`;
		at += part.length + separator.length;
	}
}
