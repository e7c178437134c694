import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { assertNever } from './assertNever.ts';
import { sha256 } from './digest.ts';
import { errorCode } from './errorCode.ts';

/** Reads a stored value: drops the entries that it cannot read and keeps the others. Throws if nothing can be kept. Zod's schemas fit. */
export interface Shape<T> {
	parse(stored: unknown): T;
}

/** How the extension stores a value: as JSON with a version and a checksum. */
export interface StoredFormat<T> {
	/** Incremented when the shape changes. A file with a higher version comes from a newer extension: it is neither read nor replaced. */
	readonly version: number;
	/** A larger file is not read, and none is written. */
	readonly mostBytes: number;
	readonly shape: Shape<T>;
	/** The value for `JSON.stringify`; absent: the value itself. */
	readonly plain?: (value: T) => unknown;
}

/** What reading a stored file has found. Only a missing and a damaged file are empty. */
export type StoredReading<T> =
	| { readonly kind: 'value'; readonly value: T; readonly sum: string; readonly identity: string }
	/** It is still the file that was read before. */
	| { readonly kind: 'unchanged' }
	| { readonly kind: 'missing' }
	/** Cut off, edited, too large, or of another shape. */
	| { readonly kind: 'damaged'; readonly identity: string }
	| { readonly kind: 'newer'; readonly identity: string }
	/** Perhaps only now: the next attempt may succeed. */
	| { readonly kind: 'unreadable'; readonly error: unknown };

/** The identity of a file that does not exist. */
export const missingFile = 'missing';

/** Every write by {@link writeAtomically} gives a new identity, even within the resolution of file times. */
function identityOf({ ino, mtimeMs, ctimeMs, size }: Stats): string {
	return JSON.stringify([ino, mtimeMs, ctimeMs, size]);
}

/** The identity of the file that is there now. */
export async function fileIdentity(path: string): Promise<string> {
	return identityOf(await stat(path));
}

/** Opening a pipe must not wait for somebody who writes into it. */
const forReading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a file, unless its identity is still `seen`. Never rejects. */
export async function readStored<T>(
	path: string,
	format: StoredFormat<T>,
	seen?: string,
): Promise<StoredReading<T>> {
	try {
		if ((await fileIdentity(path)) === seen) return { kind: 'unchanged' };
		const file = await open(path, forReading);
		try {
			const before = await file.stat();
			const content = roomFor(before, format);
			for (let at = 0, count = 1; count > 0; at += count)
				count = (await file.read(content, at, content.length - at, at)).bytesRead;
			return readingOf(content, [before, await file.stat()], format);
		} finally {
			await file.close();
		}
	} catch (error) {
		return readingOfFailure(error, seen);
	}
}

/** {@link readStored} for small files that decide something at once. */
export function readStoredNow<T>(path: string, format: StoredFormat<T>, seen?: string): StoredReading<T> {
	try {
		if (identityOf(statSync(path)) === seen) return { kind: 'unchanged' };
		const file = openSync(path, forReading);
		try {
			const before = fstatSync(file);
			const content = roomFor(before, format);
			for (let at = 0, count = 1; count > 0; at += count)
				count = readSync(file, content, at, content.length - at, at);
			return readingOf(content, [before, fstatSync(file)], format);
		} finally {
			closeSync(file);
		}
	} catch (error) {
		return readingOfFailure(error, seen);
	}
}

/** Bytes at the beginning of a file, which contain its version. */
const headBytes = 200;

/** As much of a file as is read: of one that is too large, only the beginning. */
function roomFor(stats: Stats, { mostBytes }: { readonly mostBytes: number }): Buffer {
	if (!stats.isFile()) throw new Error(l10n.t('it is not a plain file'));
	return Buffer.alloc(stats.size > mostBytes ? headBytes : stats.size);
}

function readingOfFailure(error: unknown, seen: string | undefined): StoredReading<never> {
	if (errorCode(error) !== 'ENOENT') return { kind: 'unreadable', error };
	return { kind: seen === missingFile ? 'unchanged' : 'missing' };
}

