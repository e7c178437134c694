import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { errorCode } from './errors.ts';
import { isOpenIn, OutsideError, realPathIn } from './insideFolder.ts';

/** Age in milliseconds at which a draft belongs to a killed writer: writing takes less than a second. */
const draftAgeMs = 60_000;

/**
 * Writes a file readable by its owner only, and creates its folder. Writes a draft and renames it, so that readers find the old or the new file, never
 * half of one, even after a power failure; never writes through a link. Removes drafts of earlier writers. Rejects if the folder is not writable.
 */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
	await mkdir(dirname(file), { recursive: true, mode: 0o700 });
	await sweepDrafts(file);
	const draft = `${file}.${randomBytes(6).toString('hex')}`;
	try {
		await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
		await replace(file, draft);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
}

/** How Windows refuses to replace a file that another program has open, such as a virus scanner. */
const inUse = new Set(['EACCES', 'EBUSY', 'EPERM']);
/** Scanners and readers take less. */
const maxUseMs = 2_000;
const useCheckMs = 20;

async function replace(file: string, draft: string): Promise<void> {
	const deadline = performance.now() + maxUseMs;
	for (;;) {
		try {
			return await rename(draft, file);
		} catch (error) {
			if (process.platform !== 'win32' || !inUse.has(errorCode(error)) || performance.now() > deadline)
				throw error;
			await pause(useCheckMs);
		}
	}
}

/** Whether this is the name of a stale draft of {@link writeAtomically}. */
export function isStaleDraft(name: string, { mtimeMs }: { readonly mtimeMs: number }): boolean {
	return /\.[0-9a-f]{12}$/.test(name) && Math.abs(Date.now() - mtimeMs) > draftAgeMs;
}

async function sweepDrafts(file: string): Promise<void> {
	const folder = dirname(file);
	const names = await readdir(folder).catch(() => []);
	for (const name of names.filter((candidate) => candidate.startsWith(`${basename(file)}.`))) {
		const stats = await lstat(join(folder, name)).catch(() => undefined);
		if (stats && isStaleDraft(name, stats)) await rm(join(folder, name), { force: true }).catch(() => {});
	}
}

export interface PlainReading {
	/** Follows links; otherwise a link is an error. */
	readonly followsLinks?: boolean;
	/** Follows links that stay in this folder; others are an {@link OutsideError}. */
	readonly within?: string | undefined;
	/** A larger file is not read; absent: no limit. */
	readonly maxBytes?: number;
}

/** Retries for a file that is written while it is read. */
const readings = 3;

/**
 * Reads a regular file, never a pipe or a device. Retries if the file is written meanwhile, so that the content is one version. Rejects with the
 * system's error code, `ENOENT` if there is nothing.
 */
export async function readPlainFile(path: string, reading: PlainReading = {}): Promise<Buffer> {
	for (let again = readings - 1; ; again--) {
		try {
			const { content, isWhole } = await readOnce(path, reading);
			if (isWhole || again === 0) return content;
		} catch (error) {
			// The file may have been replaced between two looks at it.
			if (again === 0 || !(error instanceof OutsideError)) throw error;
		}
	}
}

async function readOnce(
	path: string,
	{ followsLinks = false, within, maxBytes = Number.POSITIVE_INFINITY }: PlainReading,
): Promise<{ readonly content: Buffer; readonly isWhole: boolean }> {
	const file = within === undefined ? path : await realPathIn(within, path);
	const noLinks = followsLinks ? 0 : (constants.O_NOFOLLOW ?? 0);
	// Windows cannot be asked to open no link.
	if (!followsLinks && constants.O_NOFOLLOW === undefined && (await lstat(file)).isSymbolicLink()) {
		throw new Error(l10n.t('it is not a plain file'));
	}
	const handle = await open(file, constants.O_RDONLY | noLinks | (constants.O_NONBLOCK ?? 0));
	try {
		const statsBefore = await handle.stat();
		if (!statsBefore.isFile()) throw new Error(l10n.t('it is not a plain file'));
		if (within !== undefined && !(await isOpenIn(within, path, handle))) throw new OutsideError(within);
		const fault = () => new Error(l10n.t('it has more than {0} bytes', maxBytes));
		if (statsBefore.size > maxBytes) throw fault();
		// Without a limit, a file that keeps growing would be read forever.
		const room = Number.isFinite(maxBytes) ? { end: maxBytes } : {};
		const stream = handle.createReadStream({ start: 0, autoClose: false, ...room });
		const content = Buffer.concat(await Array.fromAsync<Buffer>(stream));
		if (content.length > maxBytes) throw fault();
		const after = await handle.stat();
		return { content, isWhole: after.mtimeMs === statsBefore.mtimeMs && after.size === content.length };
	} finally {
		await handle.close();
	}
}
