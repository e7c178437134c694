import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { assertNever } from './assertNever.ts';
import { errorCode, errorMessage } from './errors.ts';
import {
	headBytes,
	type SealedText,
	type StoredFormat,
	sealed,
	storedValue,
	storedValueInParts,
	unsealed,
} from './sealedJson.ts';

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

/** Every write by `writeAtomically` gives a new identity, even within the resolution of file times. */
function identityOf({ ino, mtimeMs, ctimeMs, size }: Stats): string {
	return JSON.stringify([ino, mtimeMs, ctimeMs, size]);
}

/** The identity of the file that is there now. */
export async function fileIdentity(path: string): Promise<string> {
	return identityOf(await stat(path));
}

/** Opening a pipe must not wait for a writer. */
const forReading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Waits before the next attempts to read a file that cannot be read, in milliseconds. A virus scanner takes less. */
const attemptsMs = [20, 80, 200];

/** Reads a file, unless its identity is still `seen`. Never rejects. */
export async function readStored<T>(
	path: string,
	format: StoredFormat<T>,
	seenIdentity?: string,
): Promise<StoredReading<T>> {
	for (const ms of attemptsMs) {
		const reading = await readOnce(path, format, seenIdentity);
		if (reading.kind !== 'unreadable') return reading;
		await pause(ms);
	}
	return readOnce(path, format, seenIdentity);
}

async function readOnce<T>(
	path: string,
	format: StoredFormat<T>,
	seenIdentity?: string,
): Promise<StoredReading<T>> {
	try {
		if ((await fileIdentity(path)) === seenIdentity) return { kind: 'unchanged' };
		const file = await open(path, forReading);
		try {
			const statsBefore = await file.stat();
			const content = roomFor(statsBefore, format);
			for (let at = 0, count = 1; count > 0; at += count)
				count = (await file.read(content, at, content.length - at, at)).bytesRead;
			const outcome = foundIn(content, [statsBefore, await file.stat()], format);
			if (outcome.kind !== 'whole') return outcome;
			const { json, sum, identity } = outcome;
			return await storedValueInParts(json, format).then(
				(value) => ({ kind: 'value', value, sum, identity }),
				() => ({ kind: 'damaged', identity }),
			);
		} finally {
			await file.close();
		}
	} catch (error) {
		return readingOfFailure(error, seenIdentity);
	}
}

/** {@link readStored} for small files that decide something at once. */
export function readStoredNow<T>(
	path: string,
	format: StoredFormat<T>,
	seenIdentity?: string,
): StoredReading<T> {
	try {
		if (identityOf(statSync(path)) === seenIdentity) return { kind: 'unchanged' };
		const file = openSync(path, forReading);
		try {
			const statsBefore = fstatSync(file);
			const content = roomFor(statsBefore, format);
			for (let at = 0, count = 1; count > 0; at += count)
				count = readSync(file, content, at, content.length - at, at);
			const outcome = foundIn(content, [statsBefore, fstatSync(file)], format);
			if (outcome.kind !== 'whole') return outcome;
			const { json, sum, identity } = outcome;
			try {
				return { kind: 'value', value: storedValue(json, format), sum, identity };
			} catch {
				return { kind: 'damaged', identity };
			}
		} finally {
			closeSync(file);
		}
	} catch (error) {
		return readingOfFailure(error, seenIdentity);
	}
}

/** A buffer for what is read of a file: only the beginning if it is too large. */
function roomFor(stats: Stats, { maxBytes }: { readonly maxBytes: number }): Buffer {
	if (!stats.isFile()) throw new Error(l10n.t('it is not a plain file'));
	return Buffer.alloc(stats.size > maxBytes ? headBytes : stats.size);
}

function readingOfFailure(error: unknown, seenIdentity: string | undefined): StoredReading<never> {
	if (errorCode(error) !== 'ENOENT') return { kind: 'unreadable', error };
	return { kind: seenIdentity === missingFile ? 'unchanged' : 'missing' };
}

function foundIn(
	content: Buffer,
	[before, after]: readonly [Stats, Stats],
	{ version, maxBytes }: { readonly version: number; readonly maxBytes: number },
) {
	const identity = identityOf(before);
	// Somebody else writes it in place, such as a backup that is restored.
	if (identity !== identityOf(after))
		return { kind: 'unreadable', error: new Error(l10n.t('it is being written')) } as const;
	const outcome = unsealed(content, { version });
	const isTooLarge = outcome.kind === 'whole' && before.size > maxBytes;
	return isTooLarge ? ({ kind: 'damaged', identity } as const) : { ...outcome, identity };
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
			const why = errorMessage(cause);
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

/** The text of a file, which must be small enough to be read again. */
export function sealedFor<T>(path: string, value: T, format: StoredFormat<T>): SealedText {
	const sealedText = sealed(value, format);
	if (Buffer.byteLength(sealedText.text) > format.maxBytes) throw new StoredFileError('tooLarge', path);
	return sealedText;
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