/** The version that any file of ours begins with, damaged or not. */
const claimedVersion = /^\s*\{\s*"format"\s*:\s*(\d+)/;
const sealedHead = /^\{"format":(\d+),"sum":"([\w-]{43})","value":/;

function readingOf<T>(
	content: Buffer,
	[before, after]: readonly [Stats, Stats],
	{ version, mostBytes, shape }: StoredFormat<T>,
): StoredReading<T> {
	const identity = identityOf(before);
	// Somebody else writes it in place, such as a backup that is restored.
	if (identity !== identityOf(after))
		return { kind: 'unreadable', error: new Error(l10n.t('it is being written')) };
	const text = content.toString();
	if (Number(claimedVersion.exec(text)?.[1]) > version) return { kind: 'newer', identity };
	const [head = '', format, sum = ''] = sealedHead.exec(text) ?? [];
	const json = text.slice(head.length, -1);
	// One changed bit in the name of a tool would make it another tool.
	const isWhole = Number(format) === version && text.endsWith('}') && sum === sha256(json);
	if (!isWhole || before.size > mostBytes) return { kind: 'damaged', identity };
	try {
		return { kind: 'value', value: shape.parse(JSON.parse(json)), sum, identity };
	} catch {
		return { kind: 'damaged', identity };
	}
}

/** Why a stored file cannot be read or replaced. */
export class StoredFileError extends Error {
	readonly reason: 'unreadable' | 'newer' | 'damaged' | 'tooLarge';

	constructor(reason: StoredFileError['reason'], path: string, cause?: unknown) {
		super(storedFileMessage(reason, path, cause), { cause });
		this.reason = reason;
	}
}

function storedFileMessage(reason: StoredFileError['reason'], path: string, cause: unknown): string {
	switch (reason) {
		case 'unreadable': {
			const why = cause instanceof Error ? cause.message : String(cause);
			return l10n.t('{0} cannot be read, so it is not replaced: {1}', path, why);
		}
		case 'newer':
			return l10n.t('{0} comes from a newer version of Discovery, so it is not replaced.', path);
		case 'damaged':
			return l10n.t('{0} is damaged. It is kept as {1} when it is replaced.', path, besideName(path));
		case 'tooLarge':
			return l10n.t('{0} would become too large.', path);
	}
}

/** A file's text, and the checksum in it. */
export interface StoredText {
	readonly text: string;
	readonly sum: string;
}

/** Throws if the text would be too large to be read again. */
export function storedText<T>(
	path: string,
	value: T,
	{ version, mostBytes, plain }: StoredFormat<T>,
): StoredText {
	const json = JSON.stringify(plain ? plain(value) : value);
	const sum = sha256(json);
	const text = `{"format":${version},"sum":"${sum}","value":${json}}`;
	if (Buffer.byteLength(text) > mostBytes) throw new StoredFileError('tooLarge', path);
	return { text, sum };
}

/** What is wrong with a file. */
export function problemOf(path: string, reading: StoredReading<unknown>): StoredFileError | undefined {
	switch (reading.kind) {
		case 'unreadable':
			return new StoredFileError('unreadable', path, reading.error);
		case 'newer':
		case 'damaged':
			return new StoredFileError(reading.kind, path);
		case 'value':
		case 'unchanged':
		case 'missing':
			return undefined;
		default:
			return assertNever(reading);
	}
}

/**
 * Prepares a file to be replaced, after what reading it has found. Rejects if it must not be replaced. A damaged file is kept beside it, in place of an
 * earlier one.
 */
export async function makeReplaceable(path: string, reading: StoredReading<unknown>): Promise<void> {
	const problem = problemOf(path, reading);
	if (problem?.reason === 'damaged') await keepBeside(path);
	else if (problem) throw problem;
}

/** Gives the file a second name, so that it is never missing. Where a file system has no links, it is renamed. */
async function keepBeside(path: string): Promise<void> {
	if ((await stat(path)).size === 0) return;
	await rm(besideName(path), { force: true });
	await link(path, besideName(path)).catch(() => rename(path, besideName(path)));
}

/** Where a damaged file is kept. */
export function besideName(path: string): string {
	return `${path}.damaged`;
}
