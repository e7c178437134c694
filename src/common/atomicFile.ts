import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Clock } from './clock.ts';
import type { Disposable } from './event.ts';

/** Milliseconds after which a draft is one of a writer that was killed: writing takes less than a second. */
const draftAgeMs = 60_000;

/**
 * Writes a file for its owner only, and its folder where that is missing. It is written beside and renamed, so that whoever reads finds
 * the old file or the new one, never half of it, even after the power has failed; never through a link that stands there. Drafts that
 * earlier writers left go. Rejects if the folder cannot be written to.
 */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
	await mkdir(dirname(file), { recursive: true, mode: 0o700 });
	await sweepDrafts(file);
	const draft = `${file}.${randomBytes(6).toString('hex')}`;
	try {
		await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
		await rename(draft, file);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
}

/** When {@link DelayedWriter} writes, and who hears that it could not. */
export interface DelayedWriterOptions {
	readonly clock: Clock;
	/** Quiet time before it writes. */
	readonly delayMs: number;
	readonly onError: (error: unknown) => void;
}

/** Writes once for all changes of a short time, and never twice at the same time. */
export class DelayedWriter {
	readonly #write: () => Promise<void>;
	readonly #options: DelayedWriterOptions;
	#timer: Disposable | undefined;
	#writing: Promise<void> = Promise.resolve();

	constructor(write: () => Promise<void>, options: DelayedWriterOptions) {
		this.#write = write;
		this.#options = options;
	}

	/** There is something to write. */
	soon(): void {
		const { clock, delayMs, onError } = this.#options;
		this.#timer?.dispose();
		this.#timer = clock.after(delayMs, () => void this.flush().catch(onError));
	}

	/** Writes what is still to be written. Rejects if that fails. */
	async flush(): Promise<void> {
		if (!this.#timer) return this.#writing;
		this.#timer.dispose();
		this.#timer = undefined;
		this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
		return this.#writing;
	}
}

/** Whether a file of this name is a draft of {@link writeAtomically} whose writer is gone. */
export function isLeftBehind(name: string, { mtimeMs }: { readonly mtimeMs: number }): boolean {
	return /\.[0-9a-f]{12}$/.test(name) && Math.abs(Date.now() - mtimeMs) > draftAgeMs;
}

async function sweepDrafts(file: string): Promise<void> {
	const folder = dirname(file);
	const names = await readdir(folder).catch(() => []);
	for (const name of names.filter((one) => one.startsWith(`${basename(file)}.`))) {
		const known = await lstat(join(folder, name)).catch(() => undefined);
		if (known && isLeftBehind(name, known)) await rm(join(folder, name), { force: true }).catch(() => {});
	}
}

/**
 * An object of JSON with a sum of what it holds, so that not a bit of it can change unnoticed. `members`: those of the object, as JSON
 * without its braces.
 */
export function sealed(format: number, members: string): string {
	return `{"format":${format},"sum":"${sumOf(members)}",${members}}`;
}

/** The object of {@link sealed}; throws if this is none of that format, or not as it was written. */
export function unsealed(format: number, text: string): unknown {
	const [head = '', version, sum] = /^\{"format":(\d+),"sum":"([\w-]{43})",/.exec(text) ?? [];
	const members = text.slice(head.length, -1);
	if (Number(version) !== format || sum !== sumOf(members) || !text.endsWith('}')) {
		throw new Error('not a file as it was written');
	}
	return JSON.parse(text);
}

/** A SHA-256, 43 characters. */
function sumOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}

/** How {@link readPlainFile} reads. */
export interface PlainReading {
	/** A link is followed to the file that it leads to; else it is an error. */
	readonly followsLinks?: boolean;
	/** Of more bytes nothing is read; any number if left out. */
	readonly mostBytes?: number;
}

/** Times that a file is read which is written meanwhile. */
const readings = 3;

/**
 * The content of a plain file, and of nothing that stands in its place: a pipe or a device is not waited for. What is written while it is
 * read is read once more, so that it is one state of the file. Rejects with the system's code, `ENOENT` where there is nothing.
 */
export async function readPlainFile(path: string, reading: PlainReading = {}): Promise<Buffer> {
	for (let again = readings - 1; ; again--) {
		const { content, isWhole } = await readOnce(path, reading);
		if (isWhole || again === 0) return content;
	}
}

async function readOnce(
	path: string,
	{ followsLinks = false, mostBytes = Number.POSITIVE_INFINITY }: PlainReading,
): Promise<{ readonly content: Buffer; readonly isWhole: boolean }> {
	const noLinks = followsLinks ? 0 : (constants.O_NOFOLLOW ?? 0);
	const handle = await open(path, constants.O_RDONLY | noLinks | (constants.O_NONBLOCK ?? 0));
	try {
		const before = await handle.stat();
		if (!before.isFile()) throw new Error(l10n.t('it is not a plain file'));
		const fault = () => new Error(l10n.t('it has more than {0} bytes', mostBytes));
		if (before.size > mostBytes) throw fault();
		// Without a limit, a file that keeps growing would be read for ever.
		const room = Number.isFinite(mostBytes) ? { end: mostBytes } : {};
		const pieces: Buffer[] = [];
		for await (const piece of handle.createReadStream({ start: 0, autoClose: false, ...room }))
			pieces.push(piece);
		const content = Buffer.concat(pieces);
		if (content.length > mostBytes) throw fault();
		const after = await handle.stat();
		return { content, isWhole: after.mtimeMs === before.mtimeMs && after.size === content.length };
	} finally {
		await handle.close();
	}
}
