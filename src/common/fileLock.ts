import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { errorCode } from './errors.ts';
import { isAlive } from './processes.ts';

/** Interval at which a waiter checks the lock, and at which the holder renews it. */
const pollMs = 25;
const beatMs = 2_000;
/** A holder without renewal for this long is frozen, or its process id now belongs to another process. */
const frozenMs = 10_000;
/** Name of a holder's file: process id and a random part. */
const holderName = /^(\d+)\.[0-9a-f]{12}$/;

/**
 * Runs `work` while no other process of this machine holds the lock of `file`. Takes the lock over from a dead process. Rejects if the folder is not
 * writable.
 */
export async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
	const release = await acquireLock(file);
	try {
		return await work();
	} finally {
		await release();
	}
}

/**
 * Waits for the lock of `file`; resolves to what releases it.
 *
 * The lock is a folder that holds one file, whose name says who the holder is. Nobody can remove another holder's lock by mistake: a holder
 * is removed by its name, a folder only while it is empty, and taking the lock is one rename, which fails where a holder is.
 */
export async function acquireLock(file: string): Promise<() => Promise<void>> {
	const lock = `${file}.lock`;
	const me = `${process.pid}.${randomBytes(6).toString('hex')}`;
	const draft = `${lock}.${me}`;
	await mkdir(dirname(file), { recursive: true, mode: 0o700 });
	await mkdir(draft, { mode: 0o700 });
	try {
		await writeFile(join(draft, me), '', { mode: 0o600 });
		for (let seenHolder: SeenHolder | undefined; !(await takes(draft, lock)); ) {
			seenHolder = await holderAfterSweep(lock, seenHolder);
			await pass(pollMs);
		}
	} catch (error) {
		await rm(draft, { recursive: true, force: true });
		throw error;
	}
	const mine = join(lock, me);
	const beat = setInterval(() => {
		const now = new Date();
		void utimes(mine, now, now).catch(() => {});
	}, beatMs);
	beat.unref();
	await sweepDrafts(lock);
	return async () => {
		clearInterval(beat);
		await removeHolder(lock, me);
	};
}

/** The holder a waiter saw, and since when by the waiter's own clock: file times come from another clock and are only compared for equality. */
interface SeenHolder {
	readonly name: string;
	readonly beatAt: number;
	readonly since: number;
}

/** Error codes for "already exists" on rename, on all systems. */
const takenCodes = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EACCES', 'EBUSY']);

async function takes(draft: string, lock: string): Promise<boolean> {
	try {
		await rename(draft, lock);
		return true;
	} catch (error) {
		if (takenCodes.has(errorCode(error))) return false;
		throw error;
	}
}

/** Removes stale locks. Resolves to the holder to wait for; `undefined`: the lock may be free. */
async function holderAfterSweep(
	lock: string,
	seenHolder: SeenHolder | undefined,
): Promise<SeenHolder | undefined> {
	let names: readonly string[];
	try {
		names = await readdir(lock);
	} catch {
		// Removes a file or link in the lock's place; folders cannot be removed this way.
		await unlink(lock).catch(() => {});
		return undefined;
	}
	const [name] = names;
	if (name === undefined) {
		// Only Windows cannot rename over an empty folder.
		await rmdir(lock).catch(() => {});
		return undefined;
	}
	const pid = holderName.exec(name)?.[1];
	if (pid === undefined) throw new Error(l10n.t('{0} is in the way. Remove it.', lock));
	const now = performance.now();
	const beatAt = await stat(join(lock, name)).then(
		({ mtimeMs }) => mtimeMs,
		() => 0,
	);
	const isKnown = seenHolder?.name === name && seenHolder.beatAt === beatAt;
	if (isAlive(Number(pid)) && !(isKnown && now - seenHolder.since > frozenMs)) {
		return isKnown ? seenHolder : { name, beatAt, since: now };
	}
	await removeHolder(lock, name);
	return undefined;
}

async function removeHolder(lock: string, name: string): Promise<void> {
	await unlink(join(lock, name)).catch(() => {});
	await rmdir(lock).catch(() => {});
}

/** Removes drafts of killed waiters. */
async function sweepDrafts(lock: string): Promise<void> {
	const start = `${basename(lock)}.`;
	for (const name of await readdir(dirname(lock)).catch(() => [])) {
		const pid = name.startsWith(start) ? holderName.exec(name.slice(start.length))?.[1] : undefined;
		if (pid === undefined || isAlive(Number(pid))) continue;
		await rm(join(dirname(lock), name), { recursive: true, force: true }).catch(() => {});
	}
}
